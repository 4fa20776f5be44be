#include "report/published/published_page.h"

#include <algorithm>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "report/published/published.h"
#include "settings/suite.h"
#include "stats/statistics.h"

namespace levelfield::published_page_test {

// Two engines of which the first was twice as fast, and a reference to a baseline that is wrong.
constexpr std::string_view kPublished = R"json({
  "title": "A page", "introduction": "Quoted from nowhere.", "units": ["ops/s"],
  "columns": [{"id": "a", "name": "Alpha", "engine": "alpha"},
              {"id": "b", "name": "Beta", "engine": "beta"}],
  "constants": {"limit": 5000},
  "sections": [
    {"title": "Base", "job": "base", "text": "As ever.", "rows": [
      {"name": "Writes", "workload": "fill", "figures": {"a": "2000", "b": "1000"}},
      {"name": "Reads", "workload": "read", "nth": 2, "figures": {"a": "4000", "b": "8000"}}]},
    {"title": "More", "job": "more", "rows": [
      {"name": "Writes", "workload": "fill", "figures": {"a": "3000", "b": "1500"},
       "baseline": "base.fill", "times": {"a": "1.50", "b": "3.60"}}]}],
  "claims": [
    {"said": "{limit:grouped} is the limit", "follows": "{base.read_2.b:.0f} is beyond it",
     "holds": "max(base.read_2.a, base.read_2.b) <= limit"},
    {"said": "Alpha writes {base.fill.a/base.fill.b:.1f} times as fast", "follows": "it does not",
     "holds": "base.fill.a > base.fill.b"}]
})json";

PhaseResult Phase(const std::string& workload, double rate) {
  PhaseResult phase;
  phase.workload = workload;
  phase.outcome = Outcome::kOk;
  phase.durability = "process";
  phase.level = DurabilityLevel::kD1;
  OperationStatistics stats;
  stats.operations = 1000;
  phase.roles.push_back({.name = "r",
                         .threads = 1,
                         .seconds = 1000 / rate,
                         .thread_seconds = 1000 / rate,
                         .statistics = {stats}});
  return phase;
}

RunResult Run(const std::string& engine, std::vector<PhaseResult> phases, uint64_t round = 1) {
  RunResult run;
  run.engine = engine;
  run.label = engine + " 1.0";
  run.outcome = Outcome::kOk;
  run.round = round;
  run.settings = {{"cache_size", "4M"}};
  run.phases = SharedList(std::move(phases));
  return run;
}

Result Job(const std::string& name, std::vector<RunResult> runs) {
  Result result;
  result.name = name;
  result.command = "levelfield suite page";
  result.started = "2026-01-31T12:00:00Z";
  result.settings = {{"report_row", ""}, {"num", "1000"}, {"key_size", "16"}, {"value_size", "99"}};
  result.runs = std::move(runs);
  return result;
}

// `beta` times as fast as Alpha in writes, in each round.
std::vector<Result> Both(size_t rounds, double beta) {
  std::vector<RunResult> base;
  std::vector<RunResult> more;
  for (size_t i = 1; i <= rounds; ++i) {
    const double drift = 1 + 0.001 * static_cast<double>(i);
    base.push_back(
        Run("alpha", {Phase("fill", 1e4 * drift), Phase("read", 1), Phase("read", 3e4)}, i));
    base.push_back(
        Run("beta", {Phase("fill", beta * 1e4 * drift), Phase("read", 1), Phase("read", 6e4)}, i));
    base.push_back(Run("gamma", {Phase("fill", 7e4)}, i));
    more.push_back(Run("alpha", {Phase("fill", 3e4)}, i));
    more.push_back(Run("beta", {Phase("fill", 1e4)}, i));
  }
  return {Job("base", base), Job("more.v1", more)};
}

