#include "report/published/published_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stats/statistics.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
  phase.level = "D1";
  LaneResult lane;
  lane.operations = 1000;
  phase.roles.push_back({.name = "r",
                         .threads = 1,
                         .seconds = 1000 / rate,
                         .thread_seconds = 1000 / rate,
                         .lanes = {lane}});
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
  const StatusOr<Published> published = ParsePublished("page", text);
  EXPECT_TRUE(published.ok()) << published.status().message();
  const StatusOr<PublishedPage> page = RenderPublishedPage("page", *published, results);
  EXPECT_TRUE(page.ok()) << page.status().message();
  return page.ok() ? *page : PublishedPage();
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
  // Of ours Beta is twice as fast; published, it was half as fast.
  EXPECT_THAT(page.text, HasSubstr("| Writes | Alpha | 2,000 | 10,000 | none: 1 of 6 rounds | 5.00 "
                                   "| 1.00 | 1.00 | D1 |"));
  EXPECT_THAT(page.text,
              HasSubstr("|  | Beta | 1,000 | 20,000 | none: 1 of 6 rounds | 20.0 | 0.500 "
                        "| 2.00 | D1 |"));
  EXPECT_THAT(page.text, HasSubstr("|  | gamma | not published | 70,000 |"));
  EXPECT_THAT(page.text, HasSubstr("alpha 1.0, beta 1.0, gamma 1.0"));
  EXPECT_THAT(page.text, HasSubstr("6 of 6 published figures have one of ours.\n"));
}

TEST(PublishedPage, TakesTheWorkloadOfItsNumberAmongThoseOfTheName) {
  EXPECT_THAT(Page(Both(1, 2)).text, AllOf(HasSubstr("| Reads | Alpha | 4,000 | 30,000 |"),
                                           HasSubstr("|  | Beta | 8,000 | 60,000 |")));
}

TEST(PublishedPage, OneRoundIsIndicativeAndSaysSo) {
  const std::string text = Page(Both(1, 2)).text;
  EXPECT_THAT(text, HasSubstr("are indicative"));
  EXPECT_THAT(text, Not(HasSubstr("The order changed")));
  EXPECT_THAT(text, HasSubstr("- Writes: published first: Alpha, 2.00 times Beta; here: Beta, 2.00 "
                              "times Alpha. Here another order: Beta before Alpha (2.00 times) "
                              "(indicative: too few rounds for an interval)."));
}

TEST(PublishedPage, WithIntervalsAChangedOrderIsToldWithThem) {
  const std::string text = Page(Both(kLeastRepetitions, 2)).text;
  EXPECT_THAT(text, Not(HasSubstr("indicative")));
  EXPECT_THAT(text,
              HasSubstr("**The order changed**: Beta before Alpha (2.00 times, 2.00 to 2.00)."));
  EXPECT_THAT(text, HasSubstr("10,000 to 10,100"));
}

TEST(PublishedPage, TheSameOrderAndOneThatIsUndecidedAreNoChange) {
  EXPECT_THAT(Page(Both(kLeastRepetitions, 0.5)).text,
              HasSubstr("here: Alpha, 2.00 times Beta. The same order.\n"));
  EXPECT_THAT(Page(Both(kLeastRepetitions, 1.001)).text,
              HasSubstr("No change is shown; undecided here: Alpha and Beta ("));
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
  EXPECT_THAT(text,
              HasSubstr("Ratios that are printed beside figures: 2; of them 1 do not follow"));
  EXPECT_THAT(text, HasSubstr("| More, Writes, Beta: 1500 (3.60x baseline) | over the baseline's "
                              "1000 that is 1.50x;"));
  EXPECT_THAT(text, HasSubstr("| 5,000 is the limit | 8000 is beyond it |"));
  EXPECT_THAT(text, HasSubstr("- Alpha writes 2.0 times as fast\n"));
}

TEST(PublishedPage, WhatAgreesIsNoContradiction) {
  std::string agreeing = Replaced(std::string(kPublished), "\"3.60\"", "\"1.5\"");
  agreeing = Replaced(agreeing, "\"limit\": 5000", "\"limit\": 9000");
  const std::string text = Page({}, agreeing).text;
  EXPECT_THAT(text,
              HasSubstr("Ratios that are printed beside figures: 2; of them 0 do not follow"));
  EXPECT_THAT(text, HasSubstr("- 9,000 is the limit\n"));
  EXPECT_THAT(text, Not(HasSubstr("is beyond it")));
}

TEST(PublishedPage, AnEnginesWordsCannotEndACell) {
  std::vector<Result> results = Both(1, 2);
  results[0].runs[1].phases[0].outcome = Outcome::kFailed;
  results[0].runs[1].phases[0].message = "a | b\nc";
  EXPECT_THAT(Page(results).text, HasSubstr("| failed: a \\| b?c |"));
}

}  // namespace
}  // namespace levelfield
