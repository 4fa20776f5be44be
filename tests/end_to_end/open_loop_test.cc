// Operations that are due by a schedule of their own, on real engines. What depends on how fast and
// how quiet the machine is (whether the load generator is punctual) is left open here: the pure
// tests beside the judge have it.
#include "analysis/result_files.h"
#include "end_to_end.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

class OpenLoop : public EndToEnd {};

TEST_F(OpenLoop, far_beyond_what_an_engine_can_do_is_not_sustainable) {
  const Ending ending =
      Run({"run", "--engine=sqlite3", "--num=20000", "--rate=100M/s", "--benchmarks=readrandom"});
  EXPECT_EQ(ending.exit_code, 3) << ending.err;
  if (LEVELFIELD_SANITIZED) return;  // The load generator itself is late there, and says that.
  EXPECT_THAT(ending.out, AllOf(HasSubstr("open loop, poisson arrivals at 100,000,000/s"),
                                HasSubstr("not sustainable[1]"), HasSubstr("  achieved")));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("rate not sustainable: of 100000000 operations"));
  EXPECT_THAT(ending.out, Not(HasSubstr("p99"))) << "no percentiles";
  const Result result = ReadResult();
  const PhaseResult& load = PhaseOf(result.runs.at(0), "fillrandom");
  EXPECT_TRUE(load.implicit);
  EXPECT_FALSE(load.roles.at(0).load) << "what loads the store is not at a rate";
  const PhaseResult& phase = PhaseOf(result.runs.at(0), "readrandom");
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_EQ(phase.checked, "replayed") << "and every answer was right";
  EXPECT_EQ(phase.roles.at(0).load->verdict, kLoadNotSustainable);
  EXPECT_GT(phase.roles.at(0).OperationsPerSecond(), 0);
  const Ending again = Run({"report", ResultPath()});
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_THAT(ending.out, ::testing::StartsWith(again.out)) << "but for where the results are";
}

