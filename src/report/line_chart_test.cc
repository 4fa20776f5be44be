#include "report/line_chart.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield::line_chart_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Values = std::vector<std::optional<double>>;

std::vector<std::string> Draw(const Values& values, const std::vector<size_t>& marked = {},
                              size_t columns = 16) {
  const LineChart chart{.columns = columns, .lines = 3, .label = [](double value) {
                          return fmt::format("{:.0f}", value);
                        }};
  return LinesOf(chart, values, marked);
}

TEST(LineChart, PutsTheLargestOnTopAndLabelsBothEnds) {
  EXPECT_THAT(Draw({100, 50, 0, 100}), ElementsAre("100   *           *",  //
                                                   "          *",          //
                                                   "  0           *"));
}

TEST(LineChart, MarksWhereALevelBegins) {
  EXPECT_THAT(Draw({9, 9, 5, 5}, {2}), ElementsAre("9   *   * |",  //
                                                   "          |",  //
                                                   "5         | *   *"));
}

TEST(LineChart, LeavesAPlaceEmptyWhereThereIsNoValue) {
  EXPECT_THAT(Draw({9, std::nullopt, 5, 9}), ElementsAre("9   *           *",  //
                                                         "",                   //
                                                         "5           *"));
}

TEST(LineChart, ShowsTheNewestThatFitWithMarksBelow) {
  EXPECT_THAT(Draw({1, 1, 1, 9, 9, 5, 5}, {1, 5}, 4), ElementsAre("9 **",  //
                                                                  "",      //
                                                                  "5   **",
                                                                  "    ^"));
}

TEST(LineChart, OfOneValueOrALevelLineIsNone) {
  EXPECT_THAT(Draw({}), IsEmpty());
  EXPECT_THAT(Draw({1}), IsEmpty());
  EXPECT_THAT(Draw({1, std::nullopt}), IsEmpty());
  EXPECT_THAT(Draw({1, 1, 1}), IsEmpty());
  EXPECT_THAT(Draw({1, 2}), SizeIs(3));
}

}  // namespace levelfield::line_chart_test
