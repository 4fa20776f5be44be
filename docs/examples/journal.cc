// The journal engine: an ordered map in memory, and one file to which each write is appended before
// it is acknowledged. Opening reads the file from its start.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "levelfield/engine.h"
#include "library_facts.h"  // engines/: LibraryPath and other facts about what is loaded.
#include "store_files.h"    // engines/: IsFile and other looks at what lies on the disk.

namespace {

using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in memory; there is no cache."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Each write goes to the kernel at once."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one file."},
    // Its own, given as --journal.sync_on_close=0.
    {"sync_on_close", LF_FLAG, "1", nullptr, "Closing waits until the journal is on the disk."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED, "each write reaches the kernel before it returns"},
    {"process", LF_D1_PROCESS, "write(2) before the acknowledgement, no sync"},
    {"synced", LF_REFUSED, "records have no checksum, so a torn one could pass for data"},
    {nullptr, LF_REFUSED, nullptr},
};

// "journal: cannot append to DIR/journal: No space left on device".
lf_code FailedWith(const char* what, const std::string& file) {
  return Failed(std::string("journal: cannot ") + what + " " + file + ": " + std::strerror(errno));
}

// A record is its payload's length (8 bytes), then entries: a letter, two lengths, key and value.
void AppendEntry(std::string& record, char kind, lf_bytes key, lf_bytes value) {
  const uint64_t lengths[] = {key.size, value.size};
  record.push_back(kind);
  record.append(reinterpret_cast<const char*>(lengths), sizeof(lengths));
  record.append(View(key));
  record.append(View(value));
}

uint64_t TakeLength(std::string_view& bytes) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  bytes.remove_prefix(sizeof(length));
  return length;
}

std::string_view Take(std::string_view& bytes, size_t length) {
  const std::string_view taken = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return taken;
}

// What all sessions share. The writer's lock covers file and map, so both have one order.
struct Shared {
  std::shared_mutex mutex;
  std::map<std::string, std::string, std::less<>> map;
  std::string file;
  int fd = -1;
  off_t end = 0;  // Behind the last whole record.

  // Before the acknowledgement: the whole record is with the kernel, or none of it counts.
  lf_code Append(std::string& record) {
    const uint64_t payload = record.size() - sizeof(payload);
    std::memcpy(record.data(), &payload, sizeof(payload));
    const ssize_t written = pwrite(fd, record.data(), record.size(), end);
    if (written < 0) return FailedWith("append to", file);
    if (static_cast<size_t>(written) != record.size()) {
      errno = ENOSPC;
      return FailedWith("append to", file);
    }
    end += written;
    std::string_view rest = record;
    Apply(rest);
    return LF_OK;
  }

  // Takes one record off the front of `bytes`; false where there is no whole one.
  bool Apply(std::string_view& bytes) {
    if (bytes.size() < sizeof(uint64_t)) return false;
    std::string_view rest = bytes;
    const uint64_t payload = TakeLength(rest);
    if (payload > rest.size()) return false;
    bytes.remove_prefix(sizeof(payload) + payload);
    for (rest = rest.substr(0, payload); !rest.empty();) {
      const char kind = Take(rest, 1).front();
      const uint64_t key_size = TakeLength(rest);
      const uint64_t value_size = TakeLength(rest);
      const std::string_view key = Take(rest, key_size);
      const std::string_view value = Take(rest, value_size);
      const auto it = map.lower_bound(key);
      const bool is_there = it != map.end() && it->first == key;
      if (kind == 'e') {
        if (is_there) map.erase(it);
      } else if (is_there) {
        it->second = value;
      } else {
        map.emplace_hint(it, key, value);
      }
    }
    return true;
  }
};

class Session {
 public:
  explicit Session(Shared& shared) : shared_(shared) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    const auto it = shared_.map.find(View(key));
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    value_ = it->second;  // A copy: another thread may overwrite it before our next call.
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    const lf_entry entry = {key, value, 0};
    return Write({&entry, 1});
  }
  lf_code Erase(lf_bytes key) {
    const lf_entry entry = {key, {}, 1};
    return Write({&entry, 1});
  }

  lf_code Write(std::span<const lf_entry> entries) {
    record_.assign(sizeof(uint64_t), '\0');  // Its length comes here.
    for (const lf_entry& entry : entries) {
      const bool erases = entry.erase != 0;
      AppendEntry(record_, erases ? 'e' : 'p', entry.key, erases ? lf_bytes{} : entry.value);
    }
    const std::unique_lock lock(shared_.mutex);
    return shared_.Append(record_);
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    const auto& map = shared_.map;
    switch (how) {
      case LF_FIRST:
        return Emit(map.begin(), found_key, value);
      case LF_LAST:
        return EmitBefore(map.end(), found_key, value);
      case LF_AT_OR_AFTER:
        return Emit(map.lower_bound(View(key)), found_key, value);
      case LF_AT_OR_BEFORE:
        return EmitBefore(map.upper_bound(View(key)), found_key, value);
    }
    return LF_NOT_FOUND;
  }

  // A scan remembers its key, not an iterator: the entry may be erased between two steps.
  lf_code Next(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return Emit(shared_.map.upper_bound(key_), key, value);
  }
  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return EmitBefore(shared_.map.lower_bound(key_), key, value);
  }

 private:
  using Iterator = decltype(Shared::map)::const_iterator;

  lf_code Emit(Iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    key_ = it->first;
    value_ = it->second;
    *key = levelfield::Bytes(key_);
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }
  lf_code EmitBefore(Iterator it, lf_bytes* key, lf_bytes* value) {
    return it == shared_.map.begin() ? LF_NOT_FOUND : Emit(std::prev(it), key, value);
  }

  Shared& shared_;
  std::string record_;
  std::string key_;
  std::string value_;
};

