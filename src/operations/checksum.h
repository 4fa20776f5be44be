// CRC-32C from a library that uses the processor's instruction for it, and the same bit by bit, to
// check that library with.
#ifndef LEVELFIELD_OPERATIONS_CHECKSUM_H_
#define LEVELFIELD_OPERATIONS_CHECKSUM_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

class Checksum {
 public:
  // libcrc32c (LevelDB's own), else ISA-L. What is not there is kUsage.
  static StatusOr<Checksum> Load();

  uint32_t Crc32c(std::string_view bytes) const {
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (value_ != nullptr) return value_(data, bytes.size());
    return ~iscsi_(data, static_cast<int>(bytes.size()), ~uint32_t{0});
  }
  // Of the library that was loaded.
  const std::string& library() const { return library_; }

 private:
  // https://github.com/google/crc32c/blob/main/include/crc32c/crc32c.h
  uint32_t (*value_)(const unsigned char*, size_t) = nullptr;
  // https://github.com/intel/isa-l/blob/master/include/crc.h: without the inversions.
  unsigned (*iscsi_)(const unsigned char*, int, unsigned) = nullptr;
  std::string library_;
};

// RFC 3720, B.4; the polynomial 0x1edc6f41 with its bits reflected.
constexpr uint32_t Crc32cBitByBit(std::string_view bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}
static_assert(Crc32cBitByBit("123456789") == 0xe3069283);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CHECKSUM_H_
