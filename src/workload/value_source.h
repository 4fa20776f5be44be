// Values that describe themselves: one value, its key and the store's salt suffice to tell whether
// it is right. Layout, little endian, of a value of n bytes (below 16, its first n bytes):
//
//     tag      u64   Mix64(key index, version, length, salt)
//     version  u32   1 for the first write of a key; later writes count up
//     length   u32   n
//     body           n - 16 bytes of the pool, from offset tag mod 1 MiB, each combined by an
//                    exclusive or with the upper two bytes of the tag in turn
//
// The pool is made once, before the clock starts: 1 MiB without repeats, of the declared
// compressibility for Snappy, LZ4 and Zstd alike, and n bytes more so that a body never wraps. It
// is a row of pieces of about 1 KiB, each of which begins with random bytes and ends with a run of
// one byte; the declared ratio sets where the one ends and the other begins (MakePool). The
// exclusive or keeps values apart that share a part of the pool. Without it a compressor that
// remembers megabytes would find that part again (32 MiB of incompressible values shrank to 0.09 of
// their size). With two bytes a part repeats after 64 GiB on average, which is 1.6 % of 1 GiB. With
// four bytes Snappy finds runs so late that no pool compresses alike for it and for Zstd. The pool
// is immutable once made, so all threads read one.
#ifndef LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_
#define LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

// Compares what was read with what was written, for the replay, the verifier and the verification.
// The measured path uses the value classes themselves. Immutable, so any thread may ask.
class StoredValues {
 public:
  virtual ~StoredValues() = default;

  // Writes the bytes of a key's version into out[0, size).
  virtual void Write(uint64_t key_index, uint32_t version, size_t size, char* out) const = 0;
  // The version of the key that this value is; empty if it is none, or does not show it.
  virtual std::optional<uint32_t> VersionOf(uint64_t key_index, lf_bytes value) const = 0;
  // Why a value of this size cannot be checked when its version is unknown; empty: it can.
  virtual std::string WhyAnonymous(size_t value_size) const = 0;
};

class ValueSource final : public StoredValues {
 public:
  static constexpr size_t kHeaderBytes = 16;
  static constexpr size_t kPoolBytes = size_t{1} << 20;

  // `compression_ratio`: compressed over raw size, (0, 1].
  ValueSource(uint64_t salt, size_t max_value_size, double compression_ratio);

  // Writes the value of (key, version) into out[0, size).
  [[gnu::always_inline]] void Make(uint64_t key_index, uint32_t version, size_t size,
                                   char* out) const {
    const uint64_t shape = ShapeOf(version, size);
    Make(TagOf(key_index, SeedOf(shape)), shape, out);
  }

  // The same in steps, for who knows early what comes next: the shape, its seed, the tag, and the
  // value. In between, Prefetch has the caches fetch the part of the pool that the value will take.
  // They hold what the engine has used since the last value: without it RocksDB's fillseq took 4 %
  // longer.
  static uint64_t ShapeOf(uint32_t version, size_t size) {
    return static_cast<uint64_t>(version) << 32 | static_cast<uint32_t>(size);
  }
  static constexpr uint64_t kNextVersion = uint64_t{1} << 32;  // From one shape to the next.
  uint64_t SeedOf(uint64_t shape) const { return shape ^ salt_; }
  static uint64_t TagOf(uint64_t key_index, uint64_t seed) {
    return Mix64(key_index * 0x9e3779b97f4a7c15 ^ seed);
  }
  // A body of 84 bytes, of a value of 100, touches three lines of the cache in 3 of 10 cases.
  // Inlined early: GCC drops the call of a function that only prefetches.
  [[gnu::always_inline]] void Prefetch(uint64_t tag) const {
    __builtin_prefetch(Body(tag));
    __builtin_prefetch(Body(tag) + 64);
    __builtin_prefetch(Body(tag) + 127);
  }
  [[gnu::always_inline]] void Make(uint64_t tag, uint64_t shape, char* out) const {
    const size_t size = static_cast<uint32_t>(shape);
    // In the layout the length stands behind the version. Stored in two halves, each from its
    // register: a header put together in memory would be read back before they have arrived there.
    const uint64_t halves[] = {tag, std::rotl(shape, 32)};
    if (size < kHeaderBytes) [[unlikely]] {
      std::memcpy(out, halves, size);
      return;
    }
    std::memcpy(out, &halves[0], 8);
    std::memcpy(out + 8, &halves[1], 8);
    MakeBody(Body(tag), PatternOf(tag), size - kHeaderBytes, out + kHeaderBytes);
  }

