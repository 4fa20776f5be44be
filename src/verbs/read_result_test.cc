#include "verbs/read_result.h"

#include "base/files_for_test.h"
#include "base/status_for_test.h"
#include "result/manifest_for_test.h"
#include "result/result_json.h"
#include "result/rounds_for_test.h"

namespace levelfield::read_result_test {

using Json = nlohmann::ordered_json;

Json Manifest(uint64_t started_ns) {
  Json manifest = LeastManifest(1);
  manifest["started_ns"] = started_ns;
  return manifest;
}

// A result of one run, whose only phase and itself say that all is well.
std::string Lay(const TemporaryDirectory& directory, double clock_drift_ppm) {
  Write(directory / "manifest.json", Manifest(7).dump() + "\n");
  RunResult run = RoundOf("e", 1, 1, 0);
  run.outcome = Outcome::kOk;
  run.phases[0].outcome = Outcome::kOk;
  run.phases[0].clock_drift_ppm = clock_drift_ppm;
  Json phase = {
      {"type", "phase"}, {"schema", kResultFormat}, {"run", 0}, {"engine", "e"}, {"round", 1}};
  phase.update(ToJson(run.phases[0]));
  Json line = {{"type", "run"}, {"schema", kResultFormat}, {"run", 0}};
  line.update(ToJson(run));
  Write(directory / "results.jsonl", phase.dump() + "\n" + line.dump() + "\n");
  return directory.path();
}

TEST(ReadResult, WhatIsUnsoundIsVoidWhoeverWroteIt) {
  const TemporaryDirectory directory;
  const Result result = Must(ReadResultDirectory(Lay(directory, 51)));
  EXPECT_EQ(result.runs.at(0).outcome, Outcome::kInvalid);
  EXPECT_EQ(result.runs[0].phases.at(0).outcome, Outcome::kInvalid);
}

// By their names, "b" would be the later one.
TEST(ResultsIn, HasThoseOfOneSecondInTheOrderInWhichTheyBegan) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, uint64_t>> results = {{"20260131-120000-z", 5},
                                                                 {"20260131-120001-b", 11},
                                                                 {"20260131-120001-a-10", 13},
                                                                 {"20260131-120001-a-2", 12},
                                                                 {"20260131-120002-a", 3}};
  std::vector<std::string> names;
  for (const auto& [name, started_ns] : results) {
    std::filesystem::create_directory(directory / name);
    Write(directory / (name + "/manifest.json"), Manifest(started_ns).dump() + "\n");
    names.push_back(name);
  }
  std::swap(names[2], names[3]);
  std::vector<std::string> found;
  for (const std::string& path : ResultsIn(directory.path())) {
    found.push_back(std::filesystem::path(path).filename().string());
  }
  EXPECT_EQ(found, names);
}

// Nothing says which one began first.
TEST(ResultsIn, HasThoseOfOneSecondByTheirNamesWhereNothingElseIsKnown) {
  const TemporaryDirectory directory;
  for (const std::string name : {"20260131-120001-b", "20260131-120001-a"}) {
    std::filesystem::create_directory(directory / name);
    Write(directory / (name + "/manifest.json"), "{");
  }
  const std::vector<std::string> found = ResultsIn(directory.path());
  EXPECT_EQ(found, (std::vector<std::string>{directory / "20260131-120001-a",
                                             directory / "20260131-120001-b"}));
}

TEST(ReadResult, WhatIsSoundCounts) {
  const TemporaryDirectory directory;
  const Result result = Must(ReadResultDirectory(Lay(directory, 49)));
  EXPECT_EQ(result.runs.at(0).outcome, Outcome::kOk);
  EXPECT_EQ(result.runs[0].phases.at(0).outcome, Outcome::kOk);
}

}  // namespace levelfield::read_result_test
