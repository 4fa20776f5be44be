#include "probe/calls/call_tracer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/whole_file.h"
#include "probe/calls/io_uring_watch.h"
#include "probe/calls/traced_process.h"

namespace levelfield {
namespace {

// The tracer's findings, in shared memory.
struct Board {
  std::atomic<uint64_t> durable{0};
  std::atomic<uint64_t> questions{0};
  WrittenByCalls written{};  // Of the last question; written before `questions`.
  std::atomic<bool> is_missed{false};
  std::array<char, 256> missed{};  // The first reason; written before `is_missed`.
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

Board* board = nullptr;  // Null: nobody traces; `refused` says why.
std::string refused = "its system calls were not traced";

// A write to this asks the tracer, and nobody else, a question. Every sandbox lets a write pass.
constexpr int kQuestion = -0x1e7e1;

// A thread inside a sync or the like.
struct Entered {
  TracedCall::Is is;
  std::array<uint64_t, 6> arguments;
  KeptWrites::Sync sync = {};      // Of a sync.
  bool is_of_map = false;          // Of a sync.
  std::optional<FileId> file = {};  // Of a write.
  bool is_synced = false;          // Of a write.
};

class Tracer {
 public:
  explicit Tracer(pid_t child) : child_(child) {}

  // Until no process is left. Returns the child's status as waitpid does.
  int Run() {
    while (true) {
      int status = 0;
      const pid_t tid = waitpid(-1, &status, __WALL);
      if (tid < 0 && errno == EINTR) continue;
      if (tid < 0) return child_status_;
      if (!WIFSTOPPED(status)) {
        OnEnd(tid, status);
        continue;
      }
      if (traced_.insert(tid).second) peers_.AddTraced(tid);
      if (has_ended_) kill(tid, SIGKILL);
      OnStop(tid, status);
    }
  }

 private:
  // Processes that the child leaves behind end with it.
  void OnEnd(pid_t tid, int status) {
    traced_.erase(tid);
    entered_.erase(tid);
    if (tid != child_) return;
    child_status_ = status;
    has_ended_ = true;
    for (const pid_t left : traced_) kill(left, SIGKILL);
  }

  void OnStop(pid_t tid, int status) {
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    switch (event) {
      case 0:
        if (signal != (SIGTRAP | 0x80)) return Resume(PTRACE_CONT, tid, signal);
        OnExit(tid);
        return Resume(PTRACE_CONT, tid);
      case PTRACE_EVENT_SECCOMP:
        return Resume(OnEntry(tid) ? PTRACE_SYSCALL : PTRACE_CONT, tid);
      case PTRACE_EVENT_STOP:  // A new thread, or a stopped job, which must stay stopped.
        return Resume(signal == SIGTRAP ? PTRACE_CONT : PTRACE_LISTEN, tid);
      case PTRACE_EVENT_EXEC:
        entered_.erase(tid);
        return Resume(PTRACE_CONT, tid);
      default:
        return Resume(PTRACE_CONT, tid);
    }
  }

  // If it was killed meanwhile, waitpid reports that.
  static void Resume(__ptrace_request how, pid_t tid, int signal = 0) {
    ptrace(how, tid, nullptr, static_cast<uintptr_t>(signal));
  }

  // Whether its exit matters too.
  bool OnEntry(pid_t tid) {
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP) {
      if (errno != ESRCH)  // Unless it was killed meanwhile.
        Miss("the kernel does not tell what a system call is");
      return false;
    }
    if (info.seccomp.ret_data == kForeign) {
      Miss("a process of it is of another architecture");
      return false;
    }
    const TracedCall* const call = FindTracedCall(info.seccomp.nr);
    if (call == nullptr) return false;
    LookIntoRings();  // What has ended there came before this call.
    Entered entered{.is = call->is, .arguments = {}};
    std::ranges::copy(info.seccomp.args, entered.arguments.begin());
    if (!IsOfInterest(tid, *call, entered)) return false;
    entered_[tid] = std::move(entered);
    return true;
  }

  bool IsOfInterest(pid_t tid, const TracedCall& call, Entered& entered) {
    const auto fd = static_cast<int>(entered.arguments[static_cast<size_t>(call.file_argument)]);
    switch (call.is) {
      case TracedCall::Is::kSyncFile:
      case TracedCall::Is::kSyncFileSystem:
        BeginSync(tid, fd, entered);
        return true;
      case TracedCall::Is::kSyncAll:
        entered.sync = writes_.OfAll();
        return true;
      case TracedCall::Is::kSyncMap:
        entered.is_of_map = true;
        return true;
      case TracedCall::Is::kWrite:
        if (fd == kQuestion) Answer();
        return BeginWrite(tid, call, fd, entered);
      case TracedCall::Is::kAio:
        Miss("it uses io_submit(2), whose syncs end without a call");
        return false;
      default:
        return true;
    }
  }

  void BeginSync(pid_t tid, int fd, Entered& entered) const {
    const std::optional<OpenedFile> file = FileOf(tid, fd);
    if (entered.is == TracedCall::Is::kSyncFileSystem) {
      // Of a directory, say: nobody asks of which file system.
      entered.sync = file ? writes_.OfFileSystem(file->id) : writes_.OfAll();
    } else if (file) {
      entered.sync = writes_.OfFile(file->id);
      entered.is_of_map = HasSharedMapOf(tid, file->id);
    }
  }

  // Whether it is one to a file.
  static bool BeginWrite(pid_t tid, const TracedCall& call, int fd, Entered& entered) {
    const std::optional<OpenedFile> file = FileOf(tid, fd);
    if (!file) return false;
    const auto flags = call.flags_argument < 0
                           ? uint64_t{0}
                           : entered.arguments[static_cast<size_t>(call.flags_argument)];
    entered.file = file->id;
    entered.is_synced = (flags & (RWF_DSYNC | RWF_SYNC)) != 0 || file->is_synced;
    return true;
  }

