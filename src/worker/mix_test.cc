// The choice of a mix's next operation says nothing about its key.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/chi_square_for_test.h"
#include "worker/roles_for_test.h"

namespace levelfield::mix_test {

constexpr uint64_t kRange = 10'000;
constexpr size_t kBuckets = 20;

// Gets and puts by the bucket of their key.
using Counts = TableOfCounts<2, kBuckets>;
thread_local Counts counts;

void Count(size_t operation, lf_bytes key) {
  const uint64_t index = std::strtoull(std::string(key.data, key.size).c_str(), nullptr, 10);
  ++counts[operation][index * kBuckets / kRange];
}

lf_engine CountingTable(const lf_engine& null_table) {
  lf_engine table = null_table;
  table.get = [](lf_session*, lf_bytes key, lf_bytes* value) {
    Count(0, key);
    *value = {nullptr, 0};
    return LF_NOT_FOUND;
  };
  table.put = [](lf_session*, lf_bytes key, lf_bytes) {
    Count(1, key);
    return LF_OK;
  };
  return table;
}

constexpr double kOnceInAThousand = 43.8;  // For 19 degrees of freedom.

TEST(Mix, ChoosesTheOperationIndependentlyOfTheKey) {
  ThreadFixture fixture("null");
  const lf_engine table = CountingTable(fixture.table());
  for (const uint64_t percent : {10, 50, 90}) {
    Role role = RoleOf("mix", KeyOrder::kShuffled, kRange);
    role.get_percent = percent;
    Session session = fixture.Begin();
    ThreadControl control;
    const ThreadFixture::Asked asked = {.role = role, .operations = 500'000, .seed = percent};
    ThreadTask task = fixture.Task(asked, 0, session.get(), control);
    task.table = &table;
    ThreadResult result;
    counts = {};
    RunThread(task, result);
    ASSERT_EQ(result.code, LF_OK) << result.error;
    double gets = 0;
    for (const double count : counts[0]) gets += count;
    EXPECT_NEAR(gets / 500'000, static_cast<double>(percent) / 100, 0.005);
    EXPECT_LT(ChiSquareOf(counts), kOnceInAThousand) << percent << " % gets";
  }
}

// The fault that the test above must find: one number that decides both.
TEST(Mix, OneNumberForKeyAndOperationWouldBeSeen) {
  Random draws(1);
  Counts both{};
  for (int i = 0; i < 500'000; ++i) {
    const uint64_t number = draws.Below(kRange);
    const bool is_put = number % 100 >= 90 || number < kRange / 100;
    ++both[is_put ? 1 : 0][number * kBuckets / kRange];
  }
  EXPECT_GT(ChiSquareOf(both), 10 * kOnceInAThousand);
}

}  // namespace levelfield::mix_test
