// The contents of a disk with a volatile cache: what was written to it, what of that is flushed,
// and which sectors are not. Held in memory, which only written data takes (twice). For one thread.
#ifndef LEVELFIELD_DURABILITY_VOLATILE_IMAGE_H_
#define LEVELFIELD_DURABILITY_VOLATILE_IMAGE_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace levelfield {

// Zeros until they are written. Throws std::bad_alloc if there is no such range of addresses.
class SparseMemory {
 public:
  explicit SparseMemory(uint64_t bytes);
  SparseMemory(SparseMemory&& other) noexcept;
  SparseMemory& operator=(SparseMemory&& other) noexcept;
  ~SparseMemory();

  char* data() { return data_; }
  // Whole pages become zeros and take no memory.
  void Forget(uint64_t offset, uint64_t bytes);
  const char* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  char* data_;
  uint64_t size_;
};

class VolatileImage {
 public:
  static constexpr uint64_t kSectorBytes = 512;
  static constexpr uint64_t kPageBytes = 4096;

  // Rounds `bytes` up to whole pages.
  explicit VolatileImage(uint64_t bytes);

  uint64_t size() const { return seen_.memory.size(); }
  // Ranges must be within the size.
  std::string_view Read(uint64_t offset, uint64_t bytes) const;
  void Write(uint64_t offset, std::string_view bytes);
  void WriteZeros(uint64_t offset, uint64_t bytes);
  // Afterwards all that was written is flushed.
  void Flush();
  uint64_t unflushed_sectors() const;

  // What a cut now would leave: everything flushed, and each unflushed sector with this chance. The
  // same for the same history and seed. `left` is zeros, of the size of the disk.
  void WriteAfterCut(double survives, uint64_t seed, char* left) const;

 private:
  // Pages that were never written, or only with zeros by WriteZeros, have no data and take no
  // memory: the log of a fresh XFS is 64 MiB of them.
  struct Layer {
    explicit Layer(uint64_t bytes);
    SparseMemory memory;
    std::vector<bool> has_data;  // By page.
  };
  void MarkUnflushed(uint64_t offset, uint64_t bytes);

  Layer seen_;
  Layer flushed_;
  // One byte for each page of 4 KiB, one bit for each of its eight sectors.
  std::vector<uint8_t> unflushed_;
  std::vector<uint32_t> unflushed_pages_;  // Pages with a bit set, in the order of writing.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_VOLATILE_IMAGE_H_
