// Values that describe themselves, so that one value, its key and the store's salt suffice to say
// whether it is right. Layout, little endian, of a value of n bytes (the first n of it, below 16):
//
//     tag      u64   Mix64(key index, version, length, salt)
//     version  u32   1 for the first write of a key; later writes count up
//     length   u32   n
//     body           n - 16 bytes of the pool, from offset tag mod 1 MiB
//
// The pool is made once, before the clock starts: 1 MiB without repeats, of the declared
// compressibility for Snappy, LZ4 and Zstd alike, and n bytes more so that a body never wraps.
// Immutable after it is made, so all threads read one pool.
#ifndef LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_
#define LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "workload/stored_values.h"

namespace levelfield {

class ValueSource final : public StoredValues {
 public:
  static constexpr size_t kHeaderBytes = 16;
  static constexpr size_t kPoolBytes = size_t{1} << 20;

  // `compression_ratio`: compressed over raw size, (0, 1].
  ValueSource(uint64_t salt, size_t max_value_size, double compression_ratio);

  // Writes the value of (key, version) into out[0, size).
  void Make(uint64_t key_index, uint32_t version, size_t size, char* out) const {
    const Header header = HeaderOf(key_index, version, static_cast<uint32_t>(size));
    if (size < kHeaderBytes) [[unlikely]] {
      std::memcpy(out, &header, size);
      return;
    }
    // In two stores, each from its register: a header put together in memory is read back before
    // its halves have arrived there.
    const uint64_t shape = static_cast<uint64_t>(header.length) << 32 | header.version;
    std::memcpy(out, &header.tag, 8);
    std::memcpy(out + 8, &shape, 8);
    CopyBody(Body(header.tag), size - kHeaderBytes, out + kHeaderBytes);
  }

  // The version of a value read for the key, where the value is whole and right: its tag, its
  // length and every byte of its body. Empty where it is not, or shorter than a header.
  std::optional<uint32_t> Check(uint64_t key_index, lf_bytes value) const {
    if (value.size < kHeaderBytes) return std::nullopt;
    Header header;
    std::memcpy(&header, value.data, kHeaderBytes);
    if (header.length != value.size || value.size > max_value_size_ ||
        header.tag != HeaderOf(key_index, header.version, header.length).tag ||
        std::memcmp(value.data + kHeaderBytes, Body(header.tag), value.size - kHeaderBytes) != 0) {
      return std::nullopt;
    }
    return header.version;
  }

  void Write(uint64_t key_index, uint32_t version, size_t size, char* out) const override {
    Make(key_index, version, size, out);
  }
  std::optional<uint32_t> VersionOf(uint64_t key_index, lf_bytes value) const override {
    return Check(key_index, value);
  }
  std::string WhyAnonymous(size_t value_size) const override {
    return value_size < kHeaderBytes ? "values below 16 bytes do not name their version" : "";
  }

  size_t max_value_size() const { return max_value_size_; }
  // The first MiB, to measure its compressibility.
  std::string_view pool() const { return std::string_view(pool_).substr(0, kPoolBytes); }

 private:
  struct Header {
    uint64_t tag;
    uint32_t version;
    uint32_t length;
  };
  static_assert(sizeof(Header) == kHeaderBytes);

  // The call of memcpy costs more than copying the body of a 100-byte value does.
  static void CopyBody(const char* from, size_t size, char* to) {
    if (size - 65 >= 64) {
      std::memcpy(to, from, size);
      return;
    }
    // 65 to 128 bytes: four pieces that overlap.
    CopyPiece(from, to);
    CopyPiece(from + 32, to + 32);
    CopyPiece(from + size - 64, to + size - 64);
    CopyPiece(from + size - 32, to + size - 32);
  }

  // One register of 32 bytes where there is one; of a plain memcpy GCC makes two of 16.
  static void CopyPiece(const char* from, char* to) {
    typedef uint64_t Piece __attribute__((vector_size(32), aligned(1)));
    Piece piece;
    std::memcpy(&piece, from, sizeof(piece));
    std::memcpy(to, &piece, sizeof(piece));
  }

  Header HeaderOf(uint64_t key_index, uint32_t version, uint32_t length) const {
    const uint64_t shape = static_cast<uint64_t>(version) << 32 | length;
    return {Mix64(key_index * 0x9e3779b97f4a7c15 ^ shape ^ salt_), version, length};
  }
  const char* Body(uint64_t tag) const { return pool_.data() + tag % kPoolBytes; }

  uint64_t salt_;
  size_t max_value_size_;
  std::string pool_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_
