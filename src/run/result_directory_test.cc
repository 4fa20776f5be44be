#include "run/result_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files_for_test.h"
#include "result/environment.h"
#include "result/result_files.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ResultDirectoryTest : public ::testing::Test {
 protected:
  ResultDirectoryTest() { settings_.results = root_ + "/results"; }

  StatusOr<ResultDirectory> Create() {
    return ResultDirectory::Create(settings_, "levelfield run", {}, nlohmann::ordered_json::array(),
                                   "");
  }

  const TemporaryDirectory temporary_;
  const std::string root_ = temporary_.path();
  Settings settings_;
};

TEST_F(ResultDirectoryTest, IsReadableBeforeAnythingRan) {
  settings_.name = "one";
  settings_.num = 12345;
  const StatusOr<ResultDirectory> directory = Create();
  ASSERT_TRUE(directory.ok()) << directory.status().message();
  EXPECT_THAT(directory->path(), AllOf(HasSubstr(root_ + "/results/"), HasSubstr("-one")));
  const StatusOr<Result> result = ReadResultDirectory(directory->path());
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->name, "one");
  EXPECT_EQ(result->command, "levelfield run");
  EXPECT_THAT(result->settings,
              ::testing::Contains(std::pair<std::string, std::string>("num", "12345")));
  EXPECT_EQ(result->settings.size(), Flags().size());
}

TEST_F(ResultDirectoryTest, SaysOfWhichMachineItIs) {
  const StatusOr<ResultDirectory> directory = Create();
  ASSERT_TRUE(directory.ok());
  const auto manifest = nlohmann::ordered_json::parse(Read(directory->path() + "/manifest.json"));
  const std::string fingerprint = Fingerprint(manifest["environment"]);
  EXPECT_EQ(manifest["fingerprint"], fingerprint);
  EXPECT_EQ(ReadResultDirectory(directory->path())->fingerprint, fingerprint);
  // Of results that do not say it, the same comes of what they say of the machine.
  auto older = manifest;
  older.erase("fingerprint");
  older.erase("crc32");
  std::ofstream(directory->path() + "/manifest.json") << older.dump() << "\n";
  const StatusOr<Result> result = ReadResultDirectory(directory->path());
  EXPECT_EQ(result->fingerprint, fingerprint);
  EXPECT_EQ(result->conditions, LastingConditions(manifest["environment"]));
}

TEST_F(ResultDirectoryTest, GivesBackEveryPhaseAndRunAsItWasAdded) {
  StatusOr<ResultDirectory> directory = Create();
  ASSERT_TRUE(directory.ok());
  PhaseResult phase;
  phase.workload = "fillseq";
  phase.outcome = Outcome::kOk;
  ASSERT_TRUE(directory->AddPhase(0, "lmdb", {}, phase).ok());
  phase.message = "broken \xff text\nin two lines";
  phase.outcome = Outcome::kWrong;
  ASSERT_TRUE(directory->AddPhase(0, "lmdb", {}, phase).ok());
  RunResult run;
  run.engine = "lmdb";
  run.outcome = Outcome::kWrong;
  ASSERT_TRUE(directory->AddRun(0, run).ok());
  const StatusOr<Result> result = ReadResultDirectory(directory->path());
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->runs.size(), 1u);
  ASSERT_EQ(result->runs[0].phases.size(), 2u);
  EXPECT_EQ(result->runs[0].phases[1].outcome, Outcome::kWrong);
  EXPECT_THAT(result->runs[0].phases[1].message, HasSubstr("in two lines"));
}

TEST_F(ResultDirectoryTest, TwoRunsOfOneSecondHaveTwoDirectories) {
  std::set<std::string> paths;
  for (int i = 0; i < 5; ++i) {
    const StatusOr<ResultDirectory> directory = Create();
    ASSERT_TRUE(directory.ok()) << directory.status().message();
    paths.insert(directory->path());
  }
  EXPECT_EQ(paths.size(), 5u);
}

TEST_F(ResultDirectoryTest, ANameThatWouldLeadElsewhereIsRefusedAndNothingIsMade) {
  for (const std::string& name :
       {std::string(), std::string("../x"), std::string("a/b"), std::string(".hidden"),
        std::string("a b"), std::string("é"), std::string("a\nb"), std::string(65, 'a')}) {
    settings_.name = name;
    const StatusOr<ResultDirectory> directory = Create();
    ASSERT_FALSE(directory.ok()) << name;
    EXPECT_EQ(directory.status().kind(), ErrorKind::kUsage);
    EXPECT_THAT(directory.status().message(), HasSubstr("--name"));
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(ResultDirectoryTest, APlaceThatCannotBeMadeIsAMistakeThatNamesIt) {
  settings_.results = "/proc/levelfield";
  const StatusOr<ResultDirectory> directory = Create();
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(directory.status().message(),
              AllOf(HasSubstr("--results"), HasSubstr("/proc/levelfield")));
}

}  // namespace
}  // namespace levelfield
