// Batches: all of it, in order, at once.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(Batches, AnswersConformance);

TEST_P(Batches, EveryEntryIsApplied) {
  Store store = Open();
  TestSession session(store);
  Model model;
  for (int i = 1000; i < 2000; ++i) model["k" + std::to_string(i)] = "v" + std::to_string(i);
  std::vector<lf_entry> entries;
  for (const auto& [key, value] : model) entries.push_back(PutEntry(key, value));
  ASSERT_EQ(session.Write(entries), LF_OK);
  EXPECT_EQ(session.Everything(), model);

  entries.clear();
  for (const auto& [key, value] : model) {
    if (key.back() == '7') entries.push_back(EraseEntry(key));
  }
  entries.push_back(PutEntry("new", "1"));
  entries.push_back(EraseEntry("absent"));
  ASSERT_EQ(session.Write(entries), LF_OK);
  std::erase_if(model, [](const auto& entry) { return entry.first.back() == '7'; });
  model["new"] = "1";
  EXPECT_EQ(session.Everything(), model);
}

TEST_P(Batches, OfOneKeyTheLastEntryWins) {
  Store store = Open();
  TestSession session(store);
  ASSERT_EQ(session.Put("was", "0"), LF_OK);
  ASSERT_EQ(
      session.Write({PutEntry("put_erase", "1"), EraseEntry("put_erase"), EraseEntry("erase_put"),
                     PutEntry("erase_put", "2"), PutEntry("put_put", "1"), PutEntry("put_put", "2"),
                     EraseEntry("was"), PutEntry("was", "3"), EraseEntry("was")}),
      LF_OK);
  EXPECT_EQ(session.Everything(), (Model{{"erase_put", "2"}, {"put_put", "2"}}));
  EXPECT_EQ(session.Get("put_erase"), NotFound());
}

TEST_P(Batches, OfNothingChangesNothing) {
  Store store = Open();
  TestSession session(store);
  ASSERT_EQ(session.Put("a", "1"), LF_OK);
  EXPECT_EQ(session.Write({}), LF_OK);
  EXPECT_EQ(session.Everything(), (Model{{"a", "1"}}));
}

TEST_P(Batches, OfOneEntryIsAPut) {
  Store store = Open();
  TestSession session(store);
  for (int i = 0; i < 100; ++i) {
    const std::string value = std::to_string(i);
    ASSERT_EQ(session.Write({PutEntry("a", value)}), LF_OK);
    ASSERT_EQ(session.Get("a"), Value(value));
  }
  ASSERT_EQ(session.Write({EraseEntry("a")}), LF_OK);
  EXPECT_EQ(session.Get("a"), NotFound());
}

TEST_P(Batches, ARefusedEntryRefusesAnAtomicBatchWhole) {
  if (!Has(LF_BATCH_ATOMIC)) GTEST_SKIP() << "its batches are not atomic";
  Store store = Open();
  TestSession session(store);
  const std::string long_key(65536, 'k');
  int refused = 0;
  for (const std::string& odd : {std::string(), long_key}) {
    const lf_code code =
        session.Write({PutEntry("a", "1"), PutEntry(odd, "2"), PutEntry("b", "3")});
    const std::string what = "a batch with a key of " + std::to_string(odd.size()) + " bytes";
    if (WorksOrSaysWhyNot(code, what)) continue;
    ++refused;
    EXPECT_EQ(session.Get("a"), NotFound()) << what;
    EXPECT_EQ(session.Get("b"), NotFound()) << what;
    EXPECT_EQ(session.Put("after", "1"), LF_OK) << "the session goes on";
    EXPECT_EQ(session.Erase("after"), LF_OK);
  }
  RecordProperty("refused", refused);
}

// Two keys are only ever written together, with rising values, so a reader that finds the first at
// n must find the second, which it reads later, at n or above. Equality would ask for more: that a
// scan is a snapshot, which the contract does not promise.
TEST_P(Batches, AReaderNeverSeesHalfAnAtomicBatch) {
  if (!Has(LF_BATCH_ATOMIC)) GTEST_SKIP() << "its batches are not atomic";
  Store store = Open();
  const auto number = [](int i) { return std::to_string(100000 + i); };
  TestSession session(store);
  ASSERT_EQ(session.Write({PutEntry("a", number(0)), PutEntry("z", number(0))}), LF_OK);

  constexpr int kBatches = 1000;
  std::atomic<bool> is_done = false;
  std::mutex begin_and_end;  // The contract has sessions begin and end one at a time.
  std::thread writer([&] {
    std::unique_lock lock(begin_and_end);
    {
      TestSession own(store);
      lock.unlock();
      for (int i = 1; i <= kBatches; ++i) {
        const std::string value = number(i);
        // Both orders, because half a batch may be either half.
        const std::vector<lf_entry> entries =
            i % 2 == 0 ? std::vector{PutEntry("a", value), PutEntry("z", value)}
                       : std::vector{PutEntry("z", value), PutEntry("a", value)};
        if (own.Write(entries) != LF_OK) {
          ADD_FAILURE() << engine().table().last_error();
          break;
        }
      }
      lock.lock();
    }
    is_done = true;
  });
  int torn = 0;
  int reads = 0;
  while (!is_done) {
    const Answer a = session.Seek(LF_AT_OR_AFTER, "a");
    const Answer later_z = session.Next();
    torn += static_cast<int>(later_z.value < a.value);
    const Answer z = session.Seek(LF_AT_OR_BEFORE, "z");
    const Answer later_a = session.Prev();
    torn += static_cast<int>(later_a.value < z.value);
    const Answer got_a = session.Get("a");
    torn += static_cast<int>(session.Get("z").value < got_a.value);
    const Answer got_z = session.Get("z");
    torn += static_cast<int>(session.Get("a").value < got_z.value);
    ++reads;
    if (a.code != LF_OK || later_z.code != LF_OK || z.code != LF_OK || later_a.code != LF_OK) {
      ADD_FAILURE() << "a read failed: " << engine().table().last_error();
      break;
    }
  }
  writer.join();
  EXPECT_EQ(torn, 0) << "of " << reads << " reads";
  EXPECT_EQ(session.Everything(), (Model{{"a", number(kBatches)}, {"z", number(kBatches)}}));
}

}  // namespace
}  // namespace levelfield
