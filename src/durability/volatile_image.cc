#include "durability/volatile_image.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "base/random.h"

namespace levelfield {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kSectorsOfAPage = kPageBytes / VolatileImage::kSectorBytes;

}  // namespace

SparseMemory::SparseMemory(uint64_t bytes) : size_(bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Else each page read for the first time could become one of 2 MiB.
  (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
  data_ = static_cast<char*>(memory);
}

SparseMemory::SparseMemory(SparseMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}

SparseMemory& SparseMemory::operator=(SparseMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SparseMemory::~SparseMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

VolatileImage::VolatileImage(uint64_t bytes)
    : seen_(bytes),
      flushed_(bytes),
      unflushed_(bytes / kPageBytes),
      written_pages_(bytes / kPageBytes) {}

std::string_view VolatileImage::Read(uint64_t offset, uint64_t bytes) const {
  return {seen_.data() + offset, bytes};
}

void VolatileImage::Write(uint64_t offset, std::string_view bytes) {
  std::memcpy(seen_.data() + offset, bytes.data(), bytes.size());
  MarkWritten(offset, bytes.size());
}

void VolatileImage::WriteZeros(uint64_t offset, uint64_t bytes) {
  std::memset(seen_.data() + offset, 0, bytes);
  MarkWritten(offset, bytes);
}

void VolatileImage::MarkWritten(uint64_t offset, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t last = (offset + bytes - 1) / kSectorBytes;
  for (uint64_t sector = offset / kSectorBytes; sector <= last; ++sector) {
    const uint64_t page = sector / kSectorsOfAPage;
    if (unflushed_[page] == 0) unflushed_pages_.push_back(static_cast<uint32_t>(page));
    unflushed_[page] |= static_cast<uint8_t>(1 << (sector % kSectorsOfAPage));
    written_pages_[page] = true;
  }
}

void VolatileImage::Flush() {
  for (const uint32_t page : unflushed_pages_) {
    std::memcpy(flushed_.data() + page * kPageBytes, seen_.data() + page * kPageBytes, kPageBytes);
    unflushed_[page] = 0;
  }
  unflushed_pages_.clear();
}

uint64_t VolatileImage::unflushed_sectors() const {
  uint64_t sum = 0;
  for (const uint32_t page : unflushed_pages_) {
    sum += static_cast<uint64_t>(std::popcount(unflushed_[page]));
  }
  return sum;
}

SparseMemory VolatileImage::AfterCut(double survives, uint64_t seed) const {
  SparseMemory left(size());
  Random random(seed);
  for (uint64_t page = 0; page < written_pages_.size(); ++page) {
    if (!written_pages_[page]) continue;
    const uint64_t begin = page * kPageBytes;
    std::memcpy(left.data() + begin, flushed_.data() + begin, kPageBytes);
    for (uint64_t i = 0; i < kSectorsOfAPage; ++i) {
      if ((unflushed_[page] >> i & 1) == 0) continue;
      if (static_cast<double>(random.Next() >> 11) * 0x1p-53 >= survives) continue;
      const uint64_t offset = begin + i * kSectorBytes;
      std::memcpy(left.data() + offset, seen_.data() + offset, kSectorBytes);
    }
  }
  return left;
}

}  // namespace levelfield
