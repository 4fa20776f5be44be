// A store that is kept by a server, a process that the plug-in starts in a session of its own: for
// the tests of lf_engine::processes. The server has a map, and a file to which it appends each
// write before it answers. It holds that file alone: where one is left over, no other can open the
// store.
//
// `serving@stays`: closing does not end the server. `serving@aborts`: the 100th put of a session
// aborts the plug-in's process. `serving@helped`: the server leaves its work to a process of its
// own, and only that one uses anything.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "levelfield/engine.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in the server's memory."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Each write goes to the kernel at once."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one file."},
    {"ballast", LF_BYTES, "0", nullptr, "Memory that the server fills, a part with each put."},
    {"spin_us", LF_COUNT, "0", nullptr, "Processor time that a put takes in the server."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

constexpr const char* kProcessAlone =
    "each write reaches the kernel before it returns, and no record has a checksum";
constexpr auto kDurabilities = levelfield::Durabilities(
    {LF_REFUSED, kProcessAlone}, {LF_D1_PROCESS, "write(2) by the server before it answers"},
    {LF_REFUSED, kProcessAlone});

std::string fault;

bool SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool ReceiveAll(int fd, char* to, size_t size) {
  while (size > 0) {
    const ssize_t count = recv(fd, to, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// A list of texts, as it crosses the socket: how many bytes follow, then each with its size.
void Append(std::string& message, std::string_view text) {
  const auto size = static_cast<uint32_t>(text.size());
  message.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(text);
}

std::string_view Take(std::string_view& message) {
  uint32_t size = 0;
  std::memcpy(&size, message.data(), sizeof(size));
  const std::string_view text = message.substr(sizeof(size), size);
  message.remove_prefix(sizeof(size) + size);
  return text;
}

bool SendMessage(int fd, const std::string& message) {
  std::string framed;
  Append(framed, message);
  return SendAll(fd, framed);
}

bool ReceiveMessage(int fd, std::string& message) {
  uint32_t size = 0;
  if (!ReceiveAll(fd, reinterpret_cast<char*>(&size), sizeof(size))) return false;
  message.resize(size);
  return ReceiveAll(fd, message.data(), size);
}

void Spin(uint64_t us) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < until) {
  }
}

class Server {
 public:
  Server(int socket, int file, const EngineSettings& settings)
      : socket_(socket),
        file_(file),
        ballast_(settings.Number("ballast", 0)),
        spin_us_(settings.Number("spin_us", 0)) {}

  [[noreturn]] void Run() {
    Load();
    if (fault == "helped") HaveAHelper();
    if (!SendMessage(socket_, "ready")) _exit(1);
    for (std::string message; ReceiveMessage(socket_, message);) {
      if (!SendMessage(socket_, Answer(message))) _exit(1);
    }
    if (fault == "stays") {
      close(file_);
      close(socket_);
      while (true) pause();
    }
    _exit(0);
  }

 private:
  // This one waits for it, and ends with it.
  static void HaveAHelper() {
    const pid_t helper = fork();
    if (helper <= 0) return;
    int status = 0;
    waitpid(helper, &status, 0);
    _exit(0);
  }

  void Load() {
    std::string all;
    char part[4096];
    for (ssize_t count = 0; (count = read(file_, part, sizeof(part))) > 0;) {
      all.append(part, static_cast<size_t>(count));
    }
    std::string_view rest = all;
    while (rest.size() >= sizeof(uint32_t)) {
      uint32_t size = 0;
      std::memcpy(&size, rest.data(), sizeof(size));
      if (rest.size() - sizeof(size) < size) break;  // Cut off by a kill.
      std::string_view record = Take(rest);
      Apply(record);
    }
    if (!rest.empty()) {
      (void)!ftruncate(file_, static_cast<off_t>(all.size() - rest.size()));
      lseek(file_, 0, SEEK_END);
    }
  }

  void Apply(std::string_view record) {
    while (!record.empty()) {
      const std::string_view kind = Take(record);
      const std::string key(Take(record));
      const std::string_view value = Take(record);
      if (kind == "e") {
        map_.erase(key);
      } else {
        map_[key] = value;
      }
    }
  }

  std::string Answer(std::string_view message) {
    const std::string_view call = Take(message);
    if (call == "write") {
      std::string record;
      Append(record, message);
      if (write(file_, record.data(), record.size()) != static_cast<ssize_t>(record.size())) {
        return "failed";
      }
      Apply(message);
      Spin(spin_us_);
      Fill();
      return "ok";
    }
    const std::string key(Take(message));
    if (call == "get") return Entry(map_.find(key));
    if (call == "first") return Entry(map_.begin());
    if (call == "at_or_after") return Entry(map_.lower_bound(key));
    if (call == "after") return Entry(map_.upper_bound(key));
    return EntryBefore(call == "last"           ? map_.end()
                       : call == "at_or_before" ? map_.upper_bound(key)
                                                : map_.lower_bound(key));
  }

  // A hundredth of it.
  void Fill() {
    const size_t part = static_cast<size_t>(ballast_ / 100);
    if (filled_.size() < ballast_) filled_.append(part, 'b');
  }

  using Map = std::map<std::string, std::string>;
  std::string Entry(Map::const_iterator it) const {
    std::string answer;
    if (it == map_.end()) return answer;
    Append(answer, it->first);
    Append(answer, it->second);
    return answer;
  }
  std::string EntryBefore(Map::const_iterator it) const {
    return it == map_.begin() ? std::string() : Entry(std::prev(it));
  }

  int socket_;
  int file_;
  uint64_t ballast_;
  uint64_t spin_us_;
  Map map_;
  std::string filled_;
};

class Store;

class Session {
 public:
  explicit Session(Store& store) : store_(store) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    lf_bytes found{};
    return Ask("get", View(key), &found, value);
  }
  lf_code Put(lf_bytes key, lf_bytes value) {
    if (fault == "aborts" && ++puts_ == 100) std::abort();
    const lf_entry entry{key, value, 0};
    return Write({&entry, 1});
  }
  lf_code Erase(lf_bytes key) {
    const lf_entry entry{key, {}, 1};
    return Write({&entry, 1});
  }
  lf_code Write(std::span<const lf_entry> entries);
  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found, lf_bytes* value) {
    constexpr const char* kCalls[] = {"first", "last", "at_or_after", "at_or_before"};
    const bool has_key = how == LF_AT_OR_AFTER || how == LF_AT_OR_BEFORE;
    return Ask(kCalls[how], has_key ? View(key) : "", found, value);
  }
  lf_code Next(lf_bytes* key, lf_bytes* value) { return Ask("after", key_, key, value); }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return Ask("before", key_, key, value); }

 private:
  lf_code Ask(std::string_view call, std::string_view wanted, lf_bytes* key, lf_bytes* value);

  Store& store_;
  std::string answer_;
  std::string key_;
  uint64_t puts_ = 0;
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    if (settings.Durability() != "process") return levelfield::Unsupported(kProcessAlone);
    if (directory == nullptr) return LF_OK;
    const std::string path = std::string(directory) + "/journal";
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return Failed("serving: cannot open " + path + ": " + std::strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      close(file);
      return Failed("serving: another server has " + path);
    }
    auto opened = std::make_unique<Store>();
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      close(file);
      return Failed(std::string("serving: no socket: ") + std::strerror(errno));
    }
    opened->server_ = fork();
    if (opened->server_ == 0) {
      setsid();
      close(ends[0]);
      // What it does not close would stay open behind the plug-in's process.
      for (int fd = 3; fd < 256; ++fd) {
        if (fd != ends[1] && fd != file) close(fd);
      }
      Server(ends[1], file, settings).Run();
    }
    close(ends[1]);
    close(file);
    opened->socket_ = ends[0];
    std::string ready;
    if (!ReceiveMessage(ends[0], ready)) return Failed("serving: its server did not begin");
    store = std::move(opened);
    return LF_OK;
  }

  ~Store() { (void)Close(); }
  lf_code Close() {
    if (socket_ < 0) return LF_OK;
    char byte = 0;
    shutdown(socket_, SHUT_WR);
    (void)!recv(socket_, &byte, 1, 0);  // Until it has let go of the file.
    close(socket_);
    socket_ = -1;
    int status = 0;
    if (fault != "stays") waitpid(server_, &status, 0);
    return LF_OK;
  }
  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(*this);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }
  void Processes(void* context, void (*sink)(void* context, int64_t process)) {
    sink(context, server_);
  }

  lf_code Call(const std::string& message, std::string& answer) {
    const std::lock_guard lock(mutex_);
    if (SendMessage(socket_, message) && ReceiveMessage(socket_, answer)) return LF_OK;
    return Failed("serving: its server does not answer");
  }

 private:
  pid_t server_ = -1;
  int socket_ = -1;
  std::mutex mutex_;  // One call at a time.
};

