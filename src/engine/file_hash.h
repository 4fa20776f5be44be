// Which file exactly: its size and SHA-256, by libnettle (which uses the processor's SHA
// instructions where there are any). Any thread.
#ifndef LEVELFIELD_ENGINE_FILE_HASH_H_
#define LEVELFIELD_ENGINE_FILE_HASH_H_

#include <cstdint>
#include <string>

#include "base/status.h"

namespace levelfield {

struct FileHash {
  uint64_t bytes = 0;
  std::string sha256;  // 64 lower-case hexadecimal digits.
};

StatusOr<FileHash> HashFile(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_FILE_HASH_H_