PublishedPage Page(const std::vector<Result>& results, std::string text = std::string(kPublished)) {
  const Published published = Must(ParsePublished("page", text));
  return Must(RenderPublishedPage("page", published, results));
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST(PublishedPage, PutsOurFiguresAndRatiosBesideThePublished) {
  const PublishedPage page = Page(Both(1, 2));
  EXPECT_EQ(page.published, 6u);
  EXPECT_EQ(page.missing, 0u);
  // Here Beta is twice as fast. In the publication it was half as fast.
  EXPECT_THAT(page.text, HasSubstr("| Writes | Alpha | 2,000 | 10,000 | none: 1 of 6 rounds | 1.00 "
                                   "| 1.00 | D1 |"));
  EXPECT_THAT(page.text, HasSubstr("|  | Beta | 1,000 | 20,000 | none: 1 of 6 rounds | 0.500 "
                                   "| 2.00 | D1 |"));
  EXPECT_THAT(page.text, HasSubstr("|  | gamma |\n| --- | --- |\n| Writes | 70,000 |\n"));
  // Of the workload of its number among those of the name.
  EXPECT_THAT(page.text, HasSubstr("| Reads | Alpha | 4,000 | 30,000 |"));
  EXPECT_THAT(page.text, HasSubstr("|  | Beta | 8,000 | 60,000 |"));
  EXPECT_THAT(page.text, HasSubstr("alpha 1.0, beta 1.0, gamma 1.0"));
  EXPECT_THAT(page.text, HasSubstr("6 of 6 published figures have one of ours.\n"));
}

TEST(PublishedPage, AFigureThatWasPublishedTwiceIsOneRow) {
  std::string twice = Replaced(std::string(kPublished), R"({"id": "b", "name": "Beta")",
                               R"({"id": "again", "name": "Again", "engine": "alpha",
                                   "again": true}, {"id": "b", "name": "Beta")");
  twice = Replaced(twice, R"("a": "2000", )", R"("a": "2000", "again": "1900", )");
  const PublishedPage page = Page(Both(1, 2), twice);
  EXPECT_EQ(page.published, 6u);
  EXPECT_THAT(page.text, HasSubstr("| Writes | Alpha | 2,000 / 1,900 | 10,000 |"));
  EXPECT_THAT(page.text, Not(HasSubstr("Again")));
}

TEST(PublishedPage, HasNoRatiosInASectionOfSingleFigures) {
  std::string single =
      Replaced(std::string(kPublished), R"({"a": "3000", "b": "1500"})", R"({"a": "3000"})");
  single = Replaced(single, R"("baseline": "base.fill", "times": {"a": "1.50", "b": "3.60"})",
                    R"("nth": 1)");
  const std::string text = Page(Both(1, 2), single).text;
  EXPECT_THAT(text, HasSubstr("| Writes | Alpha | 3,000 | 30,000 | none: 1 of 6 rounds | D1 |"));
  EXPECT_THAT(text, HasSubstr("|  | Beta |\n| --- | --- |\n| Writes | 10,000 |"));
}

TEST(PublishedPage, OneRoundIsIndicativeAndSaysSo) {
  const std::string text = Page(Both(1, 2)).text;
  EXPECT_THAT(text, HasSubstr("are too few to rank the engines"));
  EXPECT_THAT(text, Not(HasSubstr("The order changed")));
  EXPECT_THAT(text, HasSubstr("- Writes: Here another order: Beta before Alpha (2.00 times) "
                              "(indicative: too few rounds of one result for an interval)."));
}

TEST(PublishedPage, WithIntervalsAChangedOrderIsToldWithThem) {
  const std::string text = Page(Both(kLeastRepetitions, 2)).text;
  EXPECT_THAT(text, Not(HasSubstr("indicative")));
  EXPECT_THAT(text,
              HasSubstr("**The order changed**: Beta before Alpha (2.00 times, 2.00 to 2.00)."));
  EXPECT_THAT(text, HasSubstr("10,000 to 10,100"));
}

TEST(PublishedPage, TheSameOrderAndOneThatIsUndecidedAreNoChange) {
  EXPECT_THAT(Page(Both(kLeastRepetitions, 0.5)).text, HasSubstr("- The same order: Writes"));
  EXPECT_THAT(Page(Both(kLeastRepetitions, 1.001)).text,
              HasSubstr("- Writes: undecided here: Alpha and Beta ("));
}

TEST(PublishedPage, WhatIsMissingIsARowThatSaysSo) {
  std::vector<Result> results = Both(1, 2);
  results.pop_back();
  PublishedPage page = Page(results);
  EXPECT_EQ(page.missing, 2u);
  EXPECT_THAT(page.text, HasSubstr("| Writes | Alpha | 3,000 | missing: no result of more |"));
  EXPECT_THAT(page.text, HasSubstr("4 of 6 published figures have one of ours; 2 are missing, 0 "));
  results[0].runs.erase(results[0].runs.begin() + 1);
  page = Page(results);
  EXPECT_EQ(page.missing, 4u);
  EXPECT_THAT(page.text, HasSubstr("|  | Beta | 1,000 | missing: base was run without beta |"));
  results[0].runs[0].phases.pop_back();
  EXPECT_THAT(Page(results).text,
              HasSubstr("| Reads | Alpha | 4,000 | missing: base has no read (2.) |"));
  EXPECT_EQ(Page({}).missing, 6u);
}

TEST(PublishedPage, WhatCouldNotBeHadHasItsReasonAndNoNumber) {
  std::vector<Result> results = Both(1, 2);
  PhaseResult& phase = results[1].runs[1].phases[0];
  phase.outcome = Outcome::kUnsupported;
  phase.message = "it has no writes";
  EXPECT_THAT(Page(results).text, HasSubstr("|  | Beta | 1,500 | unsupported: it has no writes |"));
  EXPECT_EQ(Page(results).missing, 0u);
  phase.outcome = Outcome::kWrong;
  EXPECT_THAT(Page(results).text, HasSubstr("| Beta | 1,500 | wrong: it has no writes |"));
}

TEST(PublishedPage, SaysWhatTheMachineDidMeanwhile) {
  std::vector<Result> results = Both(1, 2);
  EXPECT_THAT(Page(results).text, Not(HasSubstr("disturbed")));
  results[0].runs[0].phases[0].conditions = Conditions{.seconds = 1, .others_share = 0.5};
  const std::string text = Page(results).text;
  EXPECT_THAT(text, HasSubstr("1 of 1 measurements were disturbed"));
  EXPECT_THAT(text, HasSubstr("other processes took 50 % of the processors' time"));
  EXPECT_THAT(text, HasSubstr("| Writes | Alpha | 2,000 | 10,000 ~ |"));
}

TEST(PublishedPage, ComputesWhereThePublishedContradictsItself) {
  const std::string text = Page({}).text;
  EXPECT_THAT(text, HasSubstr("Ratios printed beside figures: 2; 1 of them do not follow"));
  EXPECT_THAT(text, HasSubstr("| More, Writes, Beta: 1500 (3.60x baseline) | over the baseline's "
                              "1000 that is 1.50x;"));
  EXPECT_THAT(text, HasSubstr("| 5,000 is the limit | 8000 is beyond it |"));
  EXPECT_THAT(text, Not(HasSubstr("Alpha writes 2.0 times as fast"))) << "which is so";
}

TEST(PublishedPage, WhatAgreesIsNoContradiction) {
  std::string agreeing = Replaced(std::string(kPublished), "\"3.60\"", "\"1.5\"");
  agreeing = Replaced(agreeing, "\"limit\": 5000", "\"limit\": 9000");
  const std::string text = Page({}, agreeing).text;
  EXPECT_THAT(text, HasSubstr("Ratios printed beside figures: 2; 0 of them do not follow"));
  EXPECT_THAT(text, Not(HasSubstr("9,000 is the limit")));
  EXPECT_THAT(text, Not(HasSubstr("is beyond it")));
  EXPECT_THAT(text, Not(HasSubstr("what is said"))) << "no table of nothing";
}

TEST(PublishedPage, AnEnginesWordsCannotEndACell) {
  std::vector<Result> results = Both(1, 2);
  results[0].runs[1].phases[0].outcome = Outcome::kFailed;
  results[0].runs[1].phases[0].message = "a | b\nc";
  EXPECT_THAT(Page(results).text, HasSubstr("| failed: a \\| b?c |"));
}

TEST(Quoted, SaysBetweenWhichBoundsItsDigitsLie) {
  const auto expect = [](const std::string& text, double low, double high) {
    const StatusOr<Quoted> quoted = ParseQuoted(text);
    ASSERT_TRUE(quoted.ok()) << text;
    EXPECT_EQ(quoted->text, text);
    EXPECT_NEAR(quoted->low, low, 1e-9) << text;
    EXPECT_NEAR(quoted->high, high, 1e-9) << text;
  };
  expect("4030000", 4025000, 4035000);
  expect("9.740", 9.7395, 9.7405);
  expect("7", 6.5, 7.5);
  expect("100", 50, 150);
  expect("0.003", 0.0025, 0.0035);
  for (const char* const bad : {"", "1,000", "-1", "1e6", "1.2.3", "x"}) {
    EXPECT_FALSE(ParseQuoted(bad).ok()) << bad;
  }
}

TEST(Published, MistakesOfAFileAreToldWithItsName) {
  const auto error = [](const std::string& text) { return ErrorOf(ParsePublished("x", text)); };
  EXPECT_THAT(error("{"), HasSubstr("x.json"));
  EXPECT_THAT(error("{}"), HasSubstr("title is missing"));
  const std::string head =
      R"({"title": "t", "introduction": "i", "units": ["ops/s"], "columns": [{"id": "a", "name": )"
      R"("A", "engine": "a"}], "sections": [{"title": "s", "job": "j", "rows": [)";
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "figures": {"b": "1"}}]}]})"),
              HasSubstr("b is no column"));
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "figures": {"a": 1}}]}]})"),
              HasSubstr("a figure is a text of digits"));
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "nth": 0}]}]})"), HasSubstr("nth"));
}

