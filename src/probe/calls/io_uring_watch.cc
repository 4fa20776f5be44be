#include "probe/calls/io_uring_watch.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "probe/calls/traced_process.h"

namespace levelfield {
namespace {

// Flags of Linux 6.1: their effect on the rings' layout is known.
constexpr uint32_t kKnownFlags = IORING_SETUP_IOPOLL | IORING_SETUP_SQPOLL | IORING_SETUP_SQ_AFF |
                                 IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_ATTACH_WQ |
                                 IORING_SETUP_R_DISABLED | IORING_SETUP_SUBMIT_ALL |
                                 IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
                                 IORING_SETUP_SQE128 | IORING_SETUP_CQE32 |
                                 IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;

// A part of a ring's memory, to be read.
class Window {
 public:
  Window(int fd, size_t bytes, uint64_t offset)
      : bytes_(bytes),
        begin_(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(offset))) {}
  Window(Window&& other) noexcept
      : bytes_(other.bytes_), begin_(std::exchange(other.begin_, MAP_FAILED)) {}
  Window& operator=(Window&&) = delete;
  ~Window() {
    if (begin_ != MAP_FAILED) munmap(begin_, bytes_);
  }

  bool ok() const { return begin_ != MAP_FAILED; }
  uint32_t At(size_t offset) const {
    return __atomic_load_n(reinterpret_cast<const uint32_t*>(Pointer(offset)), __ATOMIC_ACQUIRE);
  }
  template <class Entry>
  const Entry& EntryAt(size_t offset) const {
    return *reinterpret_cast<const Entry*>(Pointer(offset));
  }

 private:
  const char* Pointer(size_t offset) const { return static_cast<const char*>(begin_) + offset; }

  size_t bytes_;
  void* begin_;
};

size_t EntryBytes(const io_uring_params& params) {
  return sizeof(io_uring_sqe) << ((params.flags & IORING_SETUP_SQE128) != 0 ? 1 : 0);
}
size_t EndBytes(const io_uring_params& params) {
  return sizeof(io_uring_cqe) << ((params.flags & IORING_SETUP_CQE32) != 0 ? 1 : 0);
}

}  // namespace

class IoUringWatch::Ring {
 public:
  Ring(pid_t owner, int fd, const io_uring_params& params)
      : owner_(owner),
        params_(params),
        submitted_(fd, params.sq_off.array + params.sq_entries * sizeof(uint32_t),
                   IORING_OFF_SQ_RING),
        ended_(fd, params.cq_off.cqes + params.cq_entries * EndBytes(params), IORING_OFF_CQ_RING),
        entries_(fd, params.sq_entries * EntryBytes(params), IORING_OFF_SQES) {}

  bool ok() const { return submitted_.ok() && ended_.ok() && entries_.ok(); }

  void ReadSubmitted(std::string& missed) {
    const uint32_t tail = submitted_.At(params_.sq_off.tail);
    if (tail - next_submitted_ > params_.sq_entries) {
      missed = "more was submitted to an io_uring between two looks than it has entries";
      next_submitted_ = tail;
    }
    for (; next_submitted_ != tail; ++next_submitted_) {
      const uint32_t slot = next_submitted_ & (params_.sq_entries - 1);
      const uint32_t index = submitted_.At(params_.sq_off.array + slot * sizeof(uint32_t));
      if (index >= params_.sq_entries) continue;  // The kernel drops it.
      const auto& entry = entries_.EntryAt<io_uring_sqe>(index * EntryBytes(params_));
      const Asked asked = AskedBy(entry, missed);
      if (asked.is_sync && (entry.flags & IOSQE_CQE_SKIP_SUCCESS) != 0) {
        missed = "a sync of an io_uring was submitted that tells only of its failure";
        continue;
      }
      asked_[entry.user_data].push_back(asked);
    }
  }

