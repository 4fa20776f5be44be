// The operations that measure the machine and its libraries, not a store: a checksum, loads of an
// atomic pointer, compression. They run in the measured loop (loop/loop.h) like all others. Their
// block is made before the loop; they check their work in it and after it.
#ifndef LEVELFIELD_OPERATIONS_MACHINE_H_
#define LEVELFIELD_OPERATIONS_MACHINE_H_

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/libraries.h"

namespace levelfield {

class MachineOperation {
 public:
  static constexpr bool kWholeBlock = false;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }

 protected:
  // "4K", or "100 bytes".
  static std::string SizeText(size_t size) {
    return size % 1024 == 0 ? fmt::format("{}K", size / 1024) : fmt::format("{} bytes", size);
  }
  static OperationCounts CountsOf(uint64_t operations, size_t block_size, uint64_t digest,
                                  uint64_t wrong) {
    return {.operations = operations,
            .hits = operations - wrong,
            .bytes = operations * block_size,
            .digest = digest,
            .wrong = wrong};
  }
};

// The checksum of a block, compared each time with the expected one; `how` says how that is known.
class ChecksumOperation : public MachineOperation {
 public:
  ChecksumOperation(Checksum checksum, std::string block, uint64_t expected, std::string how)
      : checksum_(std::move(checksum)),
        block_(std::move(block)),
        expected_(expected),
        how_(std::move(how)) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    wrong_ += checksum_.of(block_) != expected_ ? 1 : 0;
    return LF_OK;
  }
  OperationCounts counts(uint64_t operations) const {
    return CountsOf(operations, block_.size(), expected_, wrong_);
  }
  std::string Note() const { return SizeText(block_.size()) + " per op"; }
  std::string Detail() const { return checksum_.library + ": " + how_; }

 private:
  Checksum checksum_;
  std::string block_;
  uint64_t expected_;
  std::string how_;
  uint64_t wrong_ = 0;
};

// 1000 loads with acquire semantics from a pointer that does not change.
class AcquireLoadOperation : public MachineOperation {
 public:
  static constexpr int kLoads = 1000;

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    for (int i = 0; i < kLoads; ++i) loaded_ = pointer_.load(std::memory_order_acquire);
    wrong_ += loaded_ != &target_ ? 1 : 0;
    return LF_OK;
  }

  OperationCounts counts(uint64_t operations) const { return CountsOf(operations, 0, 0, wrong_); }
  std::string Note() const { return fmt::format("each op is {} loads", kLoads); }
  std::string Detail() const { return "each pointer is the one that was stored"; }

 private:
  char target_ = 0;
  std::atomic<const char*> pointer_{&target_};
  const char* loaded_ = nullptr;
  uint64_t wrong_ = 0;
};

// Compresses a block, or uncompresses what was compressed once. Each output must have the size of
// the first. Whether the last one is right is checked after the loop.
class CodecOperation : public MachineOperation {
 public:
  CodecOperation(CompressionCodec codec, std::string_view block, bool uncompresses)
      : codec_(std::move(codec)),
        block_(block),
        compressed_(codec_.bound(block.size())),
        uncompressed_(block.size()),
        uncompresses_(uncompresses) {
    expected_size_ = codec_.compress(block_, compressed_.data(), compressed_.size());
    compressed_size_ = expected_size_;
    if (uncompresses) expected_size_ = block_.size();
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const size_t size = uncompresses_
                            ? codec_.uncompress({compressed_.data(), compressed_size_},
                                                uncompressed_.data(), uncompressed_.size())
                            : codec_.compress(block_, compressed_.data(), compressed_.size());
    if (size == 0) [[unlikely]] {
      return LF_UNSUPPORTED;
    }
    wrong_ += size != expected_size_ ? 1 : 0;
    return LF_OK;
  }

  OperationCounts counts(uint64_t operations) const {
    return CountsOf(operations, block_.size(), 0,
                    wrong_ + (operations != 0 && wrong_ == 0 && !IsRight() ? 1 : 0));
  }
  std::string Note() const {
    return fmt::format("output: {:.1f}%", 100.0 * static_cast<double>(compressed_size_) /
                                              static_cast<double>(block_.size()));
  }
  std::string Detail() const {
    return codec_.library + ": what comes out of the last output is what went into the first";
  }
  std::string Error() const {
    return fmt::format("{} failed to {} a block of {}", codec_.library,
                       uncompresses_ ? "uncompress" : "compress", SizeText(block_.size()));
  }

 private:
  bool IsRight() const {
    std::vector<char> out = uncompressed_;
    const size_t size = uncompresses_ ? out.size()
                                      : codec_.uncompress({compressed_.data(), compressed_size_},
                                                          out.data(), out.size());
    return std::string_view(out.data(), std::min(size, out.size())) == block_;
  }

  CompressionCodec codec_;
  std::string_view block_;
  std::vector<char> compressed_;
  std::vector<char> uncompressed_;
  bool uncompresses_;
  size_t compressed_size_ = 0;
  size_t expected_size_ = 0;
  uint64_t wrong_ = 0;
};

// Compression into a buffer that is a byte too small: the cost of a block that does not shrink
// enough and is then stored as it was. The library must refuse it each time.
class CompressRejectOperation : public MachineOperation {
 public:
  CompressRejectOperation(CompressionCodec codec, std::string_view block)
      : codec_(std::move(codec)), block_(block), compressed_(codec_.bound(block.size())) {
    needed_ = codec_.compress(block_, compressed_.data(), compressed_.size());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    // A library that fails even with all the room that it asked for does not count as refusing.
    if (needed_ < 2) [[unlikely]] {
      return LF_UNSUPPORTED;
    }
    taken_ += codec_.compress(block_, compressed_.data(), needed_ - 1) != 0 ? 1 : 0;
    return LF_OK;
  }

  OperationCounts counts(uint64_t operations) const {
    return CountsOf(operations, block_.size(), 0, taken_);
  }
  std::string Note() const { return fmt::format("{} rejected", SizeText(block_.size())); }
  std::string Detail() const {
    return codec_.library +
           fmt::format(": {} bytes, which it needs, were refused in {}", needed_, needed_ - 1);
  }
  std::string Error() const {
    return fmt::format("{} failed to compress a block of {}", codec_.library,
                       SizeText(block_.size()));
  }

 private:
  CompressionCodec codec_;
  std::string_view block_;
  std::vector<char> compressed_;
  size_t needed_ = 0;
  uint64_t taken_ = 0;  // Calls that were not refused.
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_MACHINE_H_
