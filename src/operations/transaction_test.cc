#include <cstdint>
#include <string>
#include <vector>

#include "base/matchers_for_test.h"
#include "operations/thread_fixture_for_test.h"

namespace levelfield::transaction_test {

constexpr uint64_t kRange = 10;
constexpr uint64_t kSets = 3;
constexpr uint64_t kAttempts = 20;  // By each of two threads.

// Two threads; the second gave way in these transactions.
class Transactions {
 public:
  explicit Transactions(const std::vector<uint64_t>& conflicts_of_second, uint32_t before = 0) {
    role_.operation = FindOperation("transaction");
    role_.range = kRange;
    role_.sets = kSets;
    role_.value_size = 100;
    workload_.roles = {role_};
    run_.versions_before.assign(kRange * kSets, before);
    for (uint64_t t = 0; t < 2; ++t) {
      ThreadTask& task = run_.tasks.emplace_back();
      task.role = &role_;
      task.keys.draw_seed = 5 + t;
      ThreadResult& result = run_.results.emplace_back();
      if (t == 1) result.conflicts = conflicts_of_second;
      result.statistics.resize(2);
      result.statistics[0].counts.operations = kAttempts - result.conflicts.size();
    }
    state_.Add(role_.operation->layer(role_, run_, {}));
  }
  Transactions(const Transactions&) = delete;

  uint32_t Counter(uint64_t index) const {
    const auto entry = state_.Find(index);
    return entry ? entry->version : 0;
  }
  uint64_t Sum(uint64_t set) const {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < kRange; ++i) sum += Counter(set * kRange + i);
    return sum;
  }
  std::string Detail(uint64_t wrong = 0, std::string* message = nullptr) const {
    const ValueSource values(1, 100, 0.5);
    RoleResult summary;
    summary.statistics.resize(1);
    summary.statistics[0].wrong = wrong;
    PhaseResult result;
    const std::string said = Verified(workload_, run_, ExpectedState(), values, summary, result);
    if (message != nullptr) *message = said;
    return result.check_detail;
  }

 private:
  Role role_;
  Workload workload_;
  RoleRun run_;
  ExpectedState state_;
};

TEST(Transactions, GrowAllSetsAlikeByWhatWasCommitted) {
  const Transactions all({});
  EXPECT_EQ(all.Sum(0), all.Sum(1));
  EXPECT_EQ(all.Sum(0), all.Sum(2));
  EXPECT_GE(all.Sum(0), 2 * kAttempts);
  EXPECT_LE(all.Sum(0), 2 * kAttempts * 100);
  EXPECT_EQ(all.Detail(),
            "40 acknowledged, 0 rolled back after a conflict; each of 3 sets must have grown by " +
                std::to_string(all.Sum(0)));
}

TEST(Transactions, ThatGaveWayLeaveNothing) {
  const Transactions some({0, 7, 19});
  const Transactions none({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  const Transactions all({});
  EXPECT_THAT(some.Detail(), HasSubstr("37 acknowledged, 3 rolled back"));
  EXPECT_LT(none.Sum(0), some.Sum(0));
  EXPECT_LT(some.Sum(0), all.Sum(0));
  for (uint64_t set = 1; set < kSets; ++set) EXPECT_EQ(some.Sum(set), some.Sum(0));
}

TEST(Transactions, GoOnFromWhatTheCountersWere) {
  const Transactions from_0({});
  const Transactions from_9({}, 9);
  for (uint64_t i = 0; i < kRange * kSets; ++i) {
    EXPECT_EQ(from_9.Counter(i), from_0.Counter(i) == 0 ? 0 : from_0.Counter(i) + 9) << i;
  }
}

TEST(Transactions, AreWrongWhereACounterWasNotWhole) {
  std::string message;
  (void)Transactions({}).Detail(0, &message);
  EXPECT_EQ(message, "");
  (void)Transactions({}).Detail(1, &message);
  EXPECT_THAT(message, HasSubstr("1 of the counters that were read"));
}

}  // namespace levelfield::transaction_test