TEST(Claims, AreComputedAndNameWhatTheyDoNotKnow) {
  const std::map<std::string, double> numbers = {{"job.fill.a", 3}, {"n", 4096}};
  EXPECT_EQ(*Evaluate("job.fill.a * n + 1", numbers), 12289);
  EXPECT_EQ(*Filled("{n:grouped} and {job.fill.a/2:.2f}", numbers), "4,096 and 1.50");
  EXPECT_THAT(Evaluate("job.fill.b", numbers).status().message(), HasSubstr("job.fill.b"));
  EXPECT_FALSE(Evaluate("n/0", numbers).ok());
  EXPECT_FALSE(Filled("{n}", numbers).ok());
  EXPECT_FALSE(Filled("{n:.1f", numbers).ok());
  EXPECT_FALSE(Filled("{n:s}", numbers).ok());
}

TEST(Claims, ATimeAndARateOfTheSameOperationsAreItsBytes) {
  const std::string text =
      R"({"title": "t", "introduction": "i", "units": ["us/op", "MB/s"], "columns": [{"id": "a", )"
      R"("name": "A", "engine": "a"}], "sections": [{"title": "s", "job": "j", "bytes": 116, )"
      R"("rows": [{"name": "n", "workload": "w", "figures": {"a": ["1.281", "86.4"]}}, )"
      R"({"name": "m", "workload": "v", "figures": {"a": ["1.281", "84.6"]}}]}]})";
  const Published published = Must(ParsePublished("x", text));
  const Consistency consistency = Must(ConsistencyOf(published));
  EXPECT_EQ(consistency.rates_compared, 2u);
  ASSERT_EQ(consistency.contradictions.size(), 1u);
  EXPECT_EQ(consistency.contradictions[0].said, "s, m, A: 1.281 us/op at 84.6 MB/s");
  EXPECT_EQ(consistency.contradictions[0].follows,
            "that is 114 bytes an operation, and it has 116");
}

