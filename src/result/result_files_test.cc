#include "result/result_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/manifest_for_test.h"
#include "result/result_json.h"
#include "result/rounds_for_test.h"

namespace levelfield::result_files_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A result directory that a test fills by hand.
class ResultFiles : public ::testing::Test {
 protected:
  ResultFiles() {
    WriteManifest(GoodManifest().dump());
    WriteLines("");
  }

  static Json GoodManifest() { return LeastManifest(9); }
  static std::string PhaseLine(uint64_t run) {
    Json line = {
        {"type", "phase"}, {"schema", kResultFormat}, {"run", run}, {"engine", "e"}, {"round", 1}};
    line.update(ToJson(RoundOf("e", 1, 1, 0).phases[0]));
    return line.dump() + "\n";
  }
  static std::string RunLine(uint64_t run) {
    RunResult result;
    result.engine = "e";
    result.outcome = Outcome::kOk;
    Json line = {{"type", "run"}, {"schema", kResultFormat}, {"run", run}};
    line.update(ToJson(result));
    return line.dump() + "\n";
  }
  void WriteManifest(const std::string& text) { Write("manifest.json", text + "\n"); }
  void WriteLines(const std::string& text) { Write("results.jsonl", text); }
  void Write(const std::string& name, const std::string& text) {
    levelfield::Write(directory_ + "/" + name, text);
  }
  StatusOr<Result> Read() const { return ReadResultFiles(directory_); }
  std::string Refusal() const { return ErrorOf(Read()); }

  const TemporaryDirectory temporary_;
  const std::string directory_ = temporary_.path();
};

