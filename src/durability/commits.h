// The commits of a writer that a fault will hit: which they are, their order, and how many of them
// were issued and acknowledged.
#ifndef LEVELFIELD_DURABILITY_COMMITS_H_
#define LEVELFIELD_DURABILITY_COMMITS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

struct CommitEntry {
  uint64_t key = 0;
  uint32_t value_bytes = 0;
  bool erase = false;
};

// What a writer commits, and in which order: one thread's commits 1, 2, 3, ..., drawn from the
// seed, so writer and checker both know them without a message.
//
// A commit is a put or an erase, or a batch of two to eight of them on as many keys. About half of
// the keys are fresh and half exist already. The version of a value is the number of the commit
// that wrote it, so the value found under a key names its commit. Each thread has its own keys,
// scattered over its range so that trees split everywhere. For one thread.
class CommitOrder {
 public:
  struct Shape {
    uint64_t seed = 0;
    uint32_t value_bytes = 100;  // Most values; one in eight is forty times as long.
    bool erases = true;
  };
  static constexpr uint32_t kLongValueFactor = 40;

  CommitOrder(const Shape& shape, uint32_t thread)
      : shape_(shape),
        thread_(thread),
        random_(DeriveSeed(shape.seed, "durability", "commits", thread)) {}

  // The entries of the next commit, each with a different key; valid until the next call.
  std::span<const CommitEntry> Next();
  // The number of the last commit from `Next`; 0 before the first.
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

// 16 hexadecimal digits, which sort as the numbers do. Back: false for any other text.
std::string KeyText(uint64_t key);
bool ParseKeyText(std::string_view text, uint64_t& key);

// What a writer has issued and what was acknowledged to it. It is in memory shared with the parent,
// outside of every file system, so no fault of one destroys it.
//
// The parent makes it; the writer opens it by the path `/proc/<parent>/fd/<n>`. A thread of the
// writer increases `issued` before it calls the engine, and `acked` when the engine has answered.
// The parent reads `acked` BEFORE a fault (acknowledgements during it do not count) and `issued`
// after.
class Acknowledgements {
 public:
  static constexpr uint32_t kMostThreads = 64;
  static constexpr uint64_t kMostCommits = 1 << 18;  // One thread's.

  // For one thread of the writer, on a cache line of its own.
  struct alignas(64) Slot {
    std::atomic<uint64_t> issued;
    std::atomic<uint64_t> acked;
    // When the n-th was acknowledged, CLOCK_MONOTONIC, so that a loss has a duration.
    std::atomic<uint64_t> acked_ns[kMostCommits + 1];
  };

  static StatusOr<Acknowledgements> Make(uint32_t threads);
  static StatusOr<Acknowledgements> Open(const std::string& path, uint32_t threads);
  Acknowledgements(Acknowledgements&& other) noexcept;
  Acknowledgements& operator=(Acknowledgements&&) = delete;
  ~Acknowledgements();

  // Another process of this user opens it by this path, as long as this one lives.
  std::string path() const;
  uint32_t threads() const { return threads_; }
  Slot& slot(uint32_t thread) { return slots_[thread]; }
  std::vector<uint64_t> Issued() const;
  std::vector<uint64_t> Acked() const;
  uint64_t AckedNs(uint32_t thread, uint64_t commit) const;

  // How far each thread may go: the parent raises it, and threads wait when they reach it.
  std::atomic<uint64_t>& goal() { return shared_->goal; }
  // Threads that have a session and begin to write.
  std::atomic<uint32_t>& ready() { return shared_->ready; }

 private:
  // What precedes the slots.
  struct alignas(64) Shared {
    std::atomic<uint64_t> goal;
    std::atomic<uint32_t> ready;
  };

  Acknowledgements(UniqueFd fd, uint32_t threads) : fd_(std::move(fd)), threads_(threads) {}
  Status Map();
  size_t Bytes() const { return sizeof(Shared) + threads_ * sizeof(Slot); }

  UniqueFd fd_;
  uint32_t threads_;
  Shared* shared_ = nullptr;
  Slot* slots_ = nullptr;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_COMMITS_H_
