#include "base/new_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files_for_test.h"

namespace levelfield {
namespace {

TEST(NewDirectory, IsNeverOneThatWasThere) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path() + "/above/results";
  const StatusOr<std::string> first = MakeNewDirectory(path);
  const StatusOr<std::string> second = MakeNewDirectory(path);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, path);
  EXPECT_EQ(*second, path + "-2");
}

TEST(NewDirectory, IsNotMadeWhereAHundredAreTaken) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path() + "/results";
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(MakeNewDirectory(path).ok()) << i;
  const StatusOr<std::string> none = MakeNewDirectory(path);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().message().find("are taken"), std::string::npos);
}

TEST(NewDirectory, IsNotMadeInAFile) {
  const TemporaryDirectory temporary;
  std::ofstream(temporary.path() + "/file") << "text";
  const StatusOr<std::string> none = MakeNewDirectory(temporary.path() + "/file/results");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().message().find("cannot make the directory"), std::string::npos);
}

}  // namespace
}  // namespace levelfield
