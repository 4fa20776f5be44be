#include "durability/commits.h"

#include <csignal>
#include <map>
#include <set>

#include "base/child_for_test.h"
#include "base/matchers_for_test.h"

namespace levelfield::commits_test {

constexpr CommitOrder::Shape kShape = {.seed = 7};

TEST(CommitOrder, IsTheSameForWhoeverKnowsTheSeed) {
  CommitOrder one(kShape, 3);
  CommitOrder other(kShape, 3);
  for (int i = 0; i < 1000; ++i) {
    const std::span<const CommitEntry> a = one.Next();
    const std::span<const CommitEntry> b = other.Next();
    ASSERT_EQ(a.size(), b.size());
    for (size_t n = 0; n < a.size(); ++n) {
      EXPECT_EQ(a[n].key, b[n].key);
      EXPECT_EQ(a[n].value_bytes, b[n].value_bytes);
      EXPECT_EQ(a[n].erase, b[n].erase);
    }
  }
}

// The version of a value is the number of its commit, so a commit may write a key only once.
TEST(CommitOrder, NoCommitHasAKeyTwice) {
  CommitOrder order(kShape, 0);
  for (int i = 0; i < 5000; ++i) {
    std::set<uint64_t> keys;
    for (const CommitEntry& entry : order.Next()) EXPECT_TRUE(keys.insert(entry.key).second);
  }
}

TEST(CommitOrder, HasPutsOverwritesErasuresBatchesAndLongValues) {
  CommitOrder order(kShape, 0);
  std::map<uint64_t, int> writes;
  int batches = 0;
  int erasures = 0;
  int overwrites = 0;
  int long_values = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::span<const CommitEntry> entries = order.Next();
    batches += entries.size() > 1 ? 1 : 0;
    for (const CommitEntry& entry : entries) {
      erasures += entry.erase ? 1 : 0;
      overwrites += !entry.erase && ++writes[entry.key] > 1 ? 1 : 0;
      long_values += entry.value_bytes > kShape.value_bytes ? 1 : 0;
    }
  }
  EXPECT_GT(batches, 150);
  EXPECT_GT(erasures, 50);
  EXPECT_GT(overwrites, 300);
  EXPECT_GT(long_values, 100);
  EXPECT_GT(writes.size(), 300u);
}

TEST(CommitOrder, ThreadsHaveKeysOfTheirOwn) {
  std::set<uint64_t> of_first;
  CommitOrder first(kShape, 0);
  CommitOrder second(kShape, 1);
  for (int i = 0; i < 1000; ++i) {
    for (const CommitEntry& entry : first.Next()) of_first.insert(entry.key);
  }
  for (int i = 0; i < 1000; ++i) {
    for (const CommitEntry& entry : second.Next()) EXPECT_FALSE(of_first.contains(entry.key));
  }
}

TEST(CommitOrder, AKeyComesBackFromItsTextAndNothingElseDoes) {
  uint64_t key = 0;
  EXPECT_TRUE(ParseKeyText(KeyText(0x1234567890abcdef), key));
  EXPECT_EQ(key, 0x1234567890abcdefu);
  for (const char* const text : {"", "12", "0000000000000g01", "00000000000000AB",
                                 "00000000000000001", " 000000000000001"}) {
    EXPECT_FALSE(ParseKeyText(text, key)) << text;
  }
}

TEST(Acknowledgements, OfAWriterThatWasKilledAreThere) {
  StatusOr<Acknowledgements> ours = Acknowledgements::Make(2);
  ASSERT_TRUE(ours.ok()) << ours.status().message();
  const std::string path = ours->path();
  const auto write = [&path] {
    StatusOr<Acknowledgements> theirs = Acknowledgements::Open(path, 2);
    if (!theirs.ok()) return 1;
    theirs->slot(0).issued = 8;
    theirs->slot(1).issued = Acknowledgements::kMostCommits;
    theirs->slot(1).acked_ns[Acknowledgements::kMostCommits] = 77;
    theirs->slot(1).acked = Acknowledgements::kMostCommits;
    theirs->goal() = 5;
    return raise(SIGKILL);
  };
  ASSERT_EQ(InChild(write), 128 + SIGKILL);
  EXPECT_THAT(ours->Issued(), ElementsAre(8, Acknowledgements::kMostCommits));
  EXPECT_THAT(ours->Acked(), ElementsAre(0, Acknowledgements::kMostCommits));
  EXPECT_EQ(ours->AckedNs(1, Acknowledgements::kMostCommits), 77u);
  EXPECT_EQ(ours->goal(), 5u);
}

TEST(Acknowledgements, OfAParentThatIsGoneAreAnError) {
  EXPECT_FALSE(Acknowledgements::Open("/proc/self/fd/1000000", 1).ok());
}

}  // namespace levelfield::commits_test
