#include "durability/survivors.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

constexpr FoundKey kAbsent = {};
FoundKey Version(uint32_t commit) { return {.kind = FoundKey::Kind::kVersion, .commit = commit}; }
constexpr FoundKey kWrong = {.kind = FoundKey::Kind::kWrong};

// Key a is written by the commits 1 and 3, b by 2, c by 4: what is found of them.
std::vector<KeySurvivor> Keys(FoundKey a, FoundKey b, FoundKey c) {
  return {{.writes = {{1}, {3}}, .found = a},
          {.writes = {{2}}, .found = b},
          {.writes = {{4}}, .found = c}};
}

TEST(Survivors, AllThereIsNothingLost) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(3), Version(2), Version(4)), 4, 4);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.kept, 4u);
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, WhatWasIssuedAndNotAcknowledgedMayBeThereOrNot) {
  for (const FoundKey c : {kAbsent, Version(4)}) {
    const ThreadFinding finding = JudgeSurvivors(Keys(Version(3), Version(2), c), 4, 3);
    EXPECT_TRUE(finding.IsPrefix());
    EXPECT_EQ(finding.lost, 0u);
    EXPECT_EQ(finding.kept, c.kind == FoundKey::Kind::kAbsent ? 3u : 4u);
  }
}

TEST(Survivors, AnAcknowledgedTailThatIsGoneIsLostInOrder) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(1), Version(2), kAbsent), 4, 4);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.kept, 2u);
  EXPECT_EQ(finding.lost, 2u);
  EXPECT_EQ(finding.first_lost, 3u);
}

TEST(Survivors, OfAnEmptyStoreEverythingIsLostInOrder) {
  const ThreadFinding finding = JudgeSurvivors(Keys(kAbsent, kAbsent, kAbsent), 4, 3);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.kept, 0u);
  EXPECT_EQ(finding.lost, 3u);
  EXPECT_EQ(finding.first_lost, 1u);
}

TEST(Survivors, AGapIsNoTail) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(3), kAbsent, Version(4)), 4, 4);
  EXPECT_FALSE(finding.IsPrefix());
  EXPECT_EQ(finding.out_of_order, 1u);
  EXPECT_EQ(finding.lost, 1u);
  EXPECT_EQ(finding.first_lost, 2u);
}

TEST(Survivors, AnOverwriteThatIsGoneBelowALaterCommitIsAGap) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(1), Version(2), Version(4)), 4, 4);
  EXPECT_EQ(finding.out_of_order, 1u);
  EXPECT_EQ(finding.first_lost, 3u);
}

// Also of what nobody was told that it is there: the order is promised all the same.
TEST(Survivors, AGapAmongWhatWasNotAcknowledgedIsOutOfOrderAndNotLost) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(1), Version(2), Version(4)), 4, 2);
  EXPECT_EQ(finding.out_of_order, 1u);
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, AWrongValueIsNoLoss) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(3), kWrong, Version(4)), 4, 4);
  EXPECT_FALSE(finding.IsPrefix());
  EXPECT_EQ(finding.wrong, 1u);
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, AVersionThatWasNeverWrittenToTheKeyIsFound) {
  const ThreadFinding finding = JudgeSurvivors(Keys(Version(2), Version(2), Version(4)), 4, 4);
  EXPECT_EQ(finding.never_issued, 1u);
}

TEST(Survivors, HalfABatchIsTorn) {
  const std::vector<KeySurvivor> keys = {{.writes = {{1}}, .found = Version(1)},
                                         {.writes = {{2}}, .found = Version(2)},
                                         {.writes = {{2}}, .found = kAbsent}};
  const ThreadFinding finding = JudgeSurvivors(keys, 2, 1);
  EXPECT_EQ(finding.torn, 1u);
  EXPECT_FALSE(finding.IsPrefix());
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, AWholeBatchThatIsGoneIsNotTorn) {
  const std::vector<KeySurvivor> keys = {{.writes = {{1}}, .found = Version(1)},
                                         {.writes = {{2}}, .found = kAbsent},
                                         {.writes = {{2}}, .found = kAbsent}};
  const ThreadFinding finding = JudgeSurvivors(keys, 2, 2);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.lost, 1u);
}

TEST(Survivors, AnErasedKeyThatIsAbsentIsAsItShouldBe) {
  const std::vector<KeySurvivor> keys = {{.writes = {{1}, {2, true}}, .found = kAbsent},
                                         {.writes = {{3}}, .found = Version(3)}};
  const ThreadFinding finding = JudgeSurvivors(keys, 3, 3);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, AnErasedKeyThatIsThereAgainIsALoss) {
  const std::vector<KeySurvivor> keys = {{.writes = {{1}, {2, true}}, .found = Version(1)},
                                         {.writes = {{3}}, .found = kAbsent}};
  const ThreadFinding finding = JudgeSurvivors(keys, 3, 3);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.lost, 2u);
  EXPECT_EQ(finding.first_lost, 2u);
}

// Absent: before its first write, or erased. The other key says which.
TEST(Survivors, AnAbsenceIsReadAsTheOtherKeysAllow) {
  const std::vector<KeySurvivor> keys = {{.writes = {{2}, {4, true}}, .found = kAbsent},
                                         {.writes = {{1}, {3}}, .found = Version(1)}};
  const ThreadFinding finding = JudgeSurvivors(keys, 4, 1);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.kept, 1u);
  EXPECT_EQ(finding.lost, 0u);
}

TEST(Survivors, OfAThreadThatIssuedNothingNothingIsLost) {
  const ThreadFinding finding = JudgeSurvivors({}, 0, 0);
  EXPECT_TRUE(finding.IsPrefix());
  EXPECT_EQ(finding.kept, 0u);
}

}  // namespace
}  // namespace levelfield
