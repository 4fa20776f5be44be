// The compressors that the workloads snappycomp, zstduncomp, ... measure, behind one interface. A
// codec belongs to one thread: Zstd keeps its context between calls, as its manual advises.
#ifndef LEVELFIELD_OPERATIONS_CODEC_H_
#define LEVELFIELD_OPERATIONS_CODEC_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

class Codec {
 public:
  virtual ~Codec() = default;

  // The most that `size` bytes can be compressed to.
  virtual size_t Bound(size_t size) const = 0;
  // Both give the bytes that they wrote to `out`; 0: the library failed.
  virtual size_t Compress(std::string_view in, char* out, size_t capacity) = 0;
  virtual size_t Uncompress(std::string_view in, char* out, size_t capacity) = 0;
  // Of the library that was loaded.
  virtual const std::string& library() const = 0;
};

// `name`: snappy, zstd (level 1, as LevelDB uses it) or lz4. What is not there is kUsage.
StatusOr<std::unique_ptr<Codec>> LoadCodec(std::string_view name);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CODEC_H_
