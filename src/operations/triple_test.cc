#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "operations/thread_fixture_for_test.h"

namespace levelfield::triple_test {

ThreadFixture::Asked Triples(uint64_t range, uint64_t gets, uint64_t erases, uint64_t threads) {
  ThreadFixture::Asked asked{.role = {}, .threads = threads, .operations = 1000};
  asked.role.operation = FindOperation("triple");
  asked.role.range = range;
  asked.role.value_size = 100;  // Long enough to name its version, by which readers know it.
  asked.role.get_percent = gets;
  asked.role.erase_percent = erases;
  asked.role.threads = threads;
  return asked;
}

TEST(Triple, IsRoundsOfAHundredAndTheStoreHasTheLastWriteOfEachGroup) {
  ThreadFixture fixture("memory");
  for (const ThreadResult& thread : fixture.Run(Triples(30, 50, 20, 3))) {
    ASSERT_EQ(thread.statistics.size(), 3u);
    constexpr uint64_t kOperations[] = {500, 300, 200};
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(thread.statistics[i].counts.operations, kOperations[i]) << i;
      EXPECT_EQ(thread.statistics[i].counts.wrong, 0u) << i;
    }
  }
  EXPECT_EQ(fixture.state().NextVersion(), 301u) << "those of the thread that put the most";
  EXPECT_EQ(fixture.state().Range(), 30u);
  EXPECT_EQ(fixture.StoreDifference(), "");
}

TEST(Triple, OfAThreadWithoutGroupsIsGets) {
  ThreadFixture fixture("memory");
  const std::vector<ThreadResult> threads = fixture.Run(Triples(3, 0, 0, 2));
  const uint64_t gets = threads[0].statistics[0].counts.operations;
  EXPECT_EQ(gets + threads[1].statistics[0].counts.operations, 1000u);
  EXPECT_TRUE(gets == 0 || gets == 1000);
}

}  // namespace levelfield::triple_test