lf_code Session::Write(std::span<const lf_entry> entries) {
  std::string message;
  Append(message, "write");
  for (const lf_entry& entry : entries) {
    Append(message, entry.erase != 0 ? "e" : "p");
    Append(message, View(entry.key));
    Append(message, entry.erase != 0 ? "" : View(entry.value));
  }
  const lf_code code = store_.Call(message, answer_);
  return code == LF_OK && answer_ != "ok" ? Failed("serving: cannot write its journal") : code;
}

lf_code Session::Ask(std::string_view call, std::string_view wanted, lf_bytes* key,
                     lf_bytes* value) {
  std::string message;
  Append(message, call);
  Append(message, wanted);
  const lf_code code = store_.Call(message, answer_);
  if (code != LF_OK) return code;
  if (answer_.empty()) return LF_NOT_FOUND;
  std::string_view rest = answer_;
  key_ = Take(rest);
  *key = levelfield::Bytes(key_);
  *value = levelfield::Bytes(Take(rest));
  return LF_OK;
}

lf_code Load(const char* which) {
  fault = which != nullptr ? which : "";
  return LF_OK;
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "serving",
    .summary = "a map in a server of its own",
    .license = "BSD-3-Clause",
    .capabilities = LF_FLOOR | LF_ONE_WRITER | LF_BATCH_ATOMIC | LF_BY_NAME,
    .options = kOptions,
    .durabilities = kDurabilities.data(),
    .load = Load,
    .describe = [](void* context, lf_fact_sink sink) { sink(context, "version", "1"); },
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