TEST_F(ResultFiles, ARunIsPutTogetherFromItsLines) {
  WriteLines(PhaseLine(0) + PhaseLine(0) + RunLine(0) + PhaseLine(1));
  const Result result = Must(Read());
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_EQ(result.runs[0].outcome, Outcome::kOk);
  EXPECT_EQ(result.runs[0].phases.size(), 2u);
  EXPECT_EQ(result.runs[1].outcome, Outcome::kInterrupted);  // Its own line never came.
  EXPECT_THAT(result.runs[1].message, HasSubstr("cut off"));
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(ResultFiles, ARunMayBeTheFirstOfItsRoundThatEnds) {
  Json manifest = GoodManifest();
  manifest["planned"] = {{"rounds", 2}, {"most_rounds", 3}, {"runs", 7}};
  WriteManifest(manifest.dump());
  WriteLines(PhaseLine(6) + RunLine(6) + PhaseLine(4));
  const Result result = Must(Read());
  ASSERT_EQ(result.runs.size(), 2u) << "of those that had no line nothing is known";
  EXPECT_TRUE(result.runs[0].cut_off);
  EXPECT_EQ(result.runs[1].outcome, Outcome::kOk);
  WriteLines(RunLine(20));
  EXPECT_EQ(Must(Read()).runs.size(), 1u);
  for (const uint64_t number : {uint64_t{21}, uint64_t{4'000'000'000}, ~uint64_t{0}}) {
    WriteLines(RunLine(number));
    EXPECT_THAT(Refusal(), HasSubstr("never begun")) << number;
  }
  // Rounds beyond all bounds cost no memory.
  manifest["planned"] = {{"rounds", 1}, {"most_rounds", ~uint64_t{0}}, {"runs", ~uint64_t{0}}};
  WriteManifest(manifest.dump());
  WriteLines(RunLine(~uint64_t{0} - 1));
  EXPECT_EQ(Must(Read()).runs.size(), 1u);
}

TEST_F(ResultFiles, ATornLastLineIsAWarningAndTheOthersAreThere) {
  const std::string whole = PhaseLine(0);
  for (const size_t cut : {size_t{1}, whole.size() / 2, whole.size() - 1}) {
    WriteLines(PhaseLine(0) + RunLine(0) + whole.substr(0, cut));
    const Result result = Must(Read());
    EXPECT_EQ(result.runs[0].phases.size(), 1u);
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_THAT(result.warnings[0], HasSubstr("torn"));
    EXPECT_EQ(result.warnings[0].find(directory_), std::string::npos);
  }
}

TEST_F(ResultFiles, ALineThatDoesNotReadIsNamedByItsNumber) {
  WriteLines(PhaseLine(0) + "{\"type\": \"phase\"\n" + RunLine(0));
  EXPECT_THAT(Refusal(), HasSubstr("results.jsonl, line 2"));
  WriteLines(PhaseLine(0) + "[]\n");
  EXPECT_THAT(Refusal(), HasSubstr("line 2"));
  WriteLines("\n");
  EXPECT_THAT(Refusal(), HasSubstr("line 1"));
}

TEST_F(ResultFiles, NumbersBeyondAllBoundsAreRefused) {
  for (const char* const number : {"1e999", "-1", "18446744073709551616", "1.5", "1e3"}) {
    std::string line = PhaseLine(0);
    const std::string member = "\"disk_bytes\":0";
    line.replace(line.find(member), member.size(), "\"disk_bytes\":" + std::string(number));
    WriteLines(line);
    EXPECT_THAT(Refusal(), HasSubstr("line 1")) << number;
  }
  WriteLines(PhaseLine(4'000'000'000));  // Not a vector of so many runs.
  EXPECT_THAT(Refusal(), HasSubstr("never begun"));
  WriteLines(PhaseLine(~uint64_t{0}));
  EXPECT_THAT(Refusal(), HasSubstr("never begun"));
}

TEST_F(ResultFiles, NestingBeyondReasonIsRefusedAndCostsNoStack) {
  WriteManifest(std::string(5'000'000, '['));
  EXPECT_THAT(Refusal(), HasSubstr("manifest.json"));
  WriteManifest(GoodManifest().dump());
  WriteLines("{\"a\":" + std::string(2'000'000, '[') + std::string(2'000'000, ']') + "}\n");
  EXPECT_THAT(Refusal(), HasSubstr("nested"));
}

TEST_F(ResultFiles, FilesTooLargeForAnyResultAreRefusedUnread) {
  ASSERT_EQ(truncate((directory_ + "/results.jsonl").c_str(), 300 << 20), 0);
  EXPECT_THAT(Refusal(), HasSubstr("results.jsonl"));
  ASSERT_EQ(truncate((directory_ + "/manifest.json").c_str(), 17 << 20), 0);
  EXPECT_THAT(Refusal(), HasSubstr("manifest.json"));
}

TEST_F(ResultFiles, AnotherFormatIsRefusedByItsNumberAndUnknownMembersAreSkipped) {
  Json manifest = GoodManifest();
  manifest["schema"] = kResultFormat + 1;
  WriteManifest(manifest.dump());
  EXPECT_THAT(Refusal(),
              AllOf(HasSubstr("its format of results is 2"), HasSubstr("reads 1 alone")));
  manifest.erase("schema");
  WriteManifest(manifest.dump());
  EXPECT_THAT(Refusal(), HasSubstr("schema"));
  manifest["schema"] = kResultFormat;
  manifest["sky"] = "blue";
  WriteManifest(manifest.dump());
  WriteLines(R"({"type": "weather", "schema": 1, "sky": "blue"})"
             "\n");
  EXPECT_TRUE(Must(Read()).runs.empty());
  std::string line = PhaseLine(0);
  line.replace(line.find("\"schema\":1"), 10, "\"schema\":2");
  WriteLines(line);
  EXPECT_THAT(Refusal(), HasSubstr("line 1"));
}

TEST_F(ResultFiles, WhatIsNoResultDirectoryIsAMistakeOfTheOneWhoAsks) {
  EXPECT_THAT(UsageErrorOf(ReadResultFiles(directory_ + "/nothing")),
              HasSubstr("there is no such result directory"));
  fs::create_directory(directory_ + "/empty");
  EXPECT_THAT(UsageErrorOf(ReadResultFiles(directory_ + "/empty")), HasSubstr("manifest.json"));
  fs::remove(directory_ + "/manifest.json");
  fs::create_directory(directory_ + "/manifest.json");
  EXPECT_THAT(Refusal(), HasSubstr("not a regular file"));
  fs::remove(directory_ + "/manifest.json");
  ASSERT_EQ(mkfifo((directory_ + "/manifest.json").c_str(), 0600), 0);
  EXPECT_THAT(Refusal(), HasSubstr("not a regular file"));  // And does not wait for a writer.
}

TEST_F(ResultFiles, AKillBeforeTheFirstLineLeavesAResultThatReads) {
  fs::remove(directory_ + "/results.jsonl");
  EXPECT_THAT(Must(Read()).warnings, SizeIs(1));
}

class IntervalsFileTest : public ::testing::Test {
 protected:
  Status Read(const std::string& text) {
    Write(directory_ / "intervals.jsonl", text);
    count_ = 0;
    return ForEachInterval(directory_.path(), &torn_, [&](const StoredInterval&) { ++count_; });
  }
  static std::string Line(Json more = Json::object()) {
    Json line = {{"type", "interval"},   {"schema", 1u}, {"run", 0u},
                 {"engine", "memory"},   {"round", 1u},  {"phase", 0},
                 {"workload", "fillseq"}};
    line.update(ToJson(PhaseInterval{.begin_ms = 1000, .end_ms = 2001, .roles = {}}));
    line.update(more);
    return line.dump() + "\n";
  }

  TemporaryDirectory directory_;
  size_t count_ = 0;
  bool torn_ = false;
};

TEST_F(IntervalsFileTest, NeedNotBeThere) {
  EXPECT_TRUE(ForEachInterval(directory_.path(), &torn_, [](const StoredInterval&) {}).ok());
}

TEST_F(IntervalsFileTest, IsReadLineByLineAndWithoutATornOne) {
  EXPECT_TRUE(Read(Line() + Line({{"type", "weather"}}) + Line()).ok());
  EXPECT_EQ(count_, 2u);
  EXPECT_FALSE(torn_);
  EXPECT_TRUE(Read(Line() + Line().substr(0, 40)).ok());
  EXPECT_EQ(count_, 1u);
  EXPECT_TRUE(torn_);
}

TEST_F(IntervalsFileTest, SaysWhichLineIsBroken) {
  EXPECT_THAT(Read(Line() + "{}\n").message(), HasSubstr("line 2 has no \"schema\""));
  EXPECT_THAT(Read(Line() + "nonsense\n").message(), HasSubstr("line 2"));
  EXPECT_THAT(Read(Line({{"schema", 2u}})).message(), HasSubstr("format of results is 2"));
  EXPECT_THAT(Read(Line({{"workload", 2}})).message(),
              HasSubstr("has a \"workload\" of another type"));
  EXPECT_THAT(Read(Line({{"roles", 2}})).message(), HasSubstr("\"roles\""));
}

}  // namespace levelfield::result_files_test