  uint64_t ReadEnded(KeptWrites& writes, std::string& missed) {
    uint64_t syncs = 0;
    const uint32_t tail = ended_.At(params_.cq_off.tail);
    if (tail - next_ended_ > params_.cq_entries) {
      missed = "more ended in an io_uring between two looks than it has entries";
      next_ended_ = tail;
    }
    for (; next_ended_ != tail; ++next_ended_) {
      const size_t slot = next_ended_ & (params_.cq_entries - 1);
      const auto& end =
          ended_.EntryAt<io_uring_cqe>(params_.cq_off.cqes + slot * EndBytes(params_));
      const auto at = asked_.find(end.user_data);
      if (at == asked_.end() || (end.flags & IORING_CQE_F_MORE) != 0) continue;
      const Asked asked = at->second.front();
      at->second.pop_front();
      if (at->second.empty()) asked_.erase(at);
      if (end.res < 0) continue;
      if (asked.is_sync) ++syncs;
      if (asked.is_write && asked.file) {
        writes.Write(*asked.file, static_cast<uint64_t>(end.res), asked.is_sync);
      } else if (asked.is_sync && !asked.is_write) {
        writes.Keep(asked.file ? writes.OfFile(*asked.file) : writes.OfAll());
      }
    }
    return syncs;
  }

 private:
  struct Asked {
    bool is_sync = false;
    bool is_write = false;
    std::optional<FileId> file = {};  // Nothing: it is registered, and nobody tells which it is.
  };

  Asked AskedBy(const io_uring_sqe& entry, std::string& missed) const {
    const bool is_registered = (entry.flags & IOSQE_FIXED_FILE) != 0;
    const auto file = [&] { return is_registered ? std::nullopt : FileOf(owner_, entry.fd); };
    const auto id = [](const std::optional<OpenedFile>& opened) {
      return opened ? std::optional(opened->id) : std::nullopt;
    };
    switch (entry.opcode) {
      case IORING_OP_FSYNC:
        return {.is_sync = true, .file = id(file())};
      case IORING_OP_WRITE:
      case IORING_OP_WRITEV:
      case IORING_OP_WRITE_FIXED: {
        const bool asks = (static_cast<uint32_t>(entry.rw_flags) & (RWF_DSYNC | RWF_SYNC)) != 0;
        if (is_registered) {
          missed =
              "it writes to files that are registered with an io_uring, of which the kernel does "
              "not tell which they are, nor whether they are opened with O_DSYNC";
        }
        const std::optional<OpenedFile> opened = file();
        return {.is_sync = asks || (opened && opened->is_synced),
                .is_write = true,
                .file = id(opened)};
      }
      case IORING_OP_SPLICE:
        missed = "it splices by an io_uring, perhaps into a file";
        return {};
      case IORING_OP_URING_CMD:
        missed = "it gives a device commands of its own by an io_uring";
        return {};
      default:
        return {};
    }
  }

  pid_t owner_;
  io_uring_params params_;
  Window submitted_;
  Window ended_;
  Window entries_;
  uint32_t next_submitted_ = 0;
  uint32_t next_ended_ = 0;
  // By the mark that an entry and its completion share, in the order of submission.
  std::map<uint64_t, std::deque<Asked>> asked_;
};

IoUringWatch::IoUringWatch() = default;
IoUringWatch::~IoUringWatch() = default;

void IoUringWatch::Add(pid_t tid, int fd, uint64_t params_address) {
  io_uring_params params{};
  const UniqueFd ring = DescriptorOf(tid, fd);
  if (ring.ok() && ReadMemoryOf(tid, params_address, &params, sizeof(params)) &&
      (params.flags & ~kKnownFlags) == 0) {
    auto watched = std::make_unique<Ring>(ProcessOf(tid), ring.get(), params);
    if (watched->ok()) {
      rings_.push_back(std::move(watched));
      return;
    }
  }
  missed_ = "it has an io_uring that cannot be looked into";
}

uint64_t IoUringWatch::NewSyncs(KeptWrites& writes) {
  uint64_t syncs = 0;
  for (const std::unique_ptr<Ring>& ring : rings_) {
    ring->ReadSubmitted(missed_);
    syncs += ring->ReadEnded(writes, missed_);
  }
  return syncs;
}

}  // namespace levelfield