std::string FollowsOf(const std::string& name, Consistency* all = nullptr) {
  const Published published = Must(FindPublished(name));
  const Consistency consistency = Must(ConsistencyOf(published));
  if (all != nullptr) *all = consistency;
  std::string text;
  for (const Contradiction& one : consistency.contradictions) {
    text += one.said + " | " + one.follows + "\n";
  }
  return text;
}

// Those of the reference: each follows from numbers on the published page itself.
TEST(PublishedFlash, ContradictsItself) {
  const std::string text = FollowsOf("rocksdb_flash");
  for (const char* const follows :
       {"CACHE_SIZE=17179869184, 16 GiB", "take 151.0 minutes",
        "1.00e+09 operations, 0.50 of what is said", "815 bytes an operation",
        "185 GB of the 1483 GB", "32 times as many", "takes 45 us"}) {
    EXPECT_THAT(text, HasSubstr(follows));
  }
  EXPECT_THAT(text, Not(HasSubstr("159.0 minutes"))) << "which its rate agrees with";
}

// All ratios from 1.00x on follow, except one. Two ratios of synced writes do not.
TEST(PublishedLevelDb, HasFiveRatiosThatDoNotFollowFromItsFigures) {
  Consistency consistency;
  const std::string text = FollowsOf("leveldb_2011", &consistency);
  EXPECT_EQ(consistency.times_compared, 34u);
  EXPECT_EQ(consistency.times_wrong, 5u) << text;
  for (const char* const said : {"Sequential writes, LevelDB: 100 (0.003x baseline)",
                                 "Sequential writes, Kyoto TreeDB: 7 (0.0004x baseline)",
                                 "Random writes, LevelDB: 100 (0.015x baseline)",
                                 "Random writes, Kyoto TreeDB: 8 (0.001x baseline)",
                                 "Sequential reads, Kyoto TreeDB: 1230000 (3.60x baseline)"}) {
    EXPECT_THAT(text, HasSubstr(said));
  }
  EXPECT_THAT(text, HasSubstr("6 MB"));
  EXPECT_THAT(text, HasSubstr("632,121 keys are different"));
}