TEST_F(OpenLoop, records_each_operation_from_when_it_was_due) {
  for (const char* const arrival : {"poisson", "constant"}) {
    const Ending ending = Run({"run", "--engine=sqlite3,lmdb", "--num=1000", "--reads=500",
                               "--rate=20k", std::string("--arrival=") + arrival, "--threads=2",
                               "--results=" + std::string(arrival),
                               "--benchmarks=readrandom,readrandomwriterandom,overwrite"});
    // 3: the machine had other things to do than to wake the generator up.
    EXPECT_THAT(ending.exit_code, ::testing::AnyOf(0, 3)) << ending.err;
    for (const auto& entry : fs::directory_iterator(path() + "/" + arrival)) {
      const StatusOr<Result> result = ReadResultDirectory(entry.path());
      ASSERT_TRUE(result.ok()) << result.status().message();
      for (const RunResult& run : result->runs) {
        for (const char* const name : {"readrandom", "readrandomwriterandom", "overwrite"}) {
          const PhaseResult& phase = PhaseOf(run, name);
          const RoleResult& role = phase.roles.at(0);
          ASSERT_TRUE(role.load) << run.engine << name << phase.message;
          EXPECT_EQ(role.load->arrival, arrival);
          EXPECT_EQ(role.rate, 20'000u);
          const uint64_t operations = std::string(name) == "overwrite" ? 1000 : 500;
          EXPECT_EQ(role.Operations(), operations) << name;
          EXPECT_EQ(role.load->lateness_ns.Count(), operations);
          EXPECT_EQ(ResponseTimes(role).Count(), operations);
          EXPECT_GE(ResponseTimes(role).Sum(), ServiceTimes(role).Sum());
          EXPECT_THAT(phase.checked,
                      HasSubstr(std::string(name) == "readrandom" ? "replayed" : "verified"));
          // Never ahead: constant arrivals exactly, Poisson ones of so many within six deviations.
          const double least = static_cast<double>(operations) / 20'000 * (1 - 6 / 22.3);
          EXPECT_GE(role.seconds, least) << name;
        }
      }
    }
  }
}

TEST_F(OpenLoop, sweeps_from_a_tenth_of_the_capacity_to_all_of_it) {
  const Ending ending = Run({"run", "--engine=sqlite3", "--num=2000", "--rate=sweep",
                             "--duration=0.05", "--benchmarks=overwrite"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const Result result = ReadResult();
  const PhaseResult& phase = PhaseOf(result.runs.at(0), "overwrite");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_FALSE(phase.roles.at(0).load) << "the row is the closed loop";
  ASSERT_EQ(phase.load_steps.size(), 11u);
  const auto capacity = static_cast<uint64_t>(phase.roles.at(0).OperationsPerSecond());
  EXPECT_EQ(phase.load_steps.front().rate, capacity / 10);
  EXPECT_EQ(phase.load_steps.back().rate, capacity);
  for (const LoadStep& step : phase.load_steps) {
    EXPECT_GT(step.response_ns.Count(), 0u);
    EXPECT_EQ(step.response_ns.Count(), step.lateness_ns.Count());
  }
  EXPECT_THAT(ending.out, AllOf(HasSubstr("overwrite, sqlite3: load against latency"),
                                HasSubstr("closed loop, then open loops, poisson arrivals")));
}

TEST_F(OpenLoop, searches_for_the_highest_rate_that_keeps_an_objective) {
  // An hour is kept by every rate that is sustainable, and a nanosecond by none.
  const Ending none = Run({"run", "--engine=sqlite3", "--num=2000", "--slo=p50<1ns",
                           "--duration=0.02", "--benchmarks=readrandom"});
  EXPECT_THAT(none.exit_code, ::testing::AnyOf(0, 3)) << none.err;
  const Result result = ReadResult();
  const PhaseResult& phase = PhaseOf(result.runs.at(0), "readrandom");
  EXPECT_FALSE(phase.load_steps.empty());
  for (const LoadStep& step : phase.load_steps) {
    EXPECT_LE(step.rate, static_cast<uint64_t>(phase.roles.at(0).OperationsPerSecond()) / 2);
  }
  if (phase.outcome == Outcome::kOk) {
    ASSERT_TRUE(phase.slo);
    EXPECT_EQ(phase.slo->rate, 0u);
    EXPECT_THAT(none.out, HasSubstr("p50<1ns is kept at none"));
  } else {
    EXPECT_THAT(phase.message, HasSubstr("nothing can be said at"));
  }
}

TEST_F(OpenLoop, is_a_part_of_the_plan) {
  const Ending plan = Run({"plan", "--engine=memory", "--rate=50k", "--arrival=constant",
                           "--benchmarks=readwhilewriting"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("[reader] 1 thread, 1000000 operations in all; open loop, "
                                  "constant arrivals at 50000/s\n    [writer] 1 thread, until"));
  EXPECT_THAT(plan.out, HasSubstr("[writer] 1 thread, 1000000 operations in all\n"))
      << "what loads the store is not at a rate";
  EXPECT_THAT(Run({"plan", "--engine=memory", "--slo=p99<1ms", "--benchmarks=readrandom"}).out,
              HasSubstr("; then open loops, poisson arrivals, for p99<1ms"));
}

TEST_F(OpenLoop, of_nonsense_is_refused_before_anything_runs) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> mistakes = {
      {{"--rate=often"}, "--rate=often"},
      {{"--slo=p99<1ms", "--rate=20k"}, "leave one of them out"},
      {{"--slo=p100<1ms"}, "percentile above 0"},
      {{"--slo=p99<1ms,p50<1us"}, "one objective at a time"},
      {{"--rate=1k", "--benchmarks=compact"}, "compact"},
      {{"--rate=sweep", "--benchmarks=fillrandom"}, "leave it out of --benchmarks"},
      {{"--rate=1k", "--histogram=0"}, "--histogram=0"}};
  for (const auto& [words, says] : mistakes) {
    std::vector<std::string> all = {"run", "--engine=memory", "--num=100"};
    if (words.back().find("--benchmarks") != 0) all.push_back("--benchmarks=readrandom");
    all.insert(all.end(), words.begin(), words.end());
    const Ending ending = Run(all);
    EXPECT_EQ(ending.exit_code, 2) << ::testing::PrintToString(all) << ending.err;
    EXPECT_THAT(ending.err, HasSubstr(says));
  }
  EXPECT_THAT(Listing(), IsEmpty());
}

// 20 us of service, and one stall of 100 ms each second: a closed loop has one bad operation in
// thousands; with arrivals on a schedule all those that were due meanwhile waited.
TEST_F(OpenLoop, AStallIsInTheResponseTimesOfAllThatWereDueMeanwhile) {
  const Ending ending =
      Run({"run", "--engine=stub", "--stub.service_us=20", "--stub.stall_every_ms=1000",
           "--stub.stall_ms=100", "--num=1000", "--benchmarks=readrandom", "--rate=10k",
           "--duration=2.2", "--price=0"});
  const PhaseResult phase = PhaseOf(ReadResult().runs.front(), "readrandom");
  ASSERT_FALSE(phase.roles.empty()) << ending.out << ending.err;
  const LaneResult& lane = phase.roles[0].lanes[0];
  ASSERT_TRUE(lane.latency_ns && lane.response_ns);
  // Nothing is asked of the verdict: a busy machine makes it invalid.
  EXPECT_LT(lane.latency_ns->Percentile(0.99).value(), 5'000'000u);
  EXPECT_GT(lane.response_ns->Percentile(0.99).value(), 50'000'000u);
}

}  // namespace
}  // namespace levelfield
