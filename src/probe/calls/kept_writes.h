// Which bytes that were written by calls have been made durable since, file by file: a sync keeps
// what had been written to its file before it began, through whatever descriptor and under whatever
// name; a write that is itself a sync keeps itself. Writes through maps are in no call, so they are
// not here. Values in, values out; only the tracer uses it.
#ifndef LEVELFIELD_PROBE_CALLS_KEPT_WRITES_H_
#define LEVELFIELD_PROBE_CALLS_KEPT_WRITES_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace levelfield {

struct FileId {
  uint64_t inode = 0;
  uint64_t device = 0;
  uint64_t mount = 0;  // That it was opened through: no part of its identity.

  friend bool operator<(const FileId& a, const FileId& b) {
    return std::pair(a.inode, a.device) < std::pair(b.inode, b.device);
  }
};

// What calls wrote to files between two looks.
struct WrittenByCalls {
  uint64_t bytes = 0;
  // Of these, those in files that had been made durable after the last write to them.
  uint64_t kept_bytes = 0;
  // A sync was one of a shared map, or of a file with one: what it kept is not known.
  bool is_map_synced = false;
};

class KeptWrites {
 public:
  // How far each file that a sync is of had been written when it began.
  using Sync = std::vector<std::pair<FileId, uint64_t>>;

  Sync OfFile(const FileId& file) const;
  // `file` is any of that file system.
  Sync OfFileSystem(const FileId& file) const;
  Sync OfAll() const;

  // That sync has ended well.
  void Keep(const Sync& sync);
  void KeepMap() { is_map_synced_ = true; }
  void Write(const FileId& file, uint64_t bytes, bool is_synced);

  // Since the last call of this.
  WrittenByCalls Take();

 private:
  struct Bytes {
    uint64_t plain = 0;   // Written by calls that are no syncs.
    uint64_t kept = 0;    // The first so many of `plain`.
    uint64_t before = 0;  // `plain` at the last look.
    uint64_t synced = 0;  // Written by calls that are syncs, since the last look.
  };

  std::map<FileId, Bytes> files_;
  bool is_map_synced_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_KEPT_WRITES_H_
