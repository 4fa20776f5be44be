#include "driver/result_directory.h"

#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/environment.h"
#include "result/result_files.h"

namespace levelfield::result_directory_test {

namespace fs = std::filesystem;

class ResultDirectoryTest : public ::testing::Test {
 protected:
  ResultDirectoryTest() { settings_.results = root_ + "/results"; }

  StatusOr<ResultDirectory> Create() {
    return ResultDirectory::Create(settings_, "levelfield run", {}, nlohmann::ordered_json::array(),
                                   "", 1);
  }

  const TemporaryDirectory temporary_;
  const std::string root_ = temporary_.path();
  Settings settings_;
};

TEST_F(ResultDirectoryTest, IsReadableBeforeAnythingRan) {
  settings_.name = "one";
  settings_.num = 12345;
  const ResultDirectory directory = Must(Create());
  EXPECT_THAT(directory.path(), AllOf(HasSubstr(root_ + "/results/"), HasSubstr("-one")));
  const Result result = Must(ReadResultFiles(directory.path()));
  EXPECT_EQ(result.name, "one");
  EXPECT_EQ(result.command, "levelfield run");
  EXPECT_THAT(result.settings, Contains(std::pair<std::string, std::string>("num", "12345")));
  EXPECT_EQ(result.settings.size(), Flags().size());
}

TEST_F(ResultDirectoryTest, SaysOfWhichMachineItIs) {
  const ResultDirectory directory = Must(Create());
  const auto manifest = nlohmann::ordered_json::parse(Read(directory.path() + "/manifest.json"));
  const std::string fingerprint = Fingerprint(manifest["environment"]);
  EXPECT_EQ(manifest["fingerprint"], fingerprint);
  EXPECT_EQ(ReadResultFiles(directory.path())->fingerprint, fingerprint);
  EXPECT_EQ(ReadResultFiles(directory.path())->conditions,
            LastingConditions(manifest["environment"]));
}

TEST_F(ResultDirectoryTest, GivesBackEveryPhaseAndRunAsItWasAdded) {
  ResultDirectory directory = Must(Create());
  RunResult of;
  of.engine = "lmdb";
  PhaseResult phase;
  phase.workload = "fillseq";
  phase.outcome = Outcome::kOk;
  ASSERT_TRUE(directory.AddPhase(0, of, phase).ok());
  phase.message = "broken \xff text\nin two lines";
  phase.outcome = Outcome::kWrong;
  ASSERT_TRUE(directory.AddPhase(0, of, phase).ok());
  RunResult run;
  run.engine = "lmdb";
  run.outcome = Outcome::kWrong;
  ASSERT_TRUE(directory.AddRun(0, run).ok());
  const Result result = Must(ReadResultFiles(directory.path()));
  ASSERT_EQ(result.runs.size(), 1u);
  ASSERT_EQ(result.runs[0].phases.size(), 2u);
  EXPECT_EQ(result.runs[0].phases[1].outcome, Outcome::kWrong);
  EXPECT_THAT(result.runs[0].phases[1].message, HasSubstr("in two lines"));
}

class Details : public ResultDirectoryTest {
 protected:
  // Two phases, of 3 and of 5 operations.
  Details() {
    StatusOr<ResultDirectory> directory = Create();
    path_ = directory->path();
    RunResult of;
    of.engine = "lmdb";
    for (const uint64_t operations : {3, 5}) {
      Histogram latencies;
      for (uint64_t i = 0; i < operations; ++i) latencies.Add(100 + i);
      PhaseResult phase;
      phase.outcome = Outcome::kOk;
      phase.roles.push_back(
          {"all",
           1,
           1,
           0,
           1,
           1,
           {{"put", kPuts, Lookup::kNone, operations, operations, 0, 0, 0, 0, latencies}}});
      phase.ticks = Ticks{.end_ms = {operations}, .operations = {{operations}}};
      phase.resources.emplace().user_seconds = static_cast<double>(operations);
      EXPECT_TRUE(directory->AddPhase(0, of, phase).ok());
    }
    EXPECT_TRUE(directory->AddRun(0, of).ok());
    EXPECT_TRUE(directory->AddEnd(Completion::End::kFinished, "").ok());
  }

