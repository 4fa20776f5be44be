#include "base/program_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files_for_test.h"

namespace levelfield {
namespace {

using testing::ElementsAre;

TEST(NamesOfProgramTest, AreThoseOfAllLinksToTheFile) {
  const TemporaryDirectory directory;
  const std::filesystem::path there = directory.path();
  std::filesystem::create_directory(there / "below");
  std::ofstream(there / "levelfield") << "x";
  std::filesystem::create_symlink(there / "levelfield", there / "below/db_bench_rocksdb");
  std::filesystem::create_symlink("below/db_bench_rocksdb", there / "db_bench.11");
  std::filesystem::create_symlink("db_bench.11", there / "db_bench");
  EXPECT_THAT(NamesOfProgram(there / "db_bench"),
              ElementsAre("db_bench", "db_bench.11", "db_bench_rocksdb", "levelfield"));
  EXPECT_THAT(NamesOfProgram(there / "levelfield"), ElementsAre("levelfield"));
}

TEST(NamesOfProgramTest, EndWhereLinksGoInCirclesOrNowhere) {
  const TemporaryDirectory directory;
  const std::filesystem::path there = directory.path();
  std::filesystem::create_symlink("b", there / "a");
  std::filesystem::create_symlink("a", there / "b");
  std::filesystem::create_symlink("nothing", there / "c");
  EXPECT_LE(NamesOfProgram(there / "a").size(), 50u);
  EXPECT_THAT(NamesOfProgram(there / "c"), ElementsAre("c", "nothing"));
  EXPECT_THAT(NamesOfProgram("no such program"), ElementsAre("no such program"));
  EXPECT_THAT(NamesOfProgram(""), ElementsAre(""));
}

}  // namespace
}  // namespace levelfield
