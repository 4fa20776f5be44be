// A library for LD_PRELOAD that makes one kind of call fail in a worker of Levelfield, and writes
// down that it did. What is to fail is in the environment:
//
//   LEVELFIELD_FAULT = <call>:<nth>:<what>:<once|sticky>:<phases>:<part of the path>
//   LEVELFIELD_FAULT_LOG = the file that gets a line for each call that failed
//
// call: write, read, sync, open, resize (ftruncate, fallocate), malloc, event (a message of the
// worker to its driver), clock. what: an errno (EIO, ENOSPC, EMFILE, ENOMEM), `short` (half of it
// is written), `stop` (SIGSTOP), `orphan` (the driver is killed), `hog` (memory is taken until
// something happens), or for a clock the seconds that it steps to and fro. In a run with
// several workers only one meets a fault that comes `once`: the log says that it has come. Calls
// are counted from the end of so many phases, and only those on files whose path contains the part.
//
// The program exports some of these functions itself and passes them on by libc's `syscall`, so
// that is intercepted as well. Any thread; no lock, and no allocation.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr int kEventFd = 3;  // src/process/process.h

struct Fault {
  char call[16] = "";
  long nth = 0;
  char what[16] = "";
  bool is_sticky = false;
  long phases = 0;
  char part[256] = "";
};

Fault fault;
bool is_worker = false;
std::atomic<bool> is_ready{false};
std::atomic<long> phases{0};
std::atomic<long> calls{0};
const char* log_path = nullptr;

