#include "analysis/findings/round_marks.h"

#include <random>

#include "base/matchers_for_test.h"

namespace levelfield::round_marks_test {

using Rates = std::vector<std::optional<double>>;

const Rates kQuiet = {1000, 1010, 990, 1005, 995, 1002};

TEST(OutOfLine, IsARoundThatTookTenTimesAsLongAndTheMedianStays) {
  Rates rates = kQuiet;
  rates[3] = *rates[3] / 10;
  const auto marks = OutOfLine(rates);
  ASSERT_EQ(marks.size(), 1);
  EXPECT_EQ(marks[0].place, 3);
  EXPECT_THAT(marks[0].why, HasSubstr("times the median"));
  const auto without = WithoutMarked(rates, marks);
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->rounds, 5);
  EXPECT_EQ(without->median, 1000);
  EXPECT_FALSE(without->interval.has_value()) << "there are only five";
}

TEST(OutOfLine, SaysThatItIsTheFirstRoundAndSlow) {
  Rates rates = kQuiet;
  rates[0] = 100;
  ASSERT_EQ(OutOfLine(rates).size(), 1);
  EXPECT_THAT(OutOfLine(rates)[0].why, HasSubstr("the first one, and slow"));
  rates[0] = 10'000;
  ASSERT_EQ(OutOfLine(rates).size(), 1);
  EXPECT_THAT(OutOfLine(rates)[0].why, Not(HasSubstr("slow")));
}

TEST(OutOfLine, IsNothingOfAQuietSeriesNorOfEqualRatesNorOfThree) {
  EXPECT_THAT(OutOfLine(kQuiet), IsEmpty());
  EXPECT_THAT(OutOfLine(Rates(8, 123.4)), IsEmpty());
  EXPECT_THAT(OutOfLine(Rates{1000, 1001, 100}), IsEmpty());
  EXPECT_THAT(OutOfLine({}), IsEmpty());
  Rates one = Rates(8, 123.4);
  one[7] = 100;
  EXPECT_EQ(OutOfLine(one).size(), 1) << "others that are all equal make it no less strange";
}

TEST(OutOfLine, CountsPlacesAlsoOverRoundsThatHaveNoRate) {
  Rates rates = kQuiet;
  rates.insert(rates.begin() + 1, std::nullopt);
  rates.push_back(50);
  ASSERT_EQ(OutOfLine(rates).size(), 1);
  EXPECT_EQ(OutOfLine(rates)[0].place, 7);
}

TEST(OutOfLine, IsSeldomARoundOfNormalNoise) {
  std::mt19937_64 random(3);
  int marked = 0;
  constexpr int kSeries = 2000;
  for (int i = 0; i < kSeries; ++i) {
    Rates rates(6);
    for (auto& rate : rates) rate = 1000 + std::normal_distribution<double>(0, 20)(random);
    marked += OutOfLine(rates).empty() ? 0 : 1;
  }
  EXPECT_LE(marked, kSeries * 2 / 100);
}

TEST(WithoutMarked, TakesMarksFromWhoeverSetsThemAndHasNothingToSayWithoutAny) {
  const std::vector<RoundMark> disturbed = {{.place = 1, .why = "preempted"}};
  ASSERT_TRUE(WithoutMarked(kQuiet, disturbed).has_value());
  EXPECT_EQ(WithoutMarked(kQuiet, disturbed)->rounds, 5);
  EXPECT_EQ(WithoutMarked(kQuiet, disturbed)->median, 1000);
  EXPECT_FALSE(WithoutMarked(kQuiet, {}).has_value());
  EXPECT_FALSE(WithoutMarked(Rates{1.0}, {{.place = 0, .why = "stolen"}}).has_value());
}

TEST(MedianError, IsHowFarHalfOfTheRoundsAreFromTheMiddle) {
  EXPECT_LT(MedianError(kQuiet).value(), 0.01);
  EXPECT_GE(MedianError(Rates{900, 1000, 1100, 800, 1200, 1000}).value(), kUnstable);
  EXPECT_FALSE(MedianError(Rates{900, 1000, 1100}).has_value());
}

}  // namespace levelfield::round_marks_test
