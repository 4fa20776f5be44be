#include "driver/watch_view.h"

#include <algorithm>

#include "base/matchers_for_test.h"

namespace levelfield::watch_view_test {

constexpr uint64_t kSecond = 1'000'000'000;

// Two engines, each twice as fast as the one before; the second has run for `seconds`.
WatchView Running(uint64_t seconds) {
  WatchView view({"leveldb", "lmdb", "leveldb", "lmdb"});
  view.Begin("lmdb", 0);
  view.BeginStage("readrandom", Stage::kRun, 0);
  uint64_t operations = 0;
  for (uint64_t s = 1; s <= seconds; ++s) {
    operations += uint64_t{1000} << std::min<uint64_t>(s, 40);
    view.Progress(operations, 0.25, s * kSecond);
    view.Percentile99(4'600, s * kSecond);
  }
  return view;
}

TEST(WatchView, HasALineForEachEngineWithRatePercentileAndChart) {
  EXPECT_THAT(Running(3).Lines("2 min left", {.columns = 80, .rows = 24}, 3 * kSecond),
              ElementsAre("2 min left", "  leveldb",
                          "> lmdb      8.00 k/s   p99 4.60 us  25%  readrandom run :-#"));
  EXPECT_THAT(Running(3).Lines("", {.columns = 80, .rows = 24, .has_blocks = true}, 3 * kSecond)[2],
              HasSubstr("▃▅█"));
}

TEST(WatchView, ShowsNoPercentileOfLongAgo) {
  const WatchView view = Running(3);
  EXPECT_THAT(view.Lines("", {}, 4 * kSecond)[2], HasSubstr("p99"));
  EXPECT_THAT(view.Lines("", {}, 20 * kSecond)[2], Not(HasSubstr("p99")));
  EXPECT_THAT(view.PlainLine(20 * kSecond), Not(HasSubstr("p99")));
}

TEST(WatchView, IsNeverWiderThanTheTerminalNorHigher) {
  const WatchView view = Running(100);
  for (size_t columns = 1; columns <= 200; ++columns) {
    for (const bool has_blocks : {false, true}) {
      const WatchStyle style{.columns = columns, .rows = 24, .has_blocks = has_blocks};
      for (const std::string& line : view.Lines("a header of some length", style, 100 * kSecond)) {
        EXPECT_LT(WidthOf(line), std::max<size_t>(columns, 2)) << line;
      }
    }
  }
  WatchView many({"a", "b", "c", "d", "e", "f", "g", "h"});
  many.Begin("e", 0);
  const std::vector<std::string> lines = many.Lines("header", {.columns = 80, .rows = 5}, 0);
  EXPECT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines, Contains(HasSubstr("> e")));
}

TEST(WatchView, HasColoursOnlyWhereTheyAreWanted) {
  WatchStyle style;
  EXPECT_THAT(Running(2).Lines("", style, 2 * kSecond)[2], Not(HasSubstr("\033")));
  style.has_colors = true;
  const std::string colored = Running(2).Lines("", style, 2 * kSecond)[2];
  EXPECT_THAT(colored, HasSubstr("\033["));
  style.has_colors = false;
  EXPECT_EQ(WidthOf(colored), WidthOf(Running(2).Lines("", style, 2 * kSecond)[2]));
}

TEST(WatchView, SaysTheSameInALineOfALog) {
  EXPECT_EQ(Running(3).PlainLine(3 * kSecond), "lmdb  readrandom run 25%  8.00 k/s  p99 4.60 us");
}

}  // namespace levelfield::watch_view_test
