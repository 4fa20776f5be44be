// What lies under a store whose writes are to survive power cuts: the file system, how it is
// mounted, and the device's cache (run/medium_probe.h). Plain data.
#ifndef LEVELFIELD_RESULT_MEDIUM_H_
#define LEVELFIELD_RESULT_MEDIUM_H_

#include <string>

namespace levelfield {

struct Medium {
  std::string filesystem = {};   // "ext4", "overlay on tmpfs".
  std::string write_cache = {};  // "write back", "write through"; empty: not known.
  // Why nothing on it survives a power cut, however it is synced; empty: it may.
  std::string volatile_because = {};
  std::string doubt = {};  // What else is to be known before it is trusted; empty: nothing.

  bool operator==(const Medium&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_MEDIUM_H_
