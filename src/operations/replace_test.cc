#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "operations/thread_fixture_for_test.h"

namespace levelfield::replace_test {

constexpr uint64_t kSlots = 50;

ThreadFixture::Asked Replacements(uint64_t keys, uint64_t stddev, uint64_t operations) {
  ThreadFixture::Asked asked{.role = {}, .operations = operations};
  asked.role.operation = FindOperation("replace");
  asked.role.range = keys * kSlots;
  asked.role.stddev = stddev;
  return asked;
}

// How often the key was replaced, up to fifty times.
uint64_t Replaced(const ThreadFixture& fixture, uint64_t key) {
  uint64_t slot = 0;
  while (slot < kSlots && !fixture.state().Find(key * kSlots + slot)) ++slot;
  return slot;
}

TEST(Replace, LeavesWhatTheModelHasAlsoWhereKeysComeRoundAgain) {
  for (const uint64_t operations : {0u, 1u, 30u, 400u}) {
    ThreadFixture fixture("memory");
    EXPECT_EQ(fixture.Run(Replacements(7, 2, operations))[0].statistics[0].counts.wrong, 0u);
    EXPECT_EQ(fixture.state().Range(), 7 * kSlots);
    EXPECT_EQ(fixture.StoreDifference(), "") << operations;
  }
}

TEST(Replace, TakesKeysThatAreNormallyDistributedAroundTheMiddle) {
  ThreadFixture fixture("memory");
  (void)fixture.Run(Replacements(1000, 100, 10'000));
  double sum = 0;
  double squares = 0;
  for (uint64_t key = 0; key < 1000; ++key) {
    const double off = static_cast<double>(key) - 499.5;
    sum += off * static_cast<double>(Replaced(fixture, key));
    squares += off * off * static_cast<double>(Replaced(fixture, key));
  }
  EXPECT_NEAR(sum / 10'000, 0, 5);
  EXPECT_NEAR(std::sqrt(squares / 10'000), 100, 3);
}

TEST(Replace, OfKeysBeyondTheEndsTakesTheEnds) {
  ThreadFixture fixture("memory");
  (void)fixture.Run(Replacements(10, 1000, 40));
  EXPECT_GT(Replaced(fixture, 0) + Replaced(fixture, 9), 35u);
}

}  // namespace levelfield::replace_test
