// Turns an index into the bytes of a key: decimal, zero-padded to `key_size` bytes (at least 16),
// as all of the db_bench family writes them, so that byte order is numeric order and stores can be
// exchanged. the digits are made in a few multiplications, not by snprintf (98 ns against 2).
//
// A *missing* key is one that no writer ever writes, of the same length and within the range of the
// keys: the last digit is raised by ten, '0'..'9' becoming ':'..'C', which sorts behind the tens of
// its key and before the next.
#ifndef LEVELFIELD_WORKLOAD_KEY_FORMAT_H_
#define LEVELFIELD_WORKLOAD_KEY_FORMAT_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace levelfield {

class KeyFormat {
 public:
  static constexpr size_t kDigits = 16;
  static constexpr uint64_t kLimit = 10'000'000'000'000'000;  // Indexes are below 10^16.

  // For indexes in [0, range).
  KeyFormat(size_t key_size, uint64_t range, bool missing = false)
      : key_size_(key_size), has_high_digits_(range > 100'000'000), missing_(missing) {}

  size_t key_size() const { return key_size_; }

  // Writes the keys of `indexes`, key_size() bytes each, one behind the other. `keys` was filled
  // with '0' before its first use: only the digits that the range can change are written.
  void Format(std::span<const uint64_t> indexes, char* keys) const;

  // The index whose key this is; empty where it is none (also for a missing key).
  std::optional<uint64_t> Parse(std::string_view key) const;

 private:
  size_t key_size_;
  bool has_high_digits_;
  bool missing_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_FORMAT_H_
