#include "report/html/history_page.h"

#include <fmt/format.h>

#include "base/matchers_for_test.h"

namespace levelfield::history_page_test {

constexpr const char kHostile[] = "</pre><script>alert(1)</script>\"'&";

// Twenty results; the fifteenth is the first of a lower level.
History Slower(const std::string& workload) {
  History history;
  history.key.fingerprint = "f";
  history.key.engine = "a";
  history.key.workload = workload;
  for (int day = 1; day <= 20; ++day) {
    history.points.push_back({.started = fmt::format("2026-01-{:02}T00:00:00Z", day),
                              .version = "1",
                              .git = "abc",
                              .name = fmt::format("commit{}", day),
                              .directory = fmt::format("results/{}", day),
                              .rounds = 6,
                              .rate = day < 15 ? 1e6 : 9e5,
                              .interval = Interval{8e5, 1.1e6}});
  }
  history.changes = {{.index = 14, .size = -0.1, .p = 1e-6}};
  return history;
}

TEST(HistoryPage, HasTheChangesWithTheirReasonsOnceForAllBenchmarks) {
  std::vector<std::string> asked;
  const std::string page = HistoryPage({Slower("readrandom"), Slower("readseq")},
                                       [&](const std::string& before, const std::string& after) {
                                         asked.push_back(before + " " + after);
                                         return std::string("it does more work\n");
                                       });
  EXPECT_THAT(asked, ElementsAre("results/14 results/15"));
  EXPECT_THAT(page, HasSubstr("<h3>2026-01-14T00:00:00Z, commit14 &#8594; "
                              "2026-01-15T00:00:00Z, commit15</h3>"));
  EXPECT_THAT(page, HasSubstr("<li class=\"worse\">readrandom, a: -10.0 %</li>\n"
                              "<li class=\"worse\">readseq, a: -10.0 %</li>"));
  EXPECT_THAT(page, HasSubstr("<pre>it does more work\n</pre>"));
  EXPECT_THAT(page, HasSubstr("over 20 results, 1 change\">"));
  EXPECT_THAT(page, HasSubstr("<a href=\"results/15/report.html\">2026-01-15T00:00:00Z</a>"));
}

TEST(HistoryPage, SaysWhatAnIntervalIsAndCapsTheEndsThatTheChartReaches) {
  History history = Slower("readrandom");
  const std::string page = HistoryPage({history}, [](auto&&...) { return std::string(); });
  EXPECT_THAT(page, HasSubstr("The upright line through it is its 95 % interval"));
  EXPECT_THAT(page, Not(HasSubstr("The yardstick is")));
  EXPECT_THAT(page,
              testing::ContainsRegex(
                  "class=\"interval\" d=\"M80.0 [0-9.]+V[0-9.]+M76.0 [0-9.]+h8M76.0 [0-9.]+h8\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"results/1/report.html\"><circle"));
  EXPECT_THAT(page, HasSubstr("<details open><summary>20 results"));
  history.points[0].interval = Interval{1, 1e9};
  EXPECT_THAT(HistoryPage({history}, [](auto&&...) { return std::string(); }),
              testing::ContainsRegex("class=\"interval\" d=\"M80.0 210.0V24.0\""));
}

TEST(HistoryPage, SaysWhatTheYardstickIs) {
  History history = Slower("readrandom");
  for (HistoryPoint& point : history.points)
    point.multiple = RateRatio{.ratio = 1.1, .interval = {}};
  EXPECT_THAT(HistoryPage({history}, [](auto&&...) { return std::string(); }),
              HasSubstr("The yardstick is a build that stays the same"));
}

TEST(HistoryPage, LeavesAGapWhereAResultHasNoRate) {
  History history = Slower("readrandom");
  history.changes = {};
  history.points[3].failure = "the disk was full";
  const std::string page = HistoryPage({history}, nullptr);
  const size_t line = page.find("class=\"line\"");
  const std::string path = page.substr(line, page.find("/>", line) - line);
  EXPECT_EQ(std::ranges::count(path, 'M'), 2);
  EXPECT_EQ(std::ranges::count(path, 'L'), 17);
  EXPECT_THAT(page, HasSubstr("No level has changed."));
  EXPECT_THAT(page, HasSubstr("no rate: the disk was full"));
}

TEST(HistoryPage, HasNoMarkupOfWhatResultsSay) {
  History history = Slower(kHostile);
  history.key.engine = history.key.fingerprint = history.machine = kHostile;
  for (HistoryPoint& point : history.points) {
    point.started = point.version = point.git = point.name = point.directory = kHostile;
  }
  const std::string page = HistoryPage(
      {history}, [](const std::string&, const std::string&) { return std::string(kHostile); });
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_EQ(page.find("</pre>"), page.rfind("</pre>"));
  history.changes = {};
  history.points[0].directory = "javascript:alert(1)//";
  EXPECT_THAT(HistoryPage({history}, nullptr), HasSubstr("href=\"javascript%3Aalert%281%29//"));
}

}  // namespace levelfield::history_page_test
