#include "report/history_report.h"

#include <fmt/format.h>

#include <random>

#include "base/matchers_for_test.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::history_report_test {

const std::map<std::string, std::string> kDefaults = {{"num", "1000"}, {"threads", "1"}};

// A result of one engine, that many days after the first.
Result ResultOf(int day, uint64_t gets, const std::string& engine = "a",
                const std::string& version = "1.0") {
  Result result;
  result.started = fmt::format("2026-01-{:02}T00:00:00Z", day);
  result.fingerprint = "machine";
  result.git = "abc";
  result.settings = {{"num", "1000"}, {"name", fmt::format("day{}", day)}};
  result.conditions = {{"block_model", "disk"}};
  result.workload_texts = {{"readrandom", "summary = reads\nop = get\n"}};
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf(engine, round, gets + round % 3));
    result.runs.back().version = version;
  }
  return result;
}

std::vector<History> Histories(const std::vector<Result>& results) {
  std::vector<Measured> measured;
  for (const Result& result : results) {
    for (const Measured& one : MeasuredIn(result, kDefaults)) measured.push_back(one);
  }
  return HistoriesOf(measured, {});
}

TEST(Histories, AreInTheOrderInWhichResultsBeganWithTheirChanges) {
  std::vector<Result> results;
  for (int day = 20; day >= 1; --day) {  // As a directory may list them.
    results.push_back(ResultOf(day, day < 15 ? 1'000'000 : 900'000, "a", day < 15 ? "1" : "2"));
  }
  const std::vector<History> histories = Histories(results);
  ASSERT_THAT(histories, SizeIs(1));
  const History& history = histories.front();
  EXPECT_EQ(history.key.engine, "a");
  EXPECT_EQ(history.key.workload, "readrandom");
  ASSERT_THAT(history.points, SizeIs(20));
  EXPECT_EQ(history.points.front().started, "2026-01-01T00:00:00Z");
  EXPECT_EQ(history.points.front().rounds, 6);
  EXPECT_NEAR(history.points.front().rate, 1'000'001, 1);
  EXPECT_NEAR(history.points.front().interval->low, 1'000'000, 1);
  EXPECT_EQ(history.points.back().version, "2");
  ASSERT_THAT(history.changes, SizeIs(1));
  EXPECT_EQ(history.changes[0].index, 14);
  EXPECT_NEAR(history.changes[0].size, -0.1, 1e-3);
  EXPECT_TRUE(IsSlowerOfLate(history));
}

// Nights of a test that takes less than a second, whose directories sort by their names.
TEST(Histories, HaveResultsOfOneSecondInTheOrderInWhichTheyBegan) {
  std::vector<Result> results;
  for (const uint64_t started_ns : {3, 1, 2}) {
    results.push_back(ResultOf(1, 1'000'000 + 1000 * started_ns));
    results.back().started_ns = started_ns;
  }
  const std::vector<History> histories = Histories(results);
  ASSERT_THAT(histories, SizeIs(1));
  std::vector<uint64_t> order;
  for (const HistoryPoint& point : histories[0].points) order.push_back(point.started_ns);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  EXPECT_LT(histories[0].points[0].rate, histories[0].points[1].rate);
}

TEST(Histories, AreNeverOfTwoMachines) {
  Result other = ResultOf(2, 500'000);
  other.fingerprint = "another";
  EXPECT_THAT(Histories({ResultOf(1, 1'000'000), other}), SizeIs(2));
}

TEST(Histories, AreOfTheSameSettingsThatMatterDiskWorkloadAndWorkloadsBefore) {
  const Result one = ResultOf(1, 1'000'000);
  const auto apart = [&](const Result& other) { return Histories({one, other}).size() == 2; };
  Result other = ResultOf(2, 1'000'000);
  EXPECT_FALSE(apart(other)) << "--name differs, which is of no matter";
  other.settings[0].second = "2000";
  EXPECT_TRUE(apart(other)) << "--num";

  other = ResultOf(2, 1'000'000);
  other.settings.emplace_back("threads", "1");
  EXPECT_FALSE(apart(other)) << "a flag that was not there yet, at its default";
  other.settings.back().second = "2";
  EXPECT_TRUE(apart(other)) << "the same flag, at another value";

  other = ResultOf(2, 1'000'000);
  other.conditions = {{"block_model", "another disk"}};
  EXPECT_TRUE(apart(other));

  other = ResultOf(2, 1'000'000);
  for (RunResult& run : other.runs) run.settings = {{"cache_size", "1M"}};
  EXPECT_TRUE(apart(other)) << "an option of the engine";

  other = ResultOf(2, 1'000'000);
  other.workload_texts = {{"readrandom", "summary = other words\n# comment\nop = get\n"}};
  EXPECT_FALSE(apart(other));
  other.workload_texts = {{"readrandom", "summary = reads\nop = seek\n"}};
  EXPECT_TRUE(apart(other));

  other = ResultOf(2, 1'000'000);
  for (RunResult& run : other.runs) {
    run.phases.push_back(run.phases.front());
    run.phases.front().workload = "compact";
  }
  const std::vector<History> histories = Histories({one, other});
  EXPECT_THAT(histories, SizeIs(3)) << "readrandom alone, compact, and readrandom behind it";
}

TEST(Histories, OfVersionsThatRanSideBySideAreApartAndThoseOneAfterTheOtherAreOne) {
  const std::vector<History> one =
      Histories({ResultOf(1, 1000, "a@9", "9"), ResultOf(2, 1000, "a@10", "10")});
  ASSERT_THAT(one, SizeIs(1));
  EXPECT_EQ(one[0].key.engine, "a");

  Result both = ResultOf(3, 1000, "a@9", "9");
  for (const RunResult& run : ResultOf(3, 1000, "a@10", "10").runs) both.runs.push_back(run);
  const std::vector<History> three =
      Histories({ResultOf(1, 1000, "a@9", "9"), ResultOf(2, 1000, "a@10", "10"), both, both});
  ASSERT_THAT(three, SizeIs(3));
  for (const History& history : three) EXPECT_THAT(history.points, SizeIs(2));
  EXPECT_EQ(three[0].key.engine, "a");
  EXPECT_EQ(three[1].key.engine, "a@10");
  EXPECT_EQ(three[2].key.engine, "a@9");
}

TEST(Histories, OfSlicesBesideOthersAreApart) {
  const Result alone = ResultOf(1, 1'000'000);
  Result beside = ResultOf(2, 900'000);
  RunResult other = beside.runs.front();
  other.engine = "other";
  beside.runs.push_back(other);
  for (RunResult& run : beside.runs) run.phases.front().slices.emplace();
  EXPECT_THAT(Histories({alone, beside}), SizeIs(3));
}

TEST(Histories, TakeAnEngineThatRanAgainstItselfOnce) {
  Result noise = ResultOf(1, 1000);
  for (const RunResult& run : ResultOf(1, 1000).runs) noise.runs.push_back(run);
  std::ranges::stable_sort(noise.runs, {}, &RunResult::round);
  const std::vector<History> histories = Histories({noise});
  ASSERT_THAT(histories, SizeIs(1));
  ASSERT_THAT(histories[0].points, SizeIs(1));
  EXPECT_EQ(histories[0].points[0].rounds, 6);
}

TEST(Histories, SayOfAFailureThatThereIsNoRateAndFindChangesAroundIt) {
  std::vector<Result> results;
  for (int day = 1; day <= 20; ++day) {
    results.push_back(ResultOf(day, day < 15 ? 1'000'000 : 900'000));
  }
  results[4].runs[2].phases[0].outcome = Outcome::kFailed;
  results[4].runs[2].phases[0].message = "disk full";
  results[7].runs[0].phases[0].outcome = Outcome::kUnsupported;
  const std::vector<History> histories = Histories(results);
  ASSERT_THAT(histories, SizeIs(1));
  ASSERT_THAT(histories[0].points, SizeIs(19)) << "what is not supported is nothing to tell";
  EXPECT_EQ(histories[0].points[4].failure, "disk full");
  ASSERT_THAT(histories[0].changes, SizeIs(1));
  EXPECT_EQ(histories[0].changes[0].index, 13);
}

TEST(Histories, MarkWhatTheMachineDisturbed) {
  Result calm = ResultOf(1, 1'000'000);
  Result busy = ResultOf(2, 1'000'000);
  for (RunResult& run : busy.runs) {
    run.phases[0].conditions = Conditions{.seconds = 0.01, .others_share = 0.9};
  }
  const std::vector<History> histories = Histories({calm, busy});
  const std::string text = WriteTerminal(HistoryReport(histories, {}, true));
  EXPECT_THAT(text, HasSubstr("1.00 M!"));
  EXPECT_THAT(text, HasSubstr("! the machine was busy with other work in 1 of 2 results"));
}

TEST(Histories, ASlowdownIsNewsForTenResultsAndASpeedupIsNone) {
  const auto ending = [](int behind, uint64_t gets) {
    std::vector<Result> results;
    for (int day = 1; day <= 15 + behind; ++day) {
      results.push_back(ResultOf(day, day <= 15 ? 1'000'000 : gets));
    }
    return IsSlowerOfLate(Histories(results).front());
  };
  EXPECT_TRUE(ending(3, 900'000));
  EXPECT_TRUE(ending(10, 900'000));
  EXPECT_FALSE(ending(11, 900'000));
  EXPECT_FALSE(ending(3, 1'100'000));
  EXPECT_FALSE(ending(0, 900'000));
}

// Thirty results, on a machine whose speed differs by 10 % from session to session. From one of
// them on, the engine has `ratio` of its speed.
std::vector<Result> Sessions(double ratio, bool with_yardstick, std::mt19937_64& random) {
  constexpr int kStep = 15;
  std::vector<Result> results;
  for (int day = 0; day < 30; ++day) {
    Result result;
    result.started = fmt::format("2026-01-{:02}T00:00:00Z", day + 1);
    if (with_yardstick) result.settings = {{"yardstick", "a@fixed"}};
    const double speed = 1e6 * std::lognormal_distribution<double>(0, 0.1)(random);
    for (uint64_t round = 1; round <= 3; ++round) {
      const double fixed = speed * std::lognormal_distribution<double>(0, 0.05)(random);
      const double rate =
          fixed * (day < kStep ? 1 : ratio) * std::lognormal_distribution<double>(0, 0.02)(random);
      result.runs.push_back(SlicedRoundOf("a", round, static_cast<uint64_t>(rate)));
      if (!with_yardstick) continue;
      result.runs.push_back(SlicedRoundOf("a@fixed", round, static_cast<uint64_t>(fixed)));
    }
    results.push_back(std::move(result));
  }
  return results;
}

// In how many of 12 series the step is the only change, within two results of where it is.
int FoundOfTwelve(bool with_yardstick) {
  std::mt19937_64 random(12);
  int found = 0;
  for (int series = 0; series < 12; ++series) {
    const std::vector<History> histories = Histories(Sessions(0.92, with_yardstick, random));
    EXPECT_THAT(histories, SizeIs(1)) << "the yardstick has none of its own";
    const std::vector<ChangePoint>& changes = histories.front().changes;
    found += changes.size() == 1 && changes[0].index >= 13 && changes[0].index <= 17 ? 1 : 0;
  }
  return found;
}

TEST(Histories, ByAYardstickFindAStepThatSessionsHide) {
  EXPECT_GE(FoundOfTwelve(true), 10);
  EXPECT_LT(FoundOfTwelve(false), 6);
}

TEST(Histories, ByAYardstickHaveNoStepWhereNothingChanged) {
  std::mt19937_64 random(13);
  size_t changes = 0;
  for (int series = 0; series < 100; ++series) {
    changes += Histories(Sessions(1, true, random)).front().changes.size();
  }
  EXPECT_LE(changes, 1);
}

TEST(Histories, OfTwoYardsticksAreTwo) {
  std::mt19937_64 random(14);
  std::vector<Result> results = Sessions(1, true, random);
  for (RunResult& run : results.back().runs) {
    if (run.engine == "a@fixed") run.library_sha256 = "another build";
  }
  EXPECT_THAT(Histories(results), SizeIs(2));
}

TEST(Histories, SayWhereTheYardstickHadNoRate) {
  std::mt19937_64 random(15);
  std::vector<Result> results = Sessions(1, true, random);
  for (RunResult& run : results[3].runs) {
    if (run.engine == "a@fixed") run.phases[0].outcome = Outcome::kFailed;
  }
  const std::vector<History> histories = Histories(results);
  ASSERT_THAT(histories, SizeIs(1));
  EXPECT_EQ(histories[0].points[3].failure, "no round in slices beside the yardstick");
}

// A plug-in that was built anew keeps the version of its engine.
TEST(Histories, NameAnotherBuildOfTheSameVersionWhereALevelChanges) {
  std::vector<Result> results;
  for (int day = 1; day <= 20; ++day) {
    results.push_back(ResultOf(day, day < 15 ? 1'000'000 : 900'000));
    for (RunResult& run : results.back().runs) {
      run.library_sha256 = day < 15 ? "0123456789abcdef" : "fedcba9876543210";
    }
  }
  EXPECT_THAT(WriteTerminal(HistoryReport(Histories(results), {}, true)),
              HasSubstr("same version, another build (sha256 01234567 -> fedcba98)"));
}

TEST(Histories, OfNothingAreNone) { EXPECT_THAT(Histories({}), IsEmpty()); }

TEST(Histories, AreOfStoresThatHeldTheSame) {
  std::vector<Result> results;
  for (int day = 1; day <= 20; ++day) {
    results.push_back(ResultOf(day, day < 15 ? 1'000'000 : 900'000));
    for (RunResult& run : results.back().runs) {
      run.phases[0].held = Held{day < 15 ? 1'000'000u : 300'000u, 1'000'000u};
    }
  }
  const std::vector<History> histories = Histories(results);
  ASSERT_THAT(histories, SizeIs(2));
  EXPECT_THAT(histories[0].changes, IsEmpty());
  EXPECT_THAT(histories[1].changes, IsEmpty());
}

}  // namespace levelfield::history_report_test
