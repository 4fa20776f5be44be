// The stub engine's store, whose log is synced in ways that do not go through libc's functions:
// `syncing@server` has a process of its own for it, `syncing@ring` an io_uring, and so on.
// `syncing@never` acknowledges without. Others sync, but not what was written: a sync `before` it,
// one of `another` file, and so on.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "levelfield/engine.h"
#include "probe/calls/ring_for_test.h"

namespace {

int SyncInSomeWay(int fd);

}  // namespace

// The stub's file is to sync in our way, and to export no table.
#pragma push_macro("LEVELFIELD_EXPORT_ENGINE")
#undef LEVELFIELD_EXPORT_ENGINE
#define LEVELFIELD_EXPORT_ENGINE(table)
#define fdatasync(fd) SyncInSomeWay(fd)
#include "../../../engines/stub.cc"
#undef fdatasync
#pragma pop_macro("LEVELFIELD_EXPORT_ENGINE")

namespace {

using levelfield::RingForTest;

// As programs do that are linked without libc.
int SyncByInstruction(int fd) {
#ifdef __x86_64__
  long result = SYS_fdatasync;
  asm volatile("syscall" : "+a"(result) : "D"(long{fd}) : "rcx", "r11", "memory");
#else
  register long number asm("x8") = SYS_fdatasync;
  register long result asm("x0") = fd;
  asm volatile("svc 0" : "+r"(result) : "r"(number) : "memory");
#endif
  return result < 0 ? -1 : 0;
}

// Asks somebody at the other end of a socket, and waits for the answer.
int SyncBySocket(int socket) {
  char byte = 's';
  if (write(socket, &byte, 1) != 1 || read(socket, &byte, 1) != 1) return -1;
  return byte == 'y' ? 0 : -1;
}

// A process for each file, in a session of its own as servers have it; ends with the socket.
int SyncByServer(int fd) {
  static std::map<int, int> servers;
  const auto known = servers.find(fd);
  if (known != servers.end()) return SyncBySocket(known->second);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    setsid();
    for (char byte; read(ends[1], &byte, 1) == 1;) {
      byte = fdatasync(fd) == 0 ? 'y' : 'n';
      if (write(ends[1], &byte, 1) != 1) break;
    }
    _exit(0);
  }
  close(ends[1]);
  if (pid < 0) return -1;
  return SyncBySocket(servers[fd] = ends[0]);
}

// A server that was there before, and that only the test knows.
int SyncByStranger(int) {
  static const int connected = [] {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, std::getenv("SYNCING_SERVER"), sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* const to = reinterpret_cast<const sockaddr*>(&address);
    return connect(fd, to, sizeof(address)) == 0 ? fd : -1;
  }();
  return SyncBySocket(connected);
}

int SyncByProgram(int fd) {
  const int inherited = dup(fd);  // Which stays open in another program.
  const std::string number = std::to_string(inherited);
  const pid_t pid = vfork();
  if (pid == 0) {
    execl(SYNCING_STATIC_PROGRAM, SYNCING_STATIC_PROGRAM, number.c_str(), nullptr);
    _exit(126);
  }
  close(inherited);
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int SyncByRing(int fd) {
  static RingForTest ring;
  return ring.Sync(fd);
}
int SyncByPolledRing(int fd) {
  static RingForTest ring(IORING_SETUP_SQPOLL);
  return ring.Sync(fd);
}

// The Go runtime makes its own calls.
int SyncByGo(int fd) {
  using Sync = int (*)(int);
  static const auto sync = [] {
    void* const library = dlopen(SYNCING_GO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr : reinterpret_cast<Sync>(dlsym(library, "SyncByGo"));
  }();
  return sync == nullptr ? -1 : sync(fd);
}

// A file beside, without a name; -1 if there cannot be one.
int OpenAnother(int flags) {
  char name[] = "syncing.XXXXXX";
  const int fd = mkostemp(name, O_CLOEXEC | flags);
  if (fd >= 0) unlink(name);
  return fd;
}

// A sync of another file that was written, too.
int SyncAnother(int) {
  static const int another = OpenAnother(0);
  return pwrite(another, "x", 1, 0) == 1 ? fdatasync(another) : -1;
}
int WriteAnotherSynced(int) {
  static const int another = OpenAnother(O_DSYNC);
  return pwrite(another, "x", 1, 0) == 1 ? 0 : -1;
}

// Every second commit is synced where nobody looks any more, past libc, where nobody counts.
int SyncAtFirst(int fd) {
  static int calls = 0;
  return ++calls > 50 && calls % 2 == 0 ? 0 : SyncByInstruction(fd);
}

// What is written after the sync is not kept by it.
int SyncAndWrite(int fd) {
  char byte = 0;
  if (fdatasync(fd) != 0 || pread(fd, &byte, 1, 0) != 1) return -1;
  return pwrite(fd, &byte, 1, 0) == 1 ? 0 : -1;
}

// The commit that follows is synced before it is written (SyncBefore).
int written = -1;
int RememberFile(int fd) {
  written = fd;
  return 0;
}

using Way = std::function<int(int)>;
const std::map<std::string, Way>& Ways() {
  static const std::map<std::string, Way> ways = {
      {"libc", [](int fd) { return fdatasync(fd); }},
      {"never", [](int) { return 0; }},
      {"before", RememberFile},
      {"another", SyncAnother},
      {"another_synced", WriteAnotherSynced},
      {"at_first", SyncAtFirst},
      {"and_write", SyncAndWrite},
      {"instruction", SyncByInstruction},
      {"server", SyncByServer},
      {"stranger", SyncByStranger},
      {"program", SyncByProgram},
      {"ring", SyncByRing},
      {"polled_ring", SyncByPolledRing},
      {"go", SyncByGo},
  };
  return ways;
}

const Way* way = nullptr;
bool is_before = false;

int SyncInSomeWay(int fd) {
  const int came_to = (*way)(fd);
  if (came_to != 0 && errno == 0) errno = EIO;
  return came_to;
}

lf_code LoadWay(const char* which) {
  const auto it = Ways().find(which == nullptr ? "libc" : which);
  if (it == Ways().end()) return Unsupported(std::string("no way to sync is called ") + which);
  way = &it->second;
  is_before = it->first == "before";
  return LF_OK;
}

// The file is known from the first commit on; until then there is another.
void SyncBefore() {
  static const int another = OpenAnother(0);
  if (is_before) (void)fdatasync(written < 0 ? another : written);
}
lf_code Put(lf_session* session, lf_bytes key, lf_bytes value) {
  SyncBefore();
  return kEngine.put(session, key, value);
}
lf_code Erase(lf_session* session, lf_bytes key) {
  SyncBefore();
  return kEngine.erase(session, key);
}
lf_code Write(lf_session* session, const lf_entry* entries, size_t count) {
  SyncBefore();
  return kEngine.write(session, entries, count);
}

const lf_engine kSyncing = [] {
  lf_engine table = kEngine;
  table.name = "syncing";
  table.capabilities &= ~uint32_t{LF_FLOOR};
  table.load = LoadWay;
  table.put = Put;
  table.erase = Erase;
  table.write = Write;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kSyncing)
