// What a writer has issued and what was acknowledged to it, in memory that it shares with its
// parent: outside of every file system, so a fault of one takes nothing of it along.
//
// The parent makes it; the writer opens it by the path `/proc/<parent>/fd/<n>`. A thread of the
// writer counts `issued` up before it calls the engine, and `acked` when the engine has answered;
// the parent reads `acked` BEFORE a fault (what arrives during it binds nobody) and `issued` after.
#ifndef LEVELFIELD_DURABILITY_ACKNOWLEDGEMENTS_H_
#define LEVELFIELD_DURABILITY_ACKNOWLEDGEMENTS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

class Acknowledgements {
 public:
  static constexpr uint32_t kMostThreads = 64;
  static constexpr uint64_t kMostCommits = 1 << 18;  // One thread's.

  // For one thread of the writer, on a cache line of its own.
  struct alignas(64) Slot {
    std::atomic<uint64_t> issued;
    std::atomic<uint64_t> acked;
    // When the n-th was acknowledged, CLOCK_MONOTONIC, so that a loss has a length in time.
    std::atomic<uint64_t> acked_ns[kMostCommits + 1];
  };

  static StatusOr<Acknowledgements> Make(uint32_t threads);
  static StatusOr<Acknowledgements> Open(const std::string& path, uint32_t threads);
  Acknowledgements(Acknowledgements&& other) noexcept;
  Acknowledgements& operator=(Acknowledgements&&) = delete;
  ~Acknowledgements();

  // By which another process of this user opens it, while this one lives.
  std::string path() const;
  uint32_t threads() const { return threads_; }
  Slot& slot(uint32_t thread) { return slots_[thread]; }
  std::vector<uint64_t> Issued() const;
  std::vector<uint64_t> Acked() const;
  uint64_t AckedNs(uint32_t thread, uint64_t commit) const;

  // How far each thread may go: the parent raises it, a thread that has come there waits.
  std::atomic<uint64_t>& goal() { return shared_->goal; }
  // Threads that have a session and begin to write.
  std::atomic<uint32_t>& ready() { return shared_->ready; }

 private:
  // What lies ahead of the slots.
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

#endif  // LEVELFIELD_DURABILITY_ACKNOWLEDGEMENTS_H_
