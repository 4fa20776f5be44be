// One ratio had in two ways: two builds of an engine alone, one after the other, and in turns of 10
// ms. Time is virtual: threads, stalls, cold caches and other programs are simulated, and what the
// loop and its gate would record of them goes through the comparison. So no clock is read, and
// whatever the two ways disagree about is the method's own.
#include <algorithm>
#include <array>

#include "analysis/comparison.h"
#include "base/matchers_for_test.h"
#include "base/random.h"
#include "result/rounds_for_test.h"

namespace levelfield::two_ways_test {

constexpr double kMs = 1e6;

struct Engine {
  double service_ns = 10'000;   // The mean of an operation.
  double spread = 0.5;          // Of the lengths of operations, as a share.
  uint64_t stall_every = 0;     // Operations of a thread. 0: it never stalls.
  double stall_ns = 0;
  bool stall_sleeps = false;
  double cold_ns = 0;           // Lost in each turn, because the caches are another's.
  double background = 0;        // The share of its processors' time that its own threads take.
  size_t threads = 1;
};

// The share of its time in which a thread is ready and another program runs.
struct Machine {
  double taken = 0;
};

// One thread's life, in its own time without what it waits at the gate.
class Thread {
 public:
  Thread(const Engine& engine, const Machine& machine, uint64_t seed)
      : engine_(engine), machine_(machine), random_(seed) {}

  // Runs operations for `ns`, and finishes the one that is under way.
  void RunFor(double ns, double cold_ns) {
    double now = Spend(cold_ns, true);
    while (now < ns) {
      const double length = 1 + engine_.spread * (2 * Uniform() - 1);
      now += Spend(engine_.service_ns * length / (1 - engine_.background), true);
      ++operations;
      if (engine_.stall_every == 0 || operations % engine_.stall_every != 0) continue;
      now += Spend(engine_.stall_ns, !engine_.stall_sleeps);
    }
    active_ns += now;
  }

  uint64_t operations = 0;
  double active_ns = 0;
  double queued_ns = 0;

 private:
  // Returns how long so much work takes: a thread that is ready may have to wait.
  double Spend(double ns, bool is_ready) {
    const double waits = is_ready ? ns * machine_.taken / (1 - machine_.taken) : 0;
    queued_ns += waits;
    return ns + waits;
  }
  double Uniform() { return static_cast<double>(random_.Next() >> 11) * 0x1p-53; }

  Engine engine_;
  Machine machine_;
  Random random_;
};

// A round of four seconds, in turns of so many ns. 0: in one piece.
RunResult RoundOf(const std::string& name, const Engine& engine, const Machine& machine,
                  uint64_t round, double turn_ns) {
  constexpr double kRoundNs = 4000 * kMs;
  const double piece_ns = turn_ns == 0 ? kRoundNs : turn_ns;
  std::vector<Thread> threads;
  for (size_t i = 0; i < engine.threads; ++i) {
    threads.emplace_back(engine, machine, DeriveSeed(round, name, "thread", i));
  }
  Slices slices;
  slices.seconds = piece_ns * 1e-9;
  std::array<uint64_t, 4> before = {};  // What all slices so far have.
  double done_ns = 0;
  for (uint64_t number = 0; done_ns < kRoundNs; ++number, done_ns += piece_ns) {
    std::array<uint64_t, 4> sums = {};
    for (Thread& thread : threads) {
      thread.RunFor(piece_ns, engine.cold_ns);
      sums[0] += thread.operations;
      sums[1] += static_cast<uint64_t>(thread.active_ns);
      sums[3] += static_cast<uint64_t>(thread.queued_ns);
    }
    slices.Add(number, {sums[0] - before[0], sums[1] - before[1], 0, sums[3] - before[3]});
    before = sums;
  }
  uint64_t operations = 0;
  double longest_ns = 0;
  double sum_ns = 0;
  for (const Thread& thread : threads) {
    operations += thread.operations;
    longest_ns = std::max(longest_ns, thread.active_ns);
    sum_ns += thread.active_ns;
  }
  RunResult run = levelfield::RoundOf(name, round, operations);
  RoleResult& role = run.phases[0].roles[0];
  role.threads = engine.threads;
  role.seconds = longest_ns * 1e-9;
  role.thread_seconds = sum_ns * 1e-9;
  if (turn_ns != 0) run.phases[0].slices = std::move(slices);
  return run;
}

double RatioOf(const Engine& one, const Engine& other, const Machine& machine, double turn_ns) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf("a", one, machine, round, turn_ns));
    result.runs.push_back(RoundOf("b", other, machine, round, turn_ns));
  }
  const StatusOr<std::vector<Comparison>> compared = CompareWithin(result, "a", {});
  EXPECT_TRUE(compared.ok());
  const ComparedWorkload& row = compared->at(0).workloads.at(0);
  EXPECT_EQ(row.in_slices, turn_ns != 0);
  EXPECT_NEAR(row.ratio.ratio, row.candidate / row.baseline, 1e-9);
  return row.ratio.ratio;
}

// In turns and alone, on a quiet machine and beside another program.
void ExpectBothWays(const Engine& one, const Engine& other) {
  const double alone = RatioOf(one, other, {}, 0);
  EXPECT_NEAR(RatioOf(one, other, {}, 10 * kMs) / alone, 1, 0.005);
  EXPECT_NEAR(RatioOf(one, other, {.taken = 0.05}, 10 * kMs) / alone, 1, 0.005) << "beside a hog";
}

TEST(TwoWays, AgreeAboutACallThatTakesThreePerCentLonger) {
  ExpectBothWays({}, {.service_ns = 10'300});
}

TEST(TwoWays, AgreeAboutOperationsAsLongAsATurn) {
  ExpectBothWays({.service_ns = 4 * kMs}, {.service_ns = 6 * kMs});
}

TEST(TwoWays, AgreeWhereEachTurnBeginsWithColdCaches) {
  ExpectBothWays({.cold_ns = 1 * kMs}, {.service_ns = 13'000, .cold_ns = 1 * kMs});
}

TEST(TwoWays, AgreeAboutStallsThatSpin) {
  ExpectBothWays({.service_ns = 10'500}, {.stall_every = 4'300, .stall_ns = 14 * kMs});
}

TEST(TwoWays, AgreeAboutStallsThatSleep) {
  ExpectBothWays({.service_ns = 10'500},
                 {.stall_every = 4'300, .stall_ns = 14 * kMs, .stall_sleeps = true});
}

TEST(TwoWays, AgreeAboutBackgroundThreadsThatTakeProcessors) {
  ExpectBothWays({.background = 0.3}, {.service_ns = 11'000, .background = 0.1});
}

TEST(TwoWays, AgreeAboutOneThreadAndMany) {
  for (const size_t threads : {2U, 4U, 8U}) {
    ExpectBothWays({}, {.service_ns = 11'000, .threads = threads});
  }
}

// The simulation itself: what is known without it.
TEST(TwoWays, HaveTheRatioThatTheEnginesWereMadeWith) {
  EXPECT_NEAR(RatioOf({}, {.service_ns = 10'300}, {}, 0), 1 / 1.03, 0.001);
  EXPECT_NEAR(RatioOf({}, {.threads = 4}, {}, 10 * kMs), 4, 0.01);
  // 14 ms in 4,300 operations of 10 us.
  EXPECT_NEAR(RatioOf({}, {.stall_every = 4'300, .stall_ns = 14 * kMs}, {}, 10 * kMs),
              43.0 / (43 + 14), 0.005);
}

}  // namespace levelfield::two_ways_test