// The function that this library stands before.
template <class Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
long Kernel(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  static const auto next = Next<long (*)(long, ...)>("syscall");
  return next(number, a, b, c, d, e, f);
}
template <class T>
long AsLong(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

bool Is(const char* call) { return is_ready.load() && std::strcmp(fault.call, call) == 0; }
bool Wants(const char* what) { return std::strcmp(fault.what, what) == 0; }

int Errno() {
  if (Wants("ENOSPC")) return ENOSPC;
  if (Wants("EMFILE")) return EMFILE;
  if (Wants("ENOMEM")) return ENOMEM;
  return EIO;
}

void Log(const char* path) {
  if (log_path == nullptr) return;
  const long fd =
      Kernel(SYS_openat, AT_FDCWD, AsLong(log_path), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  char line[600];
  const int length = std::snprintf(line, sizeof line, "%s %ld %s %s\n", fault.call, calls.load(),
                                   fault.what, path);
  Kernel(SYS_write, fd, AsLong(line), length);
  Kernel(SYS_close, fd);
}

// Whether this call, of this kind and on this path, is one that fails.
bool IsDue(const char* path) {
  if (!is_worker || phases.load() < fault.phases) return false;
  const long number = calls.fetch_add(1) + 1;
  const bool is_due = fault.is_sticky ? number >= fault.nth : number == fault.nth;
  if (is_due && (number == fault.nth || number % 1000 == 0)) Log(path);
  return is_due;
}

bool IsDueOnPath(const char* call, const char* path) {
  return Is(call) && is_worker && std::strstr(path, fault.part) != nullptr && IsDue(path);
}

bool IsDueOnFile(const char* call, int fd) {
  if (!Is(call) || !is_worker || phases.load() < fault.phases) return false;
  char link[64];
  char path[512];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long length = Kernel(SYS_readlink, AsLong(link), AsLong(path), sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return path[0] == '/' && std::strstr(path, fault.part) != nullptr && IsDue(path);
}

[[noreturn]] void Hog() {
  Log("memory");
  for (;;) {
    constexpr size_t kBytes = 1 << 20;
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) _exit(99);
    std::memset(memory, 1, kBytes);
  }
}

// Messages of the worker: the end of a phase arms, and a message itself may be what is counted.
void SeeEvent(const char* text, size_t size) {
  if (Is("event") && IsDue("event")) {
    if (Wants("hog")) Hog();
    Kernel(SYS_kill, getpid(), SIGSTOP);
  }
  static const char kEnd[] = "{\"event\":\"phase\"";
  if (size >= sizeof kEnd - 1 && std::memcmp(text, kEnd, sizeof kEnd - 1) == 0) phases.fetch_add(1);
}

long Failed() {
  errno = Errno();
  return -1;
}

// What a writing call of `size` bytes is to write, or -1: it fails.
long WriteOf(int fd, const void* data, size_t size) {
  if (is_worker && fd == kEventFd && data != nullptr)
    SeeEvent(static_cast<const char*>(data), size);
  if (!IsDueOnFile("write", fd)) return static_cast<long>(size);
  if (Wants("orphan")) {
    Kernel(SYS_kill, getppid(), SIGKILL);
    return static_cast<long>(size);
  }
  return Wants("short") ? static_cast<long>(size / 2) : Failed();
}

void Load() {
  const char* const spec = std::getenv("LEVELFIELD_FAULT");
  if (spec == nullptr) return;
  char mode[16] = "";
  const int read = std::sscanf(spec, "%15[^:]:%ld:%15[^:]:%15[^:]:%ld:%255s", fault.call,
                               &fault.nth, fault.what, mode, &fault.phases, fault.part);
  if (read < 5) {
    static const char kText[] = "failing_calls: LEVELFIELD_FAULT cannot be read\n";
    Kernel(SYS_write, 2, AsLong(kText), sizeof kText - 1);
    _exit(97);
  }
  fault.is_sticky = std::strcmp(mode, "sticky") == 0;
  log_path = std::getenv("LEVELFIELD_FAULT_LOG");
  const bool has_struck = log_path != nullptr && Kernel(SYS_access, AsLong(log_path), F_OK) == 0;
  if (!fault.is_sticky && has_struck) return;
  char command[8192];
  const long fd = Kernel(SYS_openat, AT_FDCWD, AsLong("/proc/self/cmdline"), O_RDONLY);
  const long size = Kernel(SYS_read, fd, AsLong(command), sizeof command - 1);
  Kernel(SYS_close, fd);
  if (size > 0) {
    command[size] = '\0';
    const size_t program = std::strlen(command) + 1;
    is_worker =
        program < static_cast<size_t>(size) && std::strcmp(command + program, "--worker") == 0;
  }
  is_ready.store(true);
}
__attribute__((constructor)) void OnLoad() { Load(); }

// Seconds that the clock is off: forwards and backwards by turns.
long Step() {
  if (!Is("clock")) return 0;
  const long number = calls.fetch_add(1) + 1;
  if (number == fault.nth) Log("clock");
  if (number < fault.nth) return 0;
  const long seconds = std::atol(fault.what);
  return number % 2 == 0 ? seconds : -seconds;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t size) {
  const long count = WriteOf(fd, data, size);
  return count < 0 ? -1 : Kernel(SYS_write, fd, AsLong(data), count);
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  const long count = WriteOf(fd, nullptr, size);
  return count < 0 ? -1 : Kernel(SYS_pwrite64, fd, AsLong(data), count, offset);
}
ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  return pwrite(fd, data, size, offset);
}
ssize_t writev(int fd, const iovec* parts, int count) {
  const long asked = WriteOf(fd, nullptr, 2);
  if (asked < 0) return -1;
  if (asked == 1)
    return Kernel(SYS_write, fd, AsLong(parts->iov_base), static_cast<long>(parts->iov_len / 2));
  return Kernel(SYS_writev, fd, AsLong(parts), count);
}
ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  const long asked = WriteOf(fd, nullptr, 2);
  if (asked < 0) return -1;
  if (asked == 1) {
    return Kernel(SYS_pwrite64, fd, AsLong(parts->iov_base), static_cast<long>(parts->iov_len / 2),
                  offset);
  }
  return Kernel(SYS_pwritev, fd, AsLong(parts), count, offset, 0);
}
ssize_t pwritev64(int fd, const iovec* parts, int count, off64_t offset) {
  return pwritev(fd, parts, count, offset);
}
ssize_t read(int fd, void* data, size_t size) {
  return IsDueOnFile("read", fd) ? Failed()
                                 : Kernel(SYS_read, fd, AsLong(data), static_cast<long>(size));
}
ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  if (IsDueOnFile("read", fd)) return Failed();
  return Kernel(SYS_pread64, fd, AsLong(data), static_cast<long>(size), offset);
}
ssize_t pread64(int fd, void* data, size_t size, off64_t offset) {
  return pread(fd, data, size, offset);
}
int ftruncate(int fd, off_t size) noexcept {
  return static_cast<int>(IsDueOnFile("resize", fd) ? Failed() : Kernel(SYS_ftruncate, fd, size));
}
int ftruncate64(int fd, off64_t size) noexcept { return ftruncate(fd, size); }
int fallocate(int fd, int mode, off_t offset, off_t size) {
  return static_cast<int>(
      IsDueOnFile("resize", fd) ? Failed() : Kernel(SYS_fallocate, fd, mode, offset, size));
}
int fallocate64(int fd, int mode, off64_t offset, off64_t size) {
  return fallocate(fd, mode, offset, size);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const long mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, int) : 0;
  va_end(rest);
  if (IsDueOnPath("open", path)) return static_cast<int>(Failed());
  return static_cast<int>(Kernel(SYS_openat, AT_FDCWD, AsLong(path), flags, mode));
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, int) : 0;
  va_end(rest);
  return open(path, flags, mode);
}

