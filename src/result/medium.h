// What lies under a store, all the way down to the devices: the file system, how it is mounted, and
// the devices' caches (probe/medium_probe.h). Plain data.
#ifndef LEVELFIELD_RESULT_MEDIUM_H_
#define LEVELFIELD_RESULT_MEDIUM_H_

#include <optional>
#include <string>

namespace levelfield {

struct Medium {
  std::string filesystem = {};  // "ext4", "overlay on tmpfs".
  // "write back"; with ", fua" where a write can go through the cache; "write through": there is
  // none, or it is safe. Empty: not known.
  std::string write_cache = {};
  // Why nothing on it survives a power cut, however it is synced; empty: it may.
  std::string volatile_because = {};
  std::string doubt = {};    // What else is to be known before it is trusted; empty: nothing.
  std::string devices = {};  // Those that were asked what came to them: "vda", "loop0, loop1".
  // Why they cannot be asked; empty: they can. Absent in results older than these two members.
  std::optional<std::string> unverifiable_because = {};

  bool operator==(const Medium&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_MEDIUM_H_