  void EndSync(const Entered& entered) {
    writes_.Keep(entered.sync);
    if (entered.is_of_map) writes_.KeepMap();
    Count(1);
  }

  // Before the thread goes on, so that whoever waits for it finds its call counted.
  void OnExit(pid_t tid) {
    const auto at = entered_.find(tid);
    __ptrace_syscall_info info{};
    if (at == entered_.end() || ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_EXIT) {
      return;
    }
    const Entered entered = std::move(at->second);
    entered_.erase(at);
    const int64_t result = info.exit.rval;
    if (entered.is == TracedCall::Is::kRingEnter) LookIntoRings();
    const auto fd = static_cast<int>(entered.arguments[0]);
    if (entered.is == TracedCall::Is::kConnect && (result >= 0 || result == -EINPROGRESS)) {
      const std::string stranger = peers_.StrangerAt(tid, fd);
      if (!stranger.empty()) {
        Miss(fmt::format("it talks to a process that it has not started ({})", stranger));
      }
    }
    if (result < 0) return;
    switch (entered.is) {
      case TracedCall::Is::kSyncFile:
      case TracedCall::Is::kSyncFileSystem:
      case TracedCall::Is::kSyncAll:
      case TracedCall::Is::kSyncMap:
        return EndSync(entered);
      case TracedCall::Is::kWrite:
        writes_.Write(*entered.file, static_cast<uint64_t>(result), entered.is_synced);
        if (entered.is_synced) Count(1);
        return;
      case TracedCall::Is::kRingSetup:
        rings_.Add(tid, static_cast<int>(result), entered.arguments[1]);
        return LookIntoRings();
      case TracedCall::Is::kMapSync:
        return Miss("it has persistent memory (MAP_SYNC), which takes no call to be made durable");
      case TracedCall::Is::kListen:
        return peers_.Listens(tid, fd);
      default:
        return;
    }
  }

  void LookIntoRings() {
    Count(rings_.NewSyncs(writes_));
    if (!rings_.missed().empty()) Miss(rings_.missed());
  }

  void Answer() {
    board->written = writes_.Take();
    board->questions.fetch_add(1, std::memory_order_release);
  }

  static void Count(uint64_t calls) { board->durable.fetch_add(calls, std::memory_order_relaxed); }

  static void Miss(std::string_view why) {
    if (board->is_missed.load(std::memory_order_relaxed)) return;
    why.copy(board->missed.data(), board->missed.size() - 1);
    board->is_missed.store(true, std::memory_order_release);
  }

  pid_t child_;
  int child_status_ = 0;
  bool has_ended_ = false;
  std::set<pid_t> traced_;
  std::map<pid_t, Entered> entered_;
  IoUringWatch rings_;
  KeptWrites writes_;
  TracedPeers peers_;
};

// Ends this process in the way that the other ended.
[[noreturn]] void EndLike(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const rlimit none{};
  setrlimit(RLIMIT_CORE, &none);  // The other has dumped its core already.
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(127);
}

// Helps a person find out who refused.
std::string Refusal(const char* what, int error) {
  const bool is_traced = NumberBehind(ReadAll("/proc/self/status"), "TracerPid:").value_or(0) != 0;
  return fmt::format("its system calls could not be traced: {}: {} ({})", what,
                     std::strerror(error),
                     is_traced ? "a debugger or strace has it already"
                               : "a container, Yama or another guard of this machine refuses it");
}

// The parent's side.
[[noreturn]] void Trace(pid_t child, int answer) {
  constexpr long kOptions = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
                            PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
                            PTRACE_O_EXITKILL;
  const int error = ptrace(PTRACE_SEIZE, child, nullptr, kOptions) == 0 ? 0 : errno;
  (void)!write(answer, &error, sizeof(error));
  if (error == 0) EndLike(Tracer(child).Run());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EndLike(status);
}

// The child's side. Returns why it was refused; empty: it is traced.
std::string BeTraced(int answer) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int error = 0;
  if (read(answer, &error, sizeof(error)) != sizeof(error)) _exit(127);  // It is dead.
  if (error != 0) return Refusal("ptrace", error);
  std::vector<sock_filter> filter = TracingFilter();
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    return Refusal("seccomp", errno);
  }
  return "";
}

}  // namespace

void GoOnTraced() {
  void* const shared =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (shared == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    refused = Refusal("mmap or pipe", errno);
    return;
  }
  board = new (shared) Board;
  const pid_t child = fork();
  if (child > 0) Trace(child, ends[1]);
  refused = child == 0 ? BeTraced(ends[0]) : Refusal("fork", errno);
  if (!refused.empty()) board = nullptr;
  for (const int end : ends) close(end);
}

TracedCalls TracedCallsSoFar() {
  if (board == nullptr) return {.durable = std::nullopt, .uncounted = refused, .written = {}};
  const uint64_t questions = board->questions.load(std::memory_order_relaxed);
  syscall(SYS_write, kQuestion, nullptr, 0);
  if (board->questions.load(std::memory_order_acquire) == questions) {
    return {.durable = std::nullopt,
            .uncounted = "the kernel did not stop it at its system calls",
            .written = {}};
  }
  const bool is_missed = board->is_missed.load(std::memory_order_acquire);
  return {.durable = board->durable.load(std::memory_order_relaxed),
          .uncounted = is_missed ? board->missed.data() : "",
          .written = board->written};
}

}  // namespace levelfield
