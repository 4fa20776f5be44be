// A directory of one's own: never one that was there before.
#ifndef LEVELFIELD_BASE_NEW_DIRECTORY_H_
#define LEVELFIELD_BASE_NEW_DIRECTORY_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// Makes `path`, with what is missing above it, or where that is taken `path`-2, `path`-3, ... to
// `path`-100; its path comes back. Of those who ask at the same time each gets another one. kUsage
// where that fails, or somebody else could redirect the path (base/path_owners.h).
StatusOr<std::string> MakeNewDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_NEW_DIRECTORY_H_
