#include "analysis/best_settings.h"

#include "base/matchers_for_test.h"

namespace levelfield::best_settings_test {

using Rates = std::vector<std::pair<std::string, double>>;

TriedSetting Tried(const std::string& engine, const std::string& name, Rates rates) {
  return {.engine = engine,
          .name = name,
          .settings = "",
          .because = "",
          .link = "",
          .rates = std::move(rates)};
}

std::string ChosenOf(std::vector<TriedSetting> tried) {
  ChooseBest(tried, 0.02);
  std::string names;
  for (const TriedSetting& one : tried) {
    if (one.chosen) names += one.engine + "." + one.name + " ";
  }
  return names;
}

TEST(BestSettings, TheFastestOverAllWorkloadsIsChosen) {
  EXPECT_EQ(ChosenOf({Tried("a", "equal", {{"fill", 100}, {"get", 100}}),
                      Tried("a", "x", {{"fill", 400}, {"get", 50}}),
                      Tried("a", "y", {{"fill", 100}, {"get", 110}}),
                      Tried("b", "equal", {{"fill", 1000}, {"get", 1}})}),
            "a.x b.equal ");
}

TEST(BestSettings, WhatIsHardlyFasterOrLacksAFigureIsNot) {
  EXPECT_EQ(
      ChosenOf({Tried("a", "equal", {{"fill", 100}, {"get", 100}}),
                Tried("a", "x", {{"fill", 101}, {"get", 102}}), Tried("a", "y", {{"fill", 900}})}),
      "a.equal ");
  EXPECT_EQ(ChosenOf({Tried("a", "equal", {}), Tried("a", "x", {{"fill", 1}})}), "a.equal ");
}

class TurnsWithTest : public ::testing::Test {
 protected:
  TurnsWithTest() { ChooseBest(tried_, 0.02); }
  std::string Turns(const std::string& winner, const std::string& loser, double lead) const {
    return TurnsWith(tried_, winner, loser, "fill", lead, 0.02);
  }
  // The best of a is x. The best of b over both workloads is `equal`, though y is faster in `fill`.
  std::vector<TriedSetting> tried_ = {
      Tried("a", "equal", {{"fill", 100}, {"get", 100}}),
      Tried("a", "x", {{"fill", 500}, {"get", 100}}),
      Tried("b", "equal", {{"fill", 100}, {"get", 100}}),
      Tried("b", "y", {{"fill", 300}, {"get", 10}}),
  };
};

TEST_F(TurnsWithTest, AVerdictThatTheWinnersAlternativeMadeSaysSo) {
  EXPECT_EQ(Turns("a", "c", 1.5), "turns with a.x");
  EXPECT_EQ(Turns("a", "c", 5.05), "turns with a.x");  // It would be equivalent.
}

TEST_F(TurnsWithTest, AVerdictThatTheLosersAlternativeWouldTurnSaysSo) {
  EXPECT_EQ(Turns("c", "b", 2.5), "turns with b.y");
}

TEST_F(TurnsWithTest, AVerdictThatHoldsInAnyCaseSaysNothing) {
  EXPECT_EQ(Turns("a", "c", 6), "");
  EXPECT_EQ(Turns("c", "b", 4), "");
  EXPECT_EQ(Turns("c", "a", 1.1), "");  // As it ran, a was at its best.
  EXPECT_EQ(TurnsWith({}, "a", "b", "fill", 1.1, 0.02), "");
}

TEST_F(TurnsWithTest, AVerdictThatTheLosersChoiceMadeSaysSo) {
  std::vector<TriedSetting> tried = {
      Tried("b", "equal", {{"fill", 300}, {"get", 100}}),
      Tried("b", "z", {{"fill", 100}, {"get", 900}}),
  };
  ChooseBest(tried, 0.02);
  EXPECT_EQ(TurnsWith(tried, "c", "b", "fill", 2, 0.02), "turns without b.z");
}

}  // namespace levelfield::best_settings_test
