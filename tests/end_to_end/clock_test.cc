// What is measured with the time-stamp counter, and what becomes of it where the counter cannot be
// trusted any more.
#include "end_to_end.h"

namespace levelfield {
namespace {

class TheClock : public EndToEnd {
 protected:
  RunResult RunOn(const std::string& clock, const std::vector<std::string>& further) {
    std::vector<std::string> words = {"run", "--price=0", "--num=1000", "--benchmarks=readrandom",
                                      "--clock=" + clock};
    words.insert(words.end(), further.begin(), further.end());
    fs::remove_all(path() + "/results");
    ending_ = Run(words);
    return ReadResult().runs.front();
  }
  Ending ending_;
};

TEST_F(TheClock, ThatRanAwayVoidsTheWorkloadThatItWasIn) {
  options_.environment["LD_PRELOAD"] = LEVELFIELD_LEAPING_CLOCK;
  const std::vector<std::string> words = {"--engine=memory", "--duration=1.5"};
  const RunResult run = RunOn("tsc", words);
  if (!run.clock.starts_with("tsc")) GTEST_SKIP() << "no counter to trust here: " << run.clock;
  const PhaseResult& phase = PhaseOf(run, "readrandom");
  EXPECT_EQ(phase.outcome, Outcome::kInvalid) << phase.message << ending_.err;
  EXPECT_THAT(phase.message, HasSubstr("ran away from CLOCK_MONOTONIC"));
  EXPECT_GT(std::abs(phase.clock_drift_ppm), 50);
  EXPECT_EQ(ending_.exit_code, 3);
  // Who measures by one clock alone has none to hold against it.
  EXPECT_EQ(PhaseOf(RunOn("monotonic", words), "readrandom").outcome, Outcome::kOk);
  options_.environment.erase("LD_PRELOAD");
  EXPECT_EQ(PhaseOf(RunOn("tsc", words), "readrandom").outcome, Outcome::kOk) << ending_.out;
}

// The least of many calls is free of what a busy machine adds.
TEST_F(TheClock, TellsTheSameOfACallWhicheverItIs) {
  const auto least = [&](const std::string& clock) {
    const RunResult run = RunOn(clock, {"--engine=stub", "--stub.service_us=200", "--reads=500"});
    return PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).latency_ns->Min();
  };
  const uint64_t by_counter = least("tsc");
  const uint64_t by_kernel = least("monotonic");
  EXPECT_NEAR(static_cast<double>(by_counter), static_cast<double>(by_kernel), 4'000);
  EXPECT_GE(by_counter, 199'900u);
}

// What the harness and the stub's own reading of a clock add to the least of many calls, on a
// machine that is busy with other work.
TEST_F(TheClock, AddsLittleToACallOfAMicrosecond) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "a sanitizer adds more";
  const RunResult run = RunOn("tsc", {"--engine=stub", "--stub.service_us=1", "--reads=100k"});
  const SparseHistogram& latency = *PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).latency_ns;
  EXPECT_GE(latency.Min(), 990u);
  EXPECT_LE(latency.Min(), 1'250u);
}

}  // namespace
}  // namespace levelfield