// Also the way of the program's own fsync, fdatasync, msync and their like.
long syscall(long number, ...) noexcept {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (long& argument : a) argument = va_arg(rest, long);
  va_end(rest);
  const int fd = static_cast<int>(a[0]);
  switch (number) {
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync_file_range:
    case SYS_syncfs:
      if (IsDueOnFile("sync", fd)) return Failed();
      break;
    case SYS_msync:
      if (Is("sync") && IsDue("a mapping")) return Failed();
      break;
    case SYS_write: {
      const long count =
          WriteOf(fd, reinterpret_cast<const void*>(a[1]), static_cast<size_t>(a[2]));
      return count < 0 ? -1 : Kernel(number, a[0], a[1], count);
    }
    case SYS_pwrite64: {
      const long count = WriteOf(fd, nullptr, static_cast<size_t>(a[2]));
      return count < 0 ? -1 : Kernel(number, a[0], a[1], count, a[3]);
    }
    case SYS_writev:
      return writev(fd, reinterpret_cast<const iovec*>(a[1]), static_cast<int>(a[2]));
    case SYS_pwritev:
      return pwritev(fd, reinterpret_cast<const iovec*>(a[1]), static_cast<int>(a[2]), a[3]);
    case SYS_ftruncate:
    case SYS_fallocate:
      if (IsDueOnFile("resize", fd)) return Failed();
      break;
    default:
      break;
  }
  return Kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
// For calls that do not go through the program.
int fsync(int fd) { return static_cast<int>(syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { return static_cast<int>(syscall(SYS_fdatasync, fd)); }
int msync(void* address, size_t size, int flags) {
  return static_cast<int>(syscall(SYS_msync, address, size, flags));
}

// Small ones are left alone: what an engine does without a few bytes is libc's own business.
constexpr size_t kSmall = 512;
bool IsMemoryDue(size_t size) {
  const bool is_due = size >= kSmall && Is("malloc") && IsDue("memory");
  if (is_due) errno = ENOMEM;
  return is_due;
}
// The next in line is libc's allocator, or a sanitizer's.
void* malloc(size_t size) noexcept {
  static const auto next = Next<void* (*)(size_t)>("malloc");
  return IsMemoryDue(size) ? nullptr : next(size);
}
void* calloc(size_t count, size_t size) noexcept {
  static const auto next = Next<void* (*)(size_t, size_t)>("calloc");
  return IsMemoryDue(count * size) ? nullptr : next(count, size);
}
void* realloc(void* old, size_t size) noexcept {
  static const auto next = Next<void* (*)(void*, size_t)>("realloc");
  return IsMemoryDue(size) ? nullptr : next(old, size);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto next = Next<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int result = next(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += Step();
  return result;
}
int gettimeofday(timeval* time, void* zone) noexcept {
  static const auto next = Next<int (*)(timeval*, void*)>("gettimeofday");
  const int result = next(time, zone);
  if (result == 0) time->tv_sec += Step();
  return result;
}
time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Elsewhere they come to malloc.
void* operator new(size_t size) {
  static const auto next = Next<void* (*)(size_t)>("_Znwm");
  if (IsMemoryDue(size)) throw std::bad_alloc();
  return next(size);
}
void* operator new[](size_t size) {
  static const auto next = Next<void* (*)(size_t)>("_Znam");
  if (IsMemoryDue(size)) throw std::bad_alloc();
  return next(size);
}
void* operator new(size_t size, const std::nothrow_t& nothrow) noexcept {
  static const auto next = Next<void* (*)(size_t, const std::nothrow_t&)>("_ZnwmRKSt9nothrow_t");
  return IsMemoryDue(size) ? nullptr : next(size, nothrow);
}
#endif
