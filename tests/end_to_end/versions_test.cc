// Versions and builds of one engine in one table: by its name, by a version, by a library's path.
#include "end_to_end.h"

namespace levelfield {
namespace {

class Versions : public EndToEnd {
 protected:
  static constexpr const char* kSizes = "--num=2000";
  static constexpr const char* kNames = "--benchmarks=fillrandom,readrandom";
};

TEST_F(Versions, StandBesideEachOtherEachWithItsLibrary) {
  ASSERT_EQ(Run({"run", "--engine=rocksdb@system", kSizes, kNames}).exit_code, 0);
  const std::string library = ReadResult().runs.at(0).library_path;
  fs::remove_all(path() + "/results");
  fs::create_directory(path() + "/own");
  fs::copy_file(library, path() + "/own/librocksdb.so");
  const std::string by_path = "rocksdb:" + path() + "/own/librocksdb.so";
  const Ending ending = Run({"run", "--engine=rocksdb,rocksdb@system," + by_path, kSizes, kNames});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(CellsOf(ending.out, "answers"), ElementsAre("checked", "checked", "checked"));
  const Result result = ReadResult();
  const RunResult& system = RunOf(result, "rocksdb@system");
  const RunResult& own = RunOf(result, by_path);
  EXPECT_EQ(own.version, system.version);
  EXPECT_EQ(own.library_path, path() + "/own/librocksdb.so");
  EXPECT_EQ(own.library_sha256, system.library_sha256) << "a copy of it";
  EXPECT_NE(RunOf(result, "rocksdb").library_sha256, system.library_sha256);
  for (const RunResult& run : result.runs) {
    EXPECT_EQ(PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).hits, 2000u) << run.engine;
    EXPECT_THAT(ending.out, HasSubstr(run.library_sha256.substr(0, 16))) << run.engine;
  }
}

TEST_F(Versions, AreComparedRoundByRound) {
  const Ending ending = Run(
      {"run", "--engine=rocksdb", "--against=rocksdb@system", "--num=300", kNames, "--repeat=2"});
  EXPECT_EQ(ending.exit_code, 2) << "two rounds are indicative: " << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("\nrocksdb against rocksdb@system\n"));
  EXPECT_THAT(ending.out, testing::ContainsRegex("fillrandom .* 2 +indicative\n"));
}

TEST_F(Versions, ThatAreNotHereSayWhatFetchesThem) {
  const Ending ending = Run({"run", "--engine=rocksdb,rocksdb@0.0.1", kSizes, kNames});
  EXPECT_EQ(ending.exit_code, 0) << "the other one runs: " << ending.err;
  EXPECT_THAT(CellsOf(ending.out, "fillrandom"),
              ElementsAre(testing::_, testing::_, "unsupported[1]"));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("make rocksdb-versions VERSIONS="));
  const Ending path = Run({"run", "--engine=rocksdb:/nowhere/librocksdb.so", kSizes, kNames});
  EXPECT_EQ(path.exit_code, 2);
  EXPECT_THAT(path.err, HasSubstr("/nowhere/librocksdb.so"));
}

}  // namespace
}  // namespace levelfield