  // The phases that they belong to.
  static uint64_t DetailsOf(const PhaseResult& phase) {
    const uint64_t operations = phase.roles[0].statistics[0].operations;
    EXPECT_EQ(phase.roles[0].statistics[0].latency_ns->Count(), operations);
    EXPECT_EQ(phase.resources->user_seconds, static_cast<double>(operations));
    EXPECT_EQ(phase.ticks->end_ms, std::vector<uint64_t>{operations});
    return operations;
  }
  std::string Packed() const { return Read(path_ + "/details.jsonl.gz"); }
  StatusOr<Result> ReadWith(const std::string& packed) const {
    Write(path_ + "/details.jsonl.gz", packed);
    return ReadResultFiles(path_);
  }

  std::string path_;
};

TEST_F(Details, AreInAFileOfTheirOwnAndReadWithThePhases) {
  EXPECT_THAT(Read(path_ + "/results.jsonl"),
              AllOf(Not(HasSubstr("buckets")), Not(HasSubstr("ticks")), HasSubstr("operations")));
  const Result result = Must(ReadResultFiles(path_));
  EXPECT_EQ(DetailsOf(result.runs[0].phases[0]), 3u);
  EXPECT_EQ(DetailsOf(result.runs[0].phases[1]), 5u);
  EXPECT_FALSE(result.lacks_details);
}

// Readers beside 20 threads and a writer, with numbers of a large run.
TEST_F(Details, LeaveAPhaseOfTwoRolesLessThanAKilobyte) {
  RoleResult role{.name = "reader", .threads = 20, .seconds = 123.456789012, .statistics = {}};
  role.thread_seconds = 2469.13578024;
  role.operations_per_second = 1234567.890123456;
  role.thread_operations.assign(20, 12'345'678);
  role.thread_calls = role.thread_operations;
  Histogram latencies;
  for (uint64_t i = 0; i < 10'000; ++i) latencies.Add(i * i);
  role.statistics = {{"put", kPuts, Lookup::kNone, 123'456'789, 123'456'789, 0, 12'345'678'900,
                      ~uint64_t{0}, 0, latencies, 100}};
  PhaseResult phase;
  phase.workload = "readwhilewriting";
  phase.family = "mixed";
  phase.durability = "process";
  phase.level = DurabilityLevel::kD1;
  phase.outcome = Outcome::kOk;
  phase.checked = {AnswersChecked::kInTheLoop, true};
  phase.check_detail =
      "each value was checked against its key while others wrote; reopened and "
      "read back: all entries";
  phase.roles = {role, role};
  phase.verified_entries = phase.disk_bytes = phase.peak_disk_bytes = phase.live_bytes =
      12'345'678'900;
  phase.run_seconds = phase.open_seconds = phase.close_seconds = phase.reopen_seconds = 1.23456789;
  StatusOr<ResultDirectory> directory = Create();
  RunResult of;
  of.engine = "leveldb@system";
  ASSERT_TRUE(directory->AddPhase(0, of, phase).ok());
  const std::string line = Read(directory->path() + "/results.jsonl");
  EXPECT_LE(line.size(), 1024u) << line;
  ASSERT_TRUE(directory->AddRun(0, of).ok());
  const StatusOr<Result> result = ReadResultFiles(directory->path());
  ASSERT_TRUE(result.ok()) << result.status().message();
  const PhaseResult& read = result->runs[0].phases[0];
  EXPECT_EQ(read.check_detail, phase.check_detail);
  EXPECT_EQ(read.roles[1].thread_calls, role.thread_calls);
  EXPECT_EQ(read.roles[1].statistics[0].digest, ~uint64_t{0});
}

TEST_F(Details, OfAPhaseWithoutALineAreLeftOut) {
  std::string lines = Read(path_ + "/results.jsonl");
  lines.erase(0, lines.find('\n') + 1);
  Write(path_ + "/results.jsonl", lines);
  const Result result = Must(ReadResultFiles(path_));
  ASSERT_EQ(result.runs[0].phases.size(), 1u);
  EXPECT_EQ(DetailsOf(result.runs[0].phases[0]), 5u);
}

// A phase's own line comes after its details.
TEST_F(Details, ThatAKillToreAreThoseOfAPhaseThatIsNotThere) {
  const std::string packed = Packed();
  for (size_t cut = 1; cut < packed.size() / 2; cut += 7) {
    const StatusOr<Result> result = ReadWith(packed + packed.substr(0, cut));
    ASSERT_TRUE(result.ok()) << cut << ": " << result.status().message();
    EXPECT_EQ(DetailsOf(result->runs[0].phases[1]), 5u);
  }
}

TEST_F(Details, ThatAreMissingLeaveTheRates) {
  fs::remove(path_ + "/details.jsonl.gz");
  const Result result = Must(ReadResultFiles(path_));
  EXPECT_TRUE(result.lacks_details);
  const RoleResult& role = result.runs[0].phases[1].roles[0];
  EXPECT_EQ(role.OperationsPerSecond(), 5);
  EXPECT_FALSE(role.statistics[0].latency_ns);
}

TEST_F(Details, ThatAreDamagedAreToldByTheirFileAndWhatToDo) {
  const std::string packed = Packed();
  const auto says_so = AllOf(HasSubstr(path_ + "/details.jsonl.gz"), HasSubstr("was damaged"),
                             HasSubstr("take a whole copy"));
  for (size_t at = 0; at < packed.size(); ++at) {
    if (at >= 4 && at < 10) continue;  // The time and the system, which nothing checks.
    std::string damaged = packed;
    damaged[at] ^= 4;
    const StatusOr<Result> result = ReadWith(damaged);
    if (result.ok()) {
      // The same of the second member.
      EXPECT_EQ(DetailsOf(result->runs[0].phases[1]), 5u) << at;
    } else {
      EXPECT_THAT(result.status().message(), says_so) << at;
      EXPECT_EQ(result.status().kind(), ErrorKind::kUsage);
    }
  }
  for (size_t size = 0; size < packed.size() / 2; size += 7) {
    EXPECT_THAT(ReadWith(packed.substr(0, size)).status().message(), says_so) << size;
  }
}

// Two engines, and rounds of which the second lacks one of them.
TEST_F(ResultDirectoryTest, KnowsHowFarItCameOfWhatWasPlanned) {
  settings_.repeat = 30;
  ResultDirectory directory = Must(ResultDirectory::Create(settings_, "levelfield run", {},
                                                           nlohmann::ordered_json::array(), "", 2));
  const auto completion = [&] { return ReadResultFiles(directory.path())->completion; };
  // While this one is being written, it is no result that was cut off.
  EXPECT_EQ(completion(),
            (Completion{.planned_rounds = 30,
                        .most_rounds = 30,
                        .end = Completion::End::kCutOff,
                        .message = "still running"}));
  RunResult run;
  run.outcome = Outcome::kOk;
  for (size_t number = 0; number < 3; ++number) {
    run.engine = number % 2 == 0 ? "lmdb" : "leveldb";
    run.round = number / 2 + 1;
    ASSERT_TRUE(directory.AddRun(number, run).ok());
  }
  EXPECT_EQ(completion().rounds, 1u);
  // An unfinished run has its phases and its round.
  run.engine = "leveldb";
  run.round = 2;
  PhaseResult phase;
  phase.outcome = Outcome::kOk;
  ASSERT_TRUE(directory.AddPhase(3, run, phase).ok());
  const Result cut = *ReadResultFiles(directory.path());
  EXPECT_TRUE(cut.runs[3].cut_off);
  EXPECT_EQ(cut.runs[3].round, 2u);
  EXPECT_EQ(cut.runs[3].outcome, Outcome::kInterrupted);
  EXPECT_FALSE(cut.runs[2].cut_off);
  fs::copy(directory.path(), root_ + "/killed");
  EXPECT_EQ(
      ReadResultFiles(root_ + "/killed")->completion,
      (Completion{
          .planned_rounds = 30, .most_rounds = 30, .rounds = 1, .end = Completion::End::kCutOff}));
  ASSERT_TRUE(directory.AddEnd(Completion::End::kFailed, "full").ok());
  EXPECT_EQ(completion(), (Completion{.planned_rounds = 30,
                                      .most_rounds = 30,
                                      .rounds = 1,
                                      .end = Completion::End::kFailed,
                                      .message = "full"}));
}

// In slices the runs of a round are begun together.
TEST_F(ResultDirectoryTest, IsReadWhicheverRunEndsFirst) {
  const std::vector<std::string> engines = {"lmdb", "leveldb", "sqlite3"};
  std::vector<size_t> order = {0, 1, 2};
  do {
    ResultDirectory directory = Must(ResultDirectory::Create(
        settings_, "levelfield run", {}, nlohmann::ordered_json::array(), "", engines.size()));
    for (const size_t ended : order) {
      RunResult run;
      run.engine = engines[ended];
      run.outcome = Outcome::kOk;
      PhaseResult phase;
      phase.outcome = Outcome::kOk;
      // Readable after each line, as after a kill at that moment.
      ASSERT_TRUE(directory.AddPhase(ended, run, phase).ok());
      Must(ReadResultFiles(directory.path()));
      ASSERT_TRUE(directory.AddRun(ended, run).ok());
    }
    const Result result = Must(ReadResultFiles(directory.path()));
    ASSERT_EQ(result.runs.size(), engines.size());
    for (size_t i = 0; i < engines.size(); ++i) {
      EXPECT_EQ(result.runs[i].engine, engines[i]);
      EXPECT_EQ(result.runs[i].phases.size(), 1u);
    }
    EXPECT_EQ(result.completion.rounds, 1u);
  } while (std::ranges::next_permutation(order).found);
}

TEST_F(ResultDirectoryTest, SetsRoomAsideForEachOfTheRunsUnderWay) {
  const auto room_of = [this](size_t runs) {
    ResultDirectory directory = Must(Create());
    for (size_t run = 0; run < runs; ++run) EXPECT_TRUE(directory.MakeRoom(run, 10).ok());
    struct stat status {};
    EXPECT_EQ(stat((directory.path() + "/details.jsonl.gz").c_str(), &status), 0);
    return status.st_blocks * 512;
  };
  if (room_of(1) == 0) GTEST_SKIP() << "this file system sets nothing aside";
  EXPECT_GE(room_of(1), 10 * (8 << 10));
  EXPECT_GE(room_of(7), 7 * room_of(1));
}

TEST_F(ResultDirectoryTest, TwoRunsOfOneSecondHaveTwoDirectories) {
  std::set<std::string> paths;
  for (int i = 0; i < 5; ++i) {
    const ResultDirectory directory = Must(Create());
    paths.insert(directory.path());
  }
  EXPECT_EQ(paths.size(), 5u);
}

TEST_F(ResultDirectoryTest, ANameThatWouldLeadElsewhereIsRefusedAndNothingIsMade) {
  for (const std::string& name :
       {std::string(), std::string("../x"), std::string("a/b"), std::string(".hidden"),
        std::string("a b"), std::string("é"), std::string("a\nb"), std::string(65, 'a')}) {
    settings_.name = name;
    EXPECT_THAT(UsageErrorOf(Create()), HasSubstr("--name"));
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(ResultDirectoryTest, APlaceThatCannotBeMadeIsAMistakeThatNamesIt) {
  settings_.results = "/proc/levelfield";
  EXPECT_THAT(UsageErrorOf(Create()), AllOf(HasSubstr("--results"), HasSubstr("/proc/levelfield")));
}

}  // namespace levelfield::result_directory_test
