// Transactions: what they wrote is there at once or not at all, what was got for update is what it
// was at the commit, and whoever was in the way is told with LF_CONFLICT. Sessions that might wait
// for each other are on threads of their own. An engine may have none, and says so.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "conformance.h"

namespace levelfield {
namespace {

// The options with which an engine has transactions, where it has them not by default.
std::vector<SettingList> KindsOf(const Engine& engine) {
  if (std::string_view(engine.table().name) != "rocksdb") return {{}};
  std::vector<SettingList> kinds = {{{"transactions", "optimistic"}}};
  SettingList pessimistic = BaseSettings("process");
  pessimistic.emplace_back("transactions", "pessimistic");
  // Debian's 7.8 has no C function for it; what is newer has.
  if (engine.CheckSettings(pessimistic).ok()) {
    kinds.push_back({{"transactions", "pessimistic"}, {"transaction_lock_timeout", "50"}});
    kinds.push_back({{"transactions", "pessimistic"}, {"transaction_set_snapshot", "1"}});
  }
  return kinds;
}

class TransactionConformance : public AnswersConformance {
 protected:
  // Begins one, or says that there is none; with the classes that have them.
  bool Begins(TestSession& session) const {
    return WorksOrSaysWhyNot(engine().table().begin_transaction(session.get()), "transactions");
  }
  Answer GetForUpdate(TestSession& session, std::string_view key) const {
    lf_bytes value{};
    Answer answer{.code = engine().table().get_for_update(session.get(), Bytes(key), &value),
                  .key = "",
                  .value = ""};
    if (answer.code == LF_OK) answer.value.assign(value.data, value.size);
    return answer;
  }
  lf_code Commit(TestSession& session) const {
    return engine().table().commit_transaction(session.get());
  }
  lf_code RollBack(TestSession& session) const {
    return engine().table().roll_back_transaction(session.get());
  }

  // `claim(store, session)` for each kind of transactions and each durability class, in a new
  // directory each.
  template <class Claim>
  void ForEachKind(Claim claim) {
    if (engine().table().begin_transaction == nullptr) GTEST_SKIP() << "has no transactions";
    for (const SettingList& kind : KindsOf(engine())) {
      for (const std::string_view name : {"none", "process"}) {
        if (Durability(name).level == LF_REFUSED) continue;
        const TemporaryDirectory place;
        SettingList settings = BaseSettings(name);
        Set(settings, kind);
        auto store = Store::Open(engine(), place.path(), settings);
        ASSERT_TRUE(store.ok()) << store.status().message();
        SCOPED_TRACE(std::string(name) + (kind.empty() ? "" : ", " + kind.front().second));
        claim(*store);
      }
    }
  }
};

CONFORMANCE_SUITE(Transactions, TransactionConformance);

TEST_P(Transactions, SeeWhatTheyWroteAndLeaveItAtTheCommit) {
  ForEachKind([&](Store& store) {
    TestSession session(store);
    ASSERT_EQ(session.Put("changed", "old"), LF_OK);
    ASSERT_EQ(session.Put("erased", "old"), LF_OK);
    if (!Begins(session)) return;
    EXPECT_EQ(GetForUpdate(session, "changed"), Value("old"));
    EXPECT_EQ(GetForUpdate(session, "absent"), NotFound());
    ASSERT_EQ(session.Put("changed", "new"), LF_OK);
    ASSERT_EQ(session.Put("made", ""), LF_OK);
    ASSERT_EQ(session.Erase("erased"), LF_OK);
    ASSERT_EQ(session.Erase("absent"), LF_OK) << "as it is outside";
    EXPECT_EQ(session.Get("changed"), Value("new"));
    EXPECT_EQ(GetForUpdate(session, "changed"), Value("new"));
    EXPECT_EQ(session.Get("made"), Value(""));
    EXPECT_EQ(session.Get("erased"), NotFound());
    EXPECT_EQ(GetForUpdate(session, "erased"), NotFound());
    ASSERT_EQ(Commit(session), LF_OK) << Reason();
    const Model expected = {{"changed", "new"}, {"made", ""}};
    EXPECT_EQ(session.Everything(), expected);
    TestSession other(store);
    EXPECT_EQ(other.Everything(), expected);
    EXPECT_EQ(other.EverythingBackwards(), expected);
  });
}

TEST_P(Transactions, LeaveNothingWhenTheyAreRolledBack) {
  ForEachKind([&](Store& store) {
    const Model expected = {{"changed", "old"}, {"erased", "old"}};
    TestSession session(store);
    ASSERT_EQ(session.Put("changed", "old"), LF_OK);
    ASSERT_EQ(session.Put("erased", "old"), LF_OK);
    for (int round = 0; round < 3; ++round) {
      if (!Begins(session)) return;
      ASSERT_EQ(session.Put("changed", "new"), LF_OK);
      ASSERT_EQ(session.Put("made", "new"), LF_OK);
      ASSERT_EQ(session.Erase("erased"), LF_OK);
      ASSERT_EQ(RollBack(session), LF_OK) << Reason();
      ASSERT_EQ(RollBack(session), LF_OK) << "there is none open then";
      EXPECT_EQ(session.Everything(), expected);
    }
    {
      TestSession leaves(store);
      ASSERT_TRUE(Begins(leaves));
      ASSERT_EQ(leaves.Put("made", "new"), LF_OK);
    }
    EXPECT_EQ(session.Everything(), expected) << "a session that ends rolls back";
    ASSERT_EQ(session.Put("made", "later"), LF_OK) << "and holds nobody up";
  });
}

// Counters that every transaction adds one to, beside each other: an update that was lost, or one
// of a transaction that had a conflict, shows in the sum.
TEST_P(Transactions, OfSeveralThreadsLoseNoUpdate) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 60;
  ForEachKind([&](Store& store) {
    {
      TestSession session(store);
      if (!Begins(session)) return;
      ASSERT_EQ(RollBack(session), LF_OK);
    }
    std::atomic<int> committed{0};
    std::atomic<int> failed{0};
    const auto add_one = [&](TestSession& session, const std::string& key) -> lf_code {
      const Answer answer = GetForUpdate(session, key);
      if (answer.code != LF_OK && answer.code != LF_NOT_FOUND) return answer.code;
      const int count = answer.code == LF_OK ? std::stoi(answer.value) : 0;
      return session.Put(key, std::to_string(count + 1));
    };
    const auto work = [&](TestSession& session, int thread) {
      for (int round = 0; round < kRounds; ++round) {
        // In both orders, so that there are deadlocks too.
        const bool turned = (round + thread) % 2 == 0;
        lf_code code = engine().table().begin_transaction(session.get());
        const bool is_open = code == LF_OK;
        if (code == LF_OK) code = add_one(session, turned ? "a" : "b");
        if (code == LF_OK) code = add_one(session, turned ? "b" : "a");
        if (code == LF_OK) code = Commit(session);
        if (code == LF_OK) {
          ++committed;
          continue;
        }
        if (code != LF_CONFLICT) ++failed;
        if (is_open && RollBack(session) != LF_OK) ++failed;
      }
    };
    {
      std::vector<std::unique_ptr<TestSession>> sessions;
      for (int i = 0; i < kThreads; ++i) sessions.push_back(std::make_unique<TestSession>(store));
      std::vector<std::jthread> threads;
      for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] { work(*sessions[static_cast<size_t>(i)], i); });
      }
    }
    EXPECT_EQ(failed, 0);
    EXPECT_GT(committed, 0);
    TestSession session(store);
    EXPECT_EQ(session.Get("a"), Value(std::to_string(committed)));
    EXPECT_EQ(session.Get("b"), Value(std::to_string(committed)));
  });
}

