#include "report/html/page.h"

#include <cmath>
#include <sstream>

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield::page_test {

constexpr const char kHostile[] =
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&";

std::string PageOf(const Result& result, const std::string& text = "") {
  std::string page = BeginPage({{.result = &result, .comparisons = {}, .text = text}});
  std::istringstream manifest("{}");
  AddFile("manifest.json", manifest, page);
  EndPage(page);
  return page;
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Result Hostile() {
  Result result;
  result.name = kHostile;
  result.command = kHostile;
  result.warnings = {kHostile};
  RunResult run;
  run.engine = kHostile;
  run.label = kHostile;
  PhaseResult phase;
  phase.workload = kHostile;
  phase.outcome = Outcome::kFailed;
  phase.message = kHostile;
  run.phases.push_back(phase);
  result.runs.push_back(run);
  return result;
}

TEST(Page, HasNoMarkupOfWhatResultsSay) {
  const std::string page = PageOf(Hostile(), kHostile);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  Result harmless = Hostile();
  harmless.name = harmless.command = "x";
  harmless.warnings = {"x"};
  harmless.runs[0].engine = harmless.runs[0].label = "x";
  harmless.runs[0].phases[0].workload = harmless.runs[0].phases[0].message = "x";
  EXPECT_EQ(CountOf(page, "<script"), CountOf(PageOf(harmless), "<script"));
  EXPECT_EQ(CountOf(page, "</script"), CountOf(PageOf(harmless), "</script"));
}

TEST(Page, AllowsItsOwnScriptByItsHashAndNothingFromElsewhere) {
  const std::string page = PageOf(Hostile());
  EXPECT_THAT(page,
              testing::ContainsRegex("default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}=' "
                                     "'sha256-[A-Za-z0-9+/]{43}='; style"));
  for (const char* const from_elsewhere : {"src=\"http", "href=\"http", "@import", "url(http"}) {
    EXPECT_THAT(page, Not(HasSubstr(from_elsewhere))) << from_elsewhere;
  }
}

TEST(Page, OfAChoiceHasItsAnswerInTheHeading) {
  Result result;
  result.runs.push_back(RoundOf("leveldb", 1, 1000));
  const ChoiceAnswer answer{
      .answer = "leveldb fits best: <2> times lmdb", .asked = "80% get", .figure = "ops/s"};
  const ShownResult shown{.result = &result, .comparisons = {}, .text = "", .answer = answer};
  const std::string page = BeginPage({shown});
  const size_t header = page.find("</header>");
  EXPECT_LT(page.find("leveldb fits best: &lt;2&gt; times lmdb"), header);
  EXPECT_LT(page.find("80% get"), header);
  EXPECT_EQ(PageData({shown})["results"][0]["answer"]["asked"], "80% get");
}

// Where scripts are off, it is all there is.
TEST(Page, OfAChoiceHasItsReasonsAsText) {
  Result result;
  result.runs.push_back(RoundOf("leveldb", 1, 1000));
  const ChoiceAnswer answer{
      .answer = "leveldb fits best",
      .asked = "80% get",
      .figure = "ops/s",
      .engines = {{.engine = "lmdb", .why = "slower: 0.50 times leveldb"}},
      .changes = {
          {.question = "no writes", .answer = "lmdb", .is_tried = true, .changes_answer = true},
          {.question = "four threads", .answer = "it was ended before"}}};
  const std::string page =
      BeginPage({{.result = &result, .comparisons = {}, .text = "", .answer = answer}});
  EXPECT_THAT(page, AllOf(HasSubstr("lmdb: slower: 0.50 times leveldb"),
                          HasSubstr("no writes: lmdb (changes it)"),
                          HasSubstr("four threads: not tried: it was ended before")));
}

TEST(Page, TellsSeveralResultsApartByALetter) {
  const Result result;
  const ShownResult a{.result = &result, .comparisons = {}, .text = "", .letter = "A"};
  const ShownResult b{.result = &result, .comparisons = {}, .text = "", .letter = "B"};
  const std::string page = BeginPage({a, b});
  EXPECT_THAT(page, AllOf(HasSubstr("<summary>A: "), HasSubstr("<summary>B: ")));
}

// Six engines, 24 workloads, 8 rounds.
TEST(Page, Of1152PhasesIsSmallEnoughForMail) {
  Result result;
  uint64_t seed = 1;
  for (uint64_t round = 1; round <= 8; ++round) {
    for (const char* const engine : {"leveldb", "lmdb", "rocksdb", "sqlite3", "treedb", "null"}) {
      RunResult run = RoundOf(engine, round, 1000);
      const PhaseResult phase = run.phases.front();
      run.phases.clear();
      for (int workload = 0; workload < 24; ++workload) {
        run.phases.push_back(phase);
        run.phases.back().workload = "workload" + std::to_string(workload);
        Histogram latency_ns;
        for (int i = 0; i < 2000; ++i) {
          seed = seed * 6364136223846793005 + 1442695040888963407;
          latency_ns.Add(500 + (seed >> 33) % (1000u << (seed >> 60)));
        }
        run.phases.back().roles[0].statistics[0].latency_ns = latency_ns;
      }
      result.runs.push_back(run);
    }
  }
  std::string page = BeginPage({{.result = &result, .comparisons = {}, .text = ""}});
  std::istringstream rows(*CsvRowsOf(result, "", Settings()));
  AddFile("rounds.csv", rows, page);
  EndPage(page);
  EXPECT_LT(page.size(), 600'000u);
}

TEST(Page, HasTheLicencesOfWhatItIsMadeOf) {
  const std::string page = PageOf(Hostile());
  EXPECT_THAT(page, HasSubstr("@observablehq/plot"));
  EXPECT_THAT(page, HasSubstr("Copyright 2020-2025 Observable, Inc."));
}

TEST(PageData, HasTheMeanItsIntervalAndEveryRound) {
  const Result result = RoundsOf(6, {{"leveldb", [](uint64_t round) { return 1000 * round; }},
                                     {"lmdb", [](uint64_t round) { return 2000 * round; }}});
  const nlohmann::json data = PageData({{.result = &result, .comparisons = {}, .text = ""}});
  const nlohmann::json& shown = data.at("results").at(0);
  ASSERT_EQ(shown.at("engines").size(), 2u);
  ASSERT_EQ(shown.at("figures").size(), 2u);
  const nlohmann::json& figure = shown.at("figures").at(1);
  EXPECT_EQ(figure.at("engine"), 1);
  // The sixth root of 720, and Student's interval around it.
  EXPECT_NEAR(figure.at("rate"), 5987.6, 0.1);
  EXPECT_NEAR(figure.at("low"), 2987, 1);
  EXPECT_NEAR(figure.at("high"), 12002, 1);
  EXPECT_EQ(figure.at("rates").size(), 6u);
}

TEST(PageData, OfFewRoundsHasNoInterval) {
  Result result;
  result.runs.push_back(RoundOf("leveldb", 1, 1000));
  const nlohmann::json data = PageData({{.result = &result, .comparisons = {}, .text = ""}});
  const nlohmann::json& figure = data.at("results").at(0).at("figures").at(0);
  EXPECT_NEAR(figure.at("rate"), 1000.0, 1e-9);
  EXPECT_TRUE(figure.at("low").is_null());
}

// Which fails a build, so the page that explains it says so.
TEST(PageData, SaysWhichVerdictIsByProcessorTime) {
  Result result;
  result.runs = {RoundOf("a", 1, 1000), RoundOf("b", 1, 1000)};
  ComparedWorkload workload{.workload = "fillrandom", .verdict = Verdict::kUnresolved};
  workload.cpu_verdict = Verdict::kSlower;
  Comparison comparison{.baseline = "a", .candidate = "b", .workloads = {workload}};
  const auto verdict_of = [&]() -> nlohmann::json {
    return PageData({{.result = &result,
                      .comparisons = {comparison},
                      .text = ""}})["results"][0]["verdicts"][0];
  };
  EXPECT_TRUE(verdict_of().value("is_slower_by_cpu", false));
  comparison.workloads[0].verdict = Verdict::kFaster;
  EXPECT_FALSE(verdict_of().contains("is_slower_by_cpu"));
}

TEST(PageData, SaysWhichEngineWasSeenToKeepLessThanItClaims) {
  Result result;
  result.runs = {RoundOf("a", 1, 1000), RoundOf("b", 1, 1000)};
  for (RunResult& run : result.runs) {
    run.phases[0].durability = "synced";
    run.phases[0].roles[0].statistics[0].operation = "put";
    run.phases[0].roles[0].statistics[0].effects = kPuts;
  }
  result.runs[0].deviations = {{"synced", "a power cut loses the last commit"}};
  const nlohmann::json figures =
      PageData({{.result = &result, .comparisons = {}, .text = ""}})["results"][0]["figures"];
  EXPECT_EQ(figures[0]["keeps_less"], true);
  EXPECT_EQ(figures[1]["keeps_less"], false);
}

TEST(PageData, OfARunThatWasCutOffHasTheRoundsThatWereReached) {
  Result result;
  result.runs.push_back(RoundOf("leveldb", 1, 1000));
  result.runs.push_back(RoundOf("leveldb", 2, 2000));
  result.runs.back().phases = {};
  const nlohmann::json data = PageData({{.result = &result, .comparisons = {}, .text = ""}});
  const nlohmann::json& figure = data.at("results").at(0).at("figures").at(0);
  EXPECT_EQ(figure.at("rates"), nlohmann::json::array({1000.0}));
  EXPECT_EQ(figure.at("marks"), "");
}

TEST(PageData, OfResultsWithSeveralNumbersOfThreadsHasTheirScaling) {
  std::vector<Result> results(5);
  std::vector<ShownResult> shown;
  for (uint64_t i = 0; i < results.size(); ++i) {
    RunResult run = RoundOf("leveldb", 1, 1000 * (i + 1));
    run.phases[0].roles[0].threads = i + 1;
    results[i].runs.push_back(run);
    shown.push_back({.result = &results[i], .comparisons = {}, .text = ""});
  }
  const nlohmann::json scaling = PageData(shown).at("scaling");
  ASSERT_EQ(scaling.size(), 1u);
  EXPECT_EQ(scaling[0].at("points").size(), 5u);
  EXPECT_NEAR(scaling[0].at("fit").at("lambda").get<double>(), 1000, 1e-6);
  shown.pop_back();
  EXPECT_TRUE(PageData(shown).at("scaling")[0].at("fit").contains("reason"));
  shown.resize(1);
  EXPECT_TRUE(PageData(shown).at("scaling").empty());
}

TEST(Curve, RisesFromTheLeastToTheGreatestAndStopsWhereTenAreBeyond) {
  Histogram latency_ns;
  for (uint64_t i = 1; i <= 10000; ++i) latency_ns.Add(i * 100);
  const nlohmann::json curve = CurveOf(latency_ns);
  EXPECT_EQ(curve.front(), nlohmann::json({0.0, 100}));
  EXPECT_EQ(curve.back(), nlohmann::json({4.0, 1'000'000}));
  // 10^-3 of 10,000 are ten.
  EXPECT_NEAR(curve[curve.size() - 2][0].get<double>(), 3.0, 1e-9);
  for (size_t i = 1; i < curve.size(); ++i) {
    EXPECT_GT(curve[i][0].get<double>(), curve[i - 1][0].get<double>());
    EXPECT_GE(curve[i][1].get<double>(), curve[i - 1][1].get<double>());
    const double expected = 1e6 * (1 - std::pow(10, -curve[i][0].get<double>()));
    if (i + 1 < curve.size()) {
      EXPECT_NEAR(curve[i][1].get<double>(), expected, 0.01 * expected + 100);
    }
  }
  EXPECT_TRUE(CurveOf(Histogram()).empty());
}

}  // namespace levelfield::page_test
