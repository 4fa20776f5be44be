#include "durability/survivors.h"

#include <gtest/gtest.h>

namespace levelfield::survivors_test {

constexpr FoundKey kAbsent = {};
FoundKey Version(uint32_t commit) { return {.kind = FoundKey::Kind::kVersion, .commit = commit}; }
constexpr FoundKey kWrong = {.kind = FoundKey::Kind::kWrong};

void Expect(const ThreadFinding& expected, const std::vector<KeySurvivor>& keys, uint64_t issued,
            uint64_t acked) {
  const ThreadFinding finding = JudgeSurvivors(keys, issued, acked);
  EXPECT_EQ(finding.kept, expected.kept);
  EXPECT_EQ(finding.lost, expected.lost);
  EXPECT_EQ(finding.first_lost, expected.first_lost);
  EXPECT_EQ(finding.out_of_order, expected.out_of_order);
  EXPECT_EQ(finding.torn, expected.torn);
  EXPECT_EQ(finding.wrong, expected.wrong);
  EXPECT_EQ(finding.never_issued, expected.never_issued);
  EXPECT_EQ(finding.IsPrefix(), expected.IsPrefix());
}

// Commits 1 and 3 write key a, 2 writes b, 4 writes c; the arguments are what is found.
std::vector<KeySurvivor> Keys(FoundKey a, FoundKey b, FoundKey c) {
  return {{.writes = {{1}, {3}}, .found = a},
          {.writes = {{2}}, .found = b},
          {.writes = {{4}}, .found = c}};
}

TEST(Survivors, WhatWasIssuedAndNotAcknowledgedMayBeThereOrNot) {
  Expect({.kept = 4}, Keys(Version(3), Version(2), Version(4)), 4, 4);
  Expect({.kept = 4}, Keys(Version(3), Version(2), Version(4)), 4, 3);
  Expect({.kept = 3}, Keys(Version(3), Version(2), kAbsent), 4, 3);
  Expect({}, {}, 0, 0);
}

TEST(Survivors, AnAcknowledgedTailThatIsGoneIsLostInOrder) {
  Expect({.kept = 2, .lost = 2, .first_lost = 3}, Keys(Version(1), Version(2), kAbsent), 4, 4);
  Expect({.kept = 0, .lost = 3, .first_lost = 1}, Keys(kAbsent, kAbsent, kAbsent), 4, 3);
}

TEST(Survivors, AGapIsNoTail) {
  Expect({.kept = 4, .lost = 1, .first_lost = 2, .out_of_order = 1},
         Keys(Version(3), kAbsent, Version(4)), 4, 4);
  // An overwrite is gone although a later commit is there.
  Expect({.kept = 4, .lost = 1, .first_lost = 3, .out_of_order = 1},
         Keys(Version(1), Version(2), Version(4)), 4, 4);
  // Even if nobody was told that it is there: the order is promised all the same.
  Expect({.kept = 4, .out_of_order = 1}, Keys(Version(1), Version(2), Version(4)), 4, 2);
}

TEST(Survivors, AWrongValueIsNoLoss) {
  Expect({.kept = 4, .wrong = 1}, Keys(Version(3), kWrong, Version(4)), 4, 4);
  Expect({.kept = 4, .never_issued = 1}, Keys(Version(2), Version(2), Version(4)), 4, 4);
}

TEST(Survivors, HalfABatchIsTorn) {
  const auto batch = [](FoundKey first, FoundKey second) {
    return std::vector<KeySurvivor>{{.writes = {{1}}, .found = Version(1)},
                                    {.writes = {{2}}, .found = first},
                                    {.writes = {{2}}, .found = second}};
  };
  Expect({.kept = 2, .torn = 1}, batch(Version(2), kAbsent), 2, 1);
  Expect({.kept = 1, .lost = 1, .first_lost = 2}, batch(kAbsent, kAbsent), 2, 2);
}

// Absent: before its first write, or erased. The other key says which.
TEST(Survivors, AnAbsenceIsReadAsTheOtherKeysAllow) {
  const auto erased = [](FoundKey a, FoundKey b) {
    return std::vector<KeySurvivor>{{.writes = {{1}, {2, true}}, .found = a},
                                    {.writes = {{3}}, .found = b}};
  };
  Expect({.kept = 3}, erased(kAbsent, Version(3)), 3, 3);
  Expect({.kept = 1, .lost = 2, .first_lost = 2}, erased(Version(1), kAbsent), 3, 3);
  Expect(
      {.kept = 1},
      {{.writes = {{2}, {4, true}}, .found = kAbsent}, {.writes = {{1}, {3}}, .found = Version(1)}},
      4, 1);
}

}  // namespace levelfield::survivors_test
