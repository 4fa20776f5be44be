// The stub engine's file: a log of all writes, read into the map when the store is opened. A record
// has a length and a checksum, so a record that a crash cut off does not count as data.
//
// Everything here is called under the map's lock, or while nobody else has the store.
#ifndef LEVELFIELD_ENGINES_STUB_LOG_H_
#define LEVELFIELD_ENGINES_STUB_LOG_H_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include "levelfield/engine.h"
#include "ordered_map.h"

namespace levelfield {

class StubLog {
 public:
  static constexpr std::string_view kName = "/stub.log";
  static constexpr std::string_view kMagic = "LFSTUB1\n";

  // Where a write is when it is acknowledged: in a buffer, with the kernel, or on the disk.
  enum class Keeps { kBuffer, kKernel, kDisk };

  StubLog() = default;
  StubLog(const StubLog&) = delete;
  StubLog& operator=(const StubLog&) = delete;
  ~StubLog() {
    if (file_ >= 0) close(file_);
    if (directory_ >= 0) close(directory_);
  }

  // `syncs` false: it claims to sync, but does not. The same holds for all commits but the last of
  // each `sync_every`.
  lf_code Open(const std::string& directory, Keeps keeps, bool syncs, uint64_t sync_every,
               OrderedMap& map) {
    sync_every_ = sync_every;
    keeps_ = keeps;
    syncs_ = syncs;
    directory_ = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory_ < 0) return FailedTo("open", directory);
    path_ = directory + std::string(kName);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0) return FailedTo("open", path_);
    std::ostringstream stream;
    stream << std::ifstream(path_, std::ios::binary).rdbuf();
    const std::string bytes = stream.str();
    std::string_view rest = bytes;
    if (rest.empty()) {
      buffer_ = kMagic;
      const lf_code code = Flush();
      return code == LF_OK && keeps_ == Keeps::kDisk ? Sync() : code;
    }
    if (!rest.starts_with(kMagic)) return Failed("stub: " + path_ + " is no log of the stub's");
    rest.remove_prefix(kMagic.size());
    while (Replay(rest, map)) {
    }
    end_ = static_cast<off_t>(bytes.size() - rest.size());  // A cut-off tail was no write.
    return ftruncate(file_, end_) == 0 ? LF_OK : FailedTo("truncate", path_);
  }

  lf_code Append(std::span<const lf_entry> entries) {
    const size_t before = buffer_.size();
    AppendRecord(buffer_, entries);
    if (keeps_ == Keeps::kBuffer && buffer_.size() < kBufferBytes) return LF_OK;
    lf_code code = Flush();
    const bool syncs = keeps_ == Keeps::kDisk && syncs_ && ++commits_ % sync_every_ == 0;
    if (code == LF_OK && syncs && fdatasync(file_) != 0) {
      code = FailedTo("sync", path_);
    }
    if (code != LF_OK) buffer_.resize(std::min(before, buffer_.size()));
    return code;
  }

  lf_code Flush() {
    const ssize_t written = pwrite(file_, buffer_.data(), buffer_.size(), end_);
    if (written >= 0 && static_cast<size_t>(written) != buffer_.size()) errno = ENOSPC;
    if (written < 0 || static_cast<size_t>(written) != buffer_.size()) {
      return FailedTo("append to", path_);
    }
    end_ += written;
    buffer_.clear();
    return LF_OK;
  }

  // Syncs the directory too, or a power cut may take the file's name.
  lf_code Sync() {
    const lf_code code = Flush();
    if (code != LF_OK || !syncs_) return code;
    return fdatasync(file_) == 0 && fsync(directory_) == 0 ? LF_OK : FailedTo("sync", path_);
  }

  // Writes the contents into a new file, which replaces the old one.
  lf_code Rewrite(const OrderedMap& map) {
    const std::string fresh = path_ + ".new";
    std::string bytes(kMagic);
    for (const auto& [key, value] : map.map) {
      const lf_entry entry = {Bytes(key), Bytes(value), 0};
      AppendRecord(bytes, {&entry, 1});
    }
    const int file = open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return FailedTo("create", fresh);
    const int old = std::exchange(file_, file);
    const off_t old_end = std::exchange(end_, 0);
    const std::string old_buffer = std::exchange(buffer_, std::move(bytes));
    lf_code code = Flush();
    if (code == LF_OK && syncs_ && fdatasync(file) != 0) code = FailedTo("sync", fresh);
    if (code == LF_OK && std::rename(fresh.c_str(), path_.c_str()) != 0) {
      code = FailedTo("rename", fresh);
    }
    if (code == LF_OK && syncs_ && fsync(directory_) != 0) code = FailedTo("sync", path_);
    close(code == LF_OK ? old : file);
    if (code == LF_OK) return code;
    file_ = old;  // Keeps using the old file.
    end_ = old_end;
    buffer_ = old_buffer;
    return code;
  }

  lf_code FailedTo(const char* what, const std::string& path) {
    return Failed(std::string("stub: cannot ") + what + " " + path + ": " + std::strerror(errno));
  }

 private:
  static constexpr size_t kBufferBytes = 64 << 10;

  // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
  static uint64_t Checksum(std::string_view bytes) {
    uint64_t sum = 0xcbf29ce484222325;
    for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return sum;
  }

  static void AppendNumber(std::string& bytes, uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  static uint64_t TakeNumber(std::string_view& bytes) {
    uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof(number));
    bytes.remove_prefix(sizeof(number));
    return number;
  }
  static std::string_view Take(std::string_view& bytes, size_t length) {
    const std::string_view taken = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return taken;
  }

  // Length and checksum of the entries; for each whether it erases, two lengths, key and value.
  static void AppendRecord(std::string& bytes, std::span<const lf_entry> entries) {
    const size_t begin = bytes.size();
    bytes.append(2 * sizeof(uint64_t), '\0');
    for (const lf_entry& entry : entries) {
      bytes.push_back(entry.erase != 0 ? 'e' : 'p');
      const lf_bytes value = entry.erase != 0 ? lf_bytes{} : entry.value;
      AppendNumber(bytes, entry.key.size);
      AppendNumber(bytes, value.size);
      bytes.append(View(entry.key)).append(View(value));
    }
    const std::string_view payload = std::string_view(bytes).substr(begin + 2 * sizeof(uint64_t));
    const uint64_t head[] = {payload.size(), Checksum(payload)};
    std::memcpy(bytes.data() + begin, head, sizeof(head));
  }

  // Takes a record off the front; false if there is no whole one.
  static bool Replay(std::string_view& bytes, OrderedMap& map) {
    std::string_view rest = bytes;
    if (rest.size() < 2 * sizeof(uint64_t)) return false;
    const uint64_t length = TakeNumber(rest);
    const uint64_t checksum = TakeNumber(rest);
    if (length > rest.size()) return false;
    std::string_view payload = Take(rest, length);
    if (Checksum(payload) != checksum) return false;
    while (!payload.empty()) {
      const bool erases = Take(payload, 1).front() == 'e';
      const uint64_t key_bytes = TakeNumber(payload);
      const uint64_t value_bytes = TakeNumber(payload);
      const lf_bytes key = Bytes(Take(payload, key_bytes));
      map.Apply({key, Bytes(Take(payload, value_bytes)), erases ? 1 : 0});
    }
    bytes = rest;
    return true;
  }

  int directory_ = -1;
  int file_ = -1;
  off_t end_ = 0;
  std::string path_;
  std::string buffer_;
  Keeps keeps_ = Keeps::kKernel;
  bool syncs_ = true;
  uint64_t sync_every_ = 1;
  uint64_t commits_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_STUB_LOG_H_