TEST_P(Transactions, AreNotSeenByOthersBeforeTheCommit) {
  if (!Has(LF_BATCH_ATOMIC)) GTEST_SKIP() << "readers may see half of what is written as one";
  ForEachKind([&](Store& store) {
    TestSession session(store);
    ASSERT_EQ(session.Put("key", "committed"), LF_OK);
    if (!Begins(session)) return;
    ASSERT_EQ(RollBack(session), LF_OK);
    std::atomic<bool> is_over{false};
    std::atomic<int> seen{0};
    TestSession reader(store);
    std::jthread reads([&] {
      do {
        if (reader.Get("key").value != "committed") ++seen;
      } while (!is_over);
    });
    for (int round = 0; round < 200; ++round) {
      if (engine().table().begin_transaction(session.get()) != LF_OK) continue;
      (void)session.Put("key", "uncommitted");
      EXPECT_EQ(RollBack(session), LF_OK);
    }
    is_over = true;
    reads.join();
    EXPECT_EQ(seen, 0);
  });
}

TEST_P(Transactions, AnIteratorThatIsMadeAndLetGoLeavesAScanWhatItIs) {
  const auto new_iterator = engine().table().new_iterator;
  if (new_iterator == nullptr) GTEST_SKIP() << "makes no iterators";
  StoreSession session(Open());
  ASSERT_EQ(session.Put("a", "1"), LF_OK);
  ASSERT_EQ(session.Put("b", "2"), LF_OK);
  EXPECT_EQ(session.Seek(LF_FIRST), Entry("a", "1"));
  if (!WorksOrSaysWhyNot(new_iterator(session.get()), "new_iterator")) return;
  EXPECT_EQ(session.Next().code, LF_NOT_FOUND) << "it ends the scan, as any call does";
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(new_iterator(session.get()), LF_OK) << Reason();
  ASSERT_EQ(session.Put("c", "3"), LF_OK);
  EXPECT_EQ(session.Everything(), (Model{{"a", "1"}, {"b", "2"}, {"c", "3"}}));
}

}  // namespace
}  // namespace levelfield
