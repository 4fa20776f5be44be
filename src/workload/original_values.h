// The values of the db_bench family: successive windows of one buffer, whatever the key. The buffer
// is made of pieces of 100 bytes, each a few printable random bytes repeated, until it has 1 MiB. A
// window that would not fit begins at the front again. Kept for --compat=exact.
//
// A window does not say whose value it is, but the order of the writes is known. So the *version*
// of an entry is its window's offset + 1, and its bytes follow from that.
#ifndef LEVELFIELD_WORKLOAD_ORIGINAL_VALUES_H_
#define LEVELFIELD_WORKLOAD_ORIGINAL_VALUES_H_

#include <cstdint>
#include <string>

#include "workload/value_source.h"

namespace levelfield {

// Where the values of one writer lie in the buffer.
struct WindowSeries {
  uint64_t buffer_bytes = 0;
  uint64_t value_size = 0;
  uint64_t first_offset = 0;

  uint64_t OffsetOf(uint64_t n) const {
    const uint64_t before_the_end = (buffer_bytes - first_offset) / value_size;
    if (n < before_the_end) return first_offset + n * value_size;
    return (n - before_the_end) % (buffer_bytes / value_size) * value_size;
  }
  uint32_t VersionOf(uint64_t n) const { return static_cast<uint32_t>(OffsetOf(n)) + 1; }
  // Where another writer continues after `count` values.
  uint64_t OffsetBehind(uint64_t count) const {
    return count == 0 ? first_offset : OffsetOf(count - 1) + value_size;
  }
};

class OriginalValues final : public StoredValues {
 public:
  // Beyond this size the originals read past their buffer.
  static constexpr uint64_t kMostValueBytes = uint64_t{1} << 20;

  // `compression_ratio`: the share of a piece that is random, at least one byte.
  explicit OriginalValues(double compression_ratio);

  WindowSeries Series(uint64_t value_size, uint64_t first_offset) const {
    return {buffer_.size(), value_size, first_offset};
  }
  const std::string& buffer() const { return buffer_; }

  void Write(uint64_t key_index, uint32_t version, size_t size, char* out) const override;
  std::optional<uint32_t> VersionOf(uint64_t key_index, lf_bytes value) const override;
  std::string WhyAnonymous(size_t value_size) const override;

 private:
  std::string buffer_;
};

// The values of one writing thread, in their order.
class WindowCursor {
 public:
  WindowCursor(const OriginalValues& values, size_t value_size, uint64_t first_offset)
      : buffer_(values.buffer().data()),
        end_(values.buffer().size()),
        value_size_(value_size),
        offset_(first_offset) {}

  lf_bytes Next() {
    if (offset_ + value_size_ > end_) [[unlikely]] {
      offset_ = 0;
    }
    const lf_bytes value = {buffer_ + offset_, value_size_};
    offset_ += value_size_;
    return value;
  }

 private:
  const char* buffer_;
  size_t end_;
  size_t value_size_;
  size_t offset_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_ORIGINAL_VALUES_H_