  // The version of a value read for the key, where the value is whole and right: its tag, its
  // length and every byte of its body. Empty where it is not, or shorter than a header.
  //
  // All of it is compared, whatever its header says. So a wrong value costs as much as a right one,
  // and the null engine, whose values are all wrong, shows the whole price of a checked loop.
  [[gnu::always_inline]] std::optional<uint32_t> Check(uint64_t key_index, lf_bytes value) const {
    if (value.size < kHeaderBytes || value.size > max_value_size_) return std::nullopt;
    Header header;
    std::memcpy(&header, value.data, kHeaderBytes);
    const auto length = static_cast<uint32_t>(value.size);
    const uint64_t tag = TagOf(key_index, SeedOf(ShapeOf(header.version, length)));
    const bool is_body =
        IsBody(Body(tag), PatternOf(tag), value.size - kHeaderBytes, value.data + kHeaderBytes);
    const bool is_right = (header.tag == tag) & (header.length == length) & is_body;
    return is_right ? std::optional(header.version) : std::nullopt;
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

  // 32 bytes, in the registers of 16 that every processor has: with one vector of 32, GCC takes a
  // detour over the stack on processors without such registers.
  typedef uint32_t Half __attribute__((vector_size(16), aligned(1)));
  static constexpr size_t kPiece = 32;

  [[gnu::always_inline]] static Half Load(const char* from) {
    Half half;
    std::memcpy(&half, from, sizeof(half));
    return half;
  }
  // The pool's bytes combined with the pattern, which begins anew at each piece.
  [[gnu::always_inline]] static void MakePiece(const char* from, uint32_t pattern, char* to) {
    const Half first = Load(from) ^ pattern;
    const Half second = Load(from + 16) ^ pattern;
    std::memcpy(to, &first, sizeof(first));
    std::memcpy(to + 16, &second, sizeof(second));
  }
  // Zero if the bytes are those that MakePiece makes.
  [[gnu::always_inline]] static Half Difference(const char* from, uint32_t pattern,
                                                const char* bytes) {
    return (Load(from) ^ pattern ^ Load(bytes)) | (Load(from + 16) ^ pattern ^ Load(bytes + 16));
  }
  // The pattern of a piece that begins at this place.
  static uint32_t PatternAt(uint32_t pattern, size_t place) {
    return std::rotr(pattern, static_cast<int>(place % 4 * 8));
  }

  [[gnu::always_inline]] static void MakeBody(const char* from, uint32_t pattern, size_t size, char* to) {
    // 65 to 128 bytes: four overlapping pieces.
    if (size - 65 < 64) [[likely]] {
      const uint32_t at_end = PatternAt(pattern, size);
      MakePiece(from, pattern, to);
      MakePiece(from + 32, pattern, to + 32);
      MakePiece(from + size - 64, at_end, to + size - 64);
      MakePiece(from + size - 32, at_end, to + size - 32);
      return;
    }
    if (size < kPiece) return MakeShort(from, pattern, size, to);
    const size_t last = size - kPiece;
    for (size_t at = 0; at < last; at += kPiece) MakePiece(from + at, pattern, to + at);
    MakePiece(from + last, PatternAt(pattern, last), to + last);
  }

  [[gnu::always_inline]] static bool IsBody(const char* from, uint32_t pattern, size_t size,
                                            const char* bytes) {
    if (size < kPiece) [[unlikely]] {
      char made[kPiece];
      MakeShort(from, pattern, size, made);
      return std::memcmp(made, bytes, size) == 0;
    }
    const size_t last = size - kPiece;
    Half difference = Difference(from + last, PatternAt(pattern, last), bytes + last);
    for (size_t at = 0; at < last; at += kPiece) {
      difference |= Difference(from + at, pattern, bytes + at);
    }
    typedef uint64_t Halves __attribute__((vector_size(16)));
    const auto halves = reinterpret_cast<Halves>(difference);
    return (halves[0] | halves[1]) == 0;
  }

  static void MakeShort(const char* from, uint32_t pattern, size_t size, char* to) {
    for (size_t i = 0; i < size; ++i) {
      to[i] = static_cast<char>(from[i] ^ static_cast<char>(pattern >> (i % 4 * 8)));
    }
  }

  const char* Body(uint64_t tag) const { return pool_.data() + tag % kPoolBytes; }
  // Taken from bits that do not choose the place in the pool.
  uint32_t PatternOf(uint64_t tag) const {
    return static_cast<uint32_t>(tag >> 48) * twice_;
  }

  uint64_t salt_;
  // Repeats the two bytes: in memory, one instruction. Of a constant the compiler makes two more.
  uint32_t twice_ = 0x10001;
  size_t max_value_size_;
  std::string pool_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SOURCE_H_
