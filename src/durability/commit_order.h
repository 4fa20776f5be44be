// What a writer commits, and in which order: one thread's commits 1, 2, 3, ..., drawn from the
// seed, so that writer and checker know them without telling each other.
//
// A commit is a put or an erase, or a batch of two to eight of them on as many keys; of all keys
// about half are fresh and half are there already. The version of a value is the number of the
// commit that wrote it: what is found under a key says which commit it is of. Each thread has keys
// of its own, scattered over its range so that trees split everywhere. For one thread.
#ifndef LEVELFIELD_DURABILITY_COMMIT_ORDER_H_
#define LEVELFIELD_DURABILITY_COMMIT_ORDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace levelfield {

struct CommitEntry {
  uint64_t key = 0;
  uint32_t value_bytes = 0;
  bool erase = false;
};

class CommitOrder {
 public:
  struct Shape {
    uint64_t seed = 0;
    uint32_t value_bytes = 100;  // Most values; one of eight is forty times as long.
    bool erases = true;
  };
  static constexpr uint32_t kLongValueFactor = 40;

  CommitOrder(const Shape& shape, uint32_t thread)
      : shape_(shape),
        thread_(thread),
        random_(DeriveSeed(shape.seed, "durability", "commits", thread)) {}

  // The entries of the next commit, each of another key; valid until the next call.
  std::span<const CommitEntry> Next();
  // The number of the commit that `Next` gave last; 0 before the first.
  uint32_t commit() const { return commit_; }

 private:
  CommitEntry Draw();
  bool IsInCommit(uint64_t key) const;

  Shape shape_;
  uint32_t thread_;
  Random random_;
  uint32_t commit_ = 0;
  uint32_t fresh_keys_ = 0;
  std::vector<CommitEntry> entries_;
};

// 16 hexadecimal digits, which sort as the numbers do; and back, false for any other text.
std::string KeyText(uint64_t key);
bool ParseKeyText(std::string_view text, uint64_t& key);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_COMMIT_ORDER_H_
