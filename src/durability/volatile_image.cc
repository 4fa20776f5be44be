#include "durability/volatile_image.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "base/random.h"

namespace levelfield {
namespace {

constexpr uint64_t kSectorsOfAPage = VolatileImage::kPageBytes / VolatileImage::kSectorBytes;

}  // namespace

SparseMemory::SparseMemory(uint64_t bytes) : size_(bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Else each page that is read for the first time could become one of 2 MiB.
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

void SparseMemory::Forget(uint64_t offset, uint64_t bytes) {
  if (bytes != 0) (void)madvise(data_ + offset, bytes, MADV_DONTNEED);
}

VolatileImage::Layer::Layer(uint64_t bytes)
    : memory(bytes), has_data(bytes / VolatileImage::kPageBytes) {}

VolatileImage::VolatileImage(uint64_t bytes)
    : seen_(bytes), flushed_(bytes), unflushed_(bytes / VolatileImage::kPageBytes) {}

std::string_view VolatileImage::Read(uint64_t offset, uint64_t bytes) const {
  return {seen_.memory.data() + offset, bytes};
}

void VolatileImage::Write(uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(seen_.memory.data() + offset, bytes.data(), bytes.size());
  const uint64_t last = (offset + bytes.size() - 1) / VolatileImage::kPageBytes;
  for (uint64_t page = offset / VolatileImage::kPageBytes; page <= last; ++page)
    seen_.has_data[page] = true;
  MarkUnflushed(offset, bytes.size());
}

void VolatileImage::WriteZeros(uint64_t offset, uint64_t bytes) {
  const uint64_t end = offset + bytes;
  const uint64_t first_page = (offset + VolatileImage::kPageBytes - 1) / VolatileImage::kPageBytes;
  const uint64_t end_page = end / VolatileImage::kPageBytes;
  if (first_page >= end_page) {  // No whole page.
    std::memset(seen_.memory.data() + offset, 0, bytes);
  } else {
    std::memset(seen_.memory.data() + offset, 0, first_page * VolatileImage::kPageBytes - offset);
    std::memset(seen_.memory.data() + end_page * VolatileImage::kPageBytes, 0,
                end - end_page * VolatileImage::kPageBytes);
    seen_.memory.Forget(first_page * VolatileImage::kPageBytes,
                        (end_page - first_page) * VolatileImage::kPageBytes);
    for (uint64_t page = first_page; page < end_page; ++page) seen_.has_data[page] = false;
  }
  MarkUnflushed(offset, bytes);
}

void VolatileImage::MarkUnflushed(uint64_t offset, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t last = (offset + bytes - 1) / kSectorBytes;
  for (uint64_t sector = offset / kSectorBytes; sector <= last; ++sector) {
    const uint64_t page = sector / kSectorsOfAPage;
    if (unflushed_[page] == 0) unflushed_pages_.push_back(static_cast<uint32_t>(page));
    unflushed_[page] |= static_cast<uint8_t>(1 << (sector % kSectorsOfAPage));
  }
}

void VolatileImage::Flush() {
  for (const uint32_t page : unflushed_pages_) {
    const uint64_t begin = page * VolatileImage::kPageBytes;
    if (seen_.has_data[page]) {
      std::memcpy(flushed_.memory.data() + begin, seen_.memory.data() + begin,
                  VolatileImage::kPageBytes);
    } else if (flushed_.has_data[page]) {
      flushed_.memory.Forget(begin, VolatileImage::kPageBytes);
    }
    flushed_.has_data[page] = seen_.has_data[page];
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

void VolatileImage::WriteAfterCut(double survives, uint64_t seed, char* left) const {
  Random random(seed);
  for (uint64_t page = 0; page < unflushed_.size(); ++page) {
    if (!seen_.has_data[page] && !flushed_.has_data[page]) continue;
    const uint64_t begin = page * VolatileImage::kPageBytes;
    if (flushed_.has_data[page]) {
      std::memcpy(left + begin, flushed_.memory.data() + begin, VolatileImage::kPageBytes);
    }
    for (uint64_t i = 0; i < kSectorsOfAPage; ++i) {
      if ((unflushed_[page] >> i & 1) == 0) continue;
      if (static_cast<double>(random.Next() >> 11) * 0x1p-53 >= survives) continue;
      const uint64_t offset = begin + i * kSectorBytes;
      std::memcpy(left + offset, seen_.memory.data() + offset, kSectorBytes);
    }
  }
}

}  // namespace levelfield
