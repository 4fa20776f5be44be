// The three hashes of libxxhash, which is loaded when one is measured, each with a look at whether
// it gives what is published for it.
#ifndef LEVELFIELD_OPERATIONS_XXHASH_H_
#define LEVELFIELD_OPERATIONS_XXHASH_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

class XxHash {
 public:
  // `name`: xxhash (of 32 bits), xxhash64 or xxh3 (64 bits). What is not there, or gives another
  // hash than it has to, is kUsage.
  static StatusOr<XxHash> Load(std::string_view name);

  uint64_t Of(std::string_view bytes) const {
    if (of_32_bits_ != nullptr) return of_32_bits_(bytes.data(), bytes.size(), 0);
    if (of_64_bits_ != nullptr) return of_64_bits_(bytes.data(), bytes.size(), 0);
    return xxh3_(bytes.data(), bytes.size());
  }
  // Of the library that was loaded.
  const std::string& library() const { return library_; }

 private:
  // https://github.com/Cyan4973/xxHash/blob/dev/xxhash.h; the seed is last.
  unsigned (*of_32_bits_)(const void*, size_t, unsigned) = nullptr;
  uint64_t (*of_64_bits_)(const void*, size_t, uint64_t) = nullptr;
  uint64_t (*xxh3_)(const void*, size_t) = nullptr;
  std::string library_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_XXHASH_H_
