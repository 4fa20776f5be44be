#include "verbs/read_result.h"

#include "base/files_for_test.h"
#include "base/status_for_test.h"
#include "result/result_json.h"
#include "result/rounds_for_test.h"

namespace levelfield::read_result_test {

using Json = nlohmann::ordered_json;

// A result of one run, whose only phase and itself say that all is well.
std::string Lay(const TemporaryDirectory& directory, double clock_drift_ppm) {
  Write(directory / "manifest.json",
        Json({{"schema", kResultFormat},
              {"name", "run"},
              {"started", "now"},
              {"command", "levelfield run"},
              {"version", "0"},
              {"settings", Json::object()},
              {"fingerprint", "0123456789abcdef"},
              {"workloads", Json::object()},
              {"planned", {{"rounds", 1}, {"most_rounds", 1}, {"runs", 1}}}})
                .dump() +
            "\n");
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

TEST(ReadResult, WhatIsSoundCounts) {
  const TemporaryDirectory directory;
  const Result result = Must(ReadResultDirectory(Lay(directory, 49)));
  EXPECT_EQ(result.runs.at(0).outcome, Outcome::kOk);
  EXPECT_EQ(result.runs[0].phases.at(0).outcome, Outcome::kOk);
}

}  // namespace levelfield::read_result_test
