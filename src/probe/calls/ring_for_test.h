// A private io_uring, for tests of the code that watches them: one entry at a time, by plain system
// calls, as a library would do it. Not for two threads.
#ifndef LEVELFIELD_PROBE_CALLS_RING_FOR_TEST_H_
#define LEVELFIELD_PROBE_CALLS_RING_FOR_TEST_H_

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace levelfield {

class RingForTest {
 public:
  static constexpr unsigned kEntries = 4;

  // Whether this machine lets anybody have one.
  static bool Exists() {
    return syscall(SYS_io_uring_setup, 0, nullptr) >= 0 || (errno != ENOSYS && errno != EPERM);
  }

  explicit RingForTest(unsigned flags = 0) {
    params_.flags = flags;
    fd_ = static_cast<int>(syscall(SYS_io_uring_setup, kEntries, &params_));
    if (fd_ < 0) return;
    sq_ = Map(params_.sq_off.array + params_.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
    cq_ = Map(params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
    entries_ = Map(params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
  }

  // The result of the call: negative is an error.
  int Do(const io_uring_sqe& asked) {
    if (fd_ < 0) return -EBADF;
    const unsigned tail = At(sq_, params_.sq_off.tail);
    const unsigned index = tail & At(sq_, params_.sq_off.ring_mask);
    reinterpret_cast<io_uring_sqe*>(entries_)[index] = asked;
    At(sq_, params_.sq_off.array + index * sizeof(unsigned)) = index;
    std::atomic_ref(At(sq_, params_.sq_off.tail)).store(tail + 1, std::memory_order_seq_cst);
    while (IsEmpty()) {
      if (!WaitALittle()) return -errno;
    }
    unsigned& head = At(cq_, params_.cq_off.head);
    const auto* const ended = reinterpret_cast<const io_uring_cqe*>(cq_ + params_.cq_off.cqes);
    const int result = ended[head & At(cq_, params_.cq_off.ring_mask)].res;
    std::atomic_ref(head).store(head + 1, std::memory_order_seq_cst);
    return result;
  }

  int Sync(int file, unsigned char flags = 0) {
    io_uring_sqe entry{};
    entry.opcode = IORING_OP_FSYNC;
    entry.flags = flags;
    entry.fsync_flags = IORING_FSYNC_DATASYNC;
    entry.fd = file;
    return Do(entry);
  }
  int Write(int file, int flags) {
    static const char kByte = 'x';
    io_uring_sqe entry{};
    entry.opcode = IORING_OP_WRITE;
    entry.fd = file;
    entry.addr = reinterpret_cast<uintptr_t>(&kByte);
    entry.len = 1;
    entry.rw_flags = flags;
    return Do(entry);
  }

 private:
  char* Map(size_t bytes, uint64_t what) const {
    return static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_POPULATE, fd_, static_cast<off_t>(what)));
  }
  static unsigned& At(char* ring, size_t offset) {
    return *reinterpret_cast<unsigned*>(ring + offset);
  }
  bool IsEmpty() {
    return std::atomic_ref(At(cq_, params_.cq_off.tail)).load() == At(cq_, params_.cq_off.head);
  }

  // A thread of the kernel reads a polled ring and sleeps after a long pause, so there may be no
  // system call at all.
  bool WaitALittle() {
    if ((params_.flags & IORING_SETUP_SQPOLL) == 0) {
      return syscall(SYS_io_uring_enter, fd_, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) >= 0;
    }
    const unsigned flags = std::atomic_ref(At(sq_, params_.sq_off.flags)).load();
    return (flags & IORING_SQ_NEED_WAKEUP) == 0 ||
           syscall(SYS_io_uring_enter, fd_, 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0) >= 0;
  }

  io_uring_params params_{};
  int fd_ = -1;
  char* sq_ = nullptr;
  char* cq_ = nullptr;
  char* entries_ = nullptr;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_RING_FOR_TEST_H_