class Store {
 public:
  // The rest of the optional members is left out: a map in memory has no ranges on the disk to
  // speak of, and a copy of it is no snapshot.
  static lf_code Recognize(const char* path) {
    return levelfield::IsFile(std::string(path) + "/journal") ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    for (const char* name : {"/journal.new", "/journal"}) {
      if (!levelfield::RemoveFile(path + std::string(name))) return FailedWith("remove", path);
    }
    return LF_OK;
  }

  lf_code Property(const char* name, const char** text) {
    if (std::string_view(name) != "stats") {
      return levelfield::Unsupported(std::string("journal: it has no property ") + name);
    }
    const std::shared_lock lock(shared_.mutex);
    stats_ = "entries=" + std::to_string(shared_.map.size()) +
             "\njournal_bytes=" + std::to_string(shared_.end) + "\n";
    *text = stats_.c_str();
    return LF_OK;
  }

  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    // The same answer with and without a directory.
    if (settings.Durability() != "process") {
      return levelfield::Unsupported("journal: it has the durability `process` only");
    }
    if (directory == nullptr) return LF_OK;
    auto opened = std::make_unique<Store>();
    opened->sync_on_close_ = settings.Flag("sync_on_close", true);
    const lf_code code = opened->OpenIn(directory);
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  ~Store() {
    if (shared_.fd >= 0) close(shared_.fd);
    if (directory_fd_ >= 0) close(directory_fd_);
  }

  lf_code Close() { return sync_on_close_ ? Sync() : LF_OK; }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(shared_);
    return LF_OK;
  }

  // The directory too, or a power cut may take the file's name.
  lf_code Sync() {
    const std::shared_lock lock(shared_.mutex);
    const bool synced = fdatasync(shared_.fd) == 0 && fsync(directory_fd_) == 0;
    return synced ? LF_OK : FailedWith("sync", shared_.file);
  }

  // The densest form: one record that holds what is there, in a new file that takes the old one's
  // place.
  lf_code Compact() {
    const std::unique_lock lock(shared_.mutex);
    std::string record(sizeof(uint64_t), '\0');
    for (const auto& [key, value] : shared_.map) {
      AppendEntry(record, 'p', levelfield::Bytes(key), levelfield::Bytes(value));
    }
    const std::string fresh = shared_.file + ".new";
    const int fd = open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return FailedWith("create", fresh);
    const int old = std::exchange(shared_.fd, fd);
    const off_t old_end = std::exchange(shared_.end, 0);
    lf_code code = shared_.Append(record);
    if (code == LF_OK && fdatasync(fd) != 0) code = FailedWith("sync", fresh);
    if (code == LF_OK && std::rename(fresh.c_str(), shared_.file.c_str()) != 0) {
      code = FailedWith("rename", fresh);
    }
    if (code != LF_OK) {  // The old file goes on.
      shared_.fd = old;
      shared_.end = old_end;
    }
    close(code == LF_OK ? old : fd);
    return code;
  }

 private:
  lf_code OpenIn(const std::string& directory) {
    directory_fd_ = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory_fd_ < 0) return FailedWith("open", directory);
    shared_.file = directory + "/journal";
    shared_.fd = open(shared_.file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (shared_.fd < 0) return FailedWith("open", shared_.file);
    std::ifstream stream(shared_.file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::string_view rest = bytes;
    while (shared_.Apply(rest)) {
    }
    // A tail that a kill cut off was never acknowledged; the next record takes its place.
    shared_.end = static_cast<off_t>(bytes.size() - rest.size());
    if (ftruncate(shared_.fd, shared_.end) != 0) return FailedWith("truncate", shared_.file);
    return LF_OK;
  }

  Shared shared_;
  int directory_fd_ = -1;
  bool sync_on_close_ = true;
  std::string stats_;
};

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "version", "1");
  const auto* here = reinterpret_cast<const void*>(&Describe);
  sink(context, "library", levelfield::LibraryPath(here).c_str());
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "journal",
    .summary = "an ordered map in memory and a journal of its writes",
    .license = "BSD-3-Clause",
    .capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