TEST(PublishedDbBench, HasARunThatIsNotWhatItIsSaidToBe) {
  Consistency consistency;
  const std::string text = FollowsOf("db_bench_2016", &consistency);
  EXPECT_GT(consistency.rates_compared, 20u);
  EXPECT_EQ(consistency.rates_wrong, 0u) << text;
  EXPECT_THAT(text, HasSubstr("fails after 3065 us as it did after 3108"));
  EXPECT_THAT(text, HasSubstr("they differ by 12 % and 20 %"));
  EXPECT_THAT(text, HasSubstr("that leaves 1.6 us for a write and its sync"));
  EXPECT_THAT(text, HasSubstr("864,665 different ones"));
}

TEST(PublishedLmdb, HasSyncsThatDidNotWaitAndReadsOfNothing) {
  Consistency consistency;
  const std::string text = FollowsOf("lmdb_2012", &consistency);
  EXPECT_GT(consistency.rates_compared, 30u);
  EXPECT_EQ(consistency.rates_wrong, 0u) << text;
  EXPECT_THAT(text, HasSubstr("took 0.84 times one without"));
  EXPECT_THAT(text, HasSubstr("readseq100K: 1,005,186 MB/s"));
  EXPECT_THAT(text, HasSubstr("LevelDB, values of 100,000 bytes, readseq: 25,354 MB/s"));
}

// A figure whose workload no job has could never be found.
TEST(Published, EveryRowIsRunByAJobOfItsSuite) {
  size_t rows = 0;
  for (const auto& [name, text] : BuiltinPublished()) {
    const Published published = *FindPublished(std::string(name));
    const Suite suite = *FindSuite(std::string(name));
    const std::vector<JobRun> runs = *PlanJobs(suite, JobsOf(suite), {}, {"--db=/x"});
    const auto has = [&](const std::string& job, const PublishedRow& row) {
      return std::ranges::any_of(runs, [&](const JobRun& run) {
        // `reads.2` is the second variant of a job that varies a setting.
        const bool varies = std::ranges::any_of(
            run.words, [](const std::string& word) { return word.starts_with("--vary="); });
        const bool is_variant = varies && job.substr(0, job.rfind('.')) == run.test;
        if (run.test != job && !run.test.starts_with(job + ".") && !is_variant) return false;
        const auto own = std::ranges::find(suite.jobs, run.job, &SuiteJob::name);
        return static_cast<uint64_t>(std::ranges::count(own->workloads, row.workload)) >= row.nth;
      });
    };
    for (const PublishedSection& section : published.sections) {
      for (const PublishedRow& row : section.rows) {
        for (const PublishedColumn& column : published.columns) {
          const std::string& job = column.job.empty() ? row.job : column.job;
          EXPECT_TRUE(has(job, row)) << name << ": " << job << ", " << row.name;
          ++rows;
        }
      }
    }
  }
  EXPECT_GT(rows, 100u);
}

}  // namespace levelfield::published_page_test
