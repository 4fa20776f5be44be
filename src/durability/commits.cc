#include "durability/commits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace levelfield {
namespace {

// The n-th key of a thread: a multiplication by an odd number is a bijection of 32 bits.
uint64_t KeyOf(uint32_t thread, uint32_t n) {
  return static_cast<uint64_t>(thread) << 32 | static_cast<uint32_t>(n * 0x9e3779b1u);
}

}  // namespace

std::span<const CommitEntry> CommitOrder::Next() {
  ++commit_;
  entries_.clear();
  const bool is_batch = random_.Below(4) == 0;
  const uint64_t entries = is_batch ? 2 + random_.Below(7) : 1;
  while (entries_.size() < entries) {
    const CommitEntry entry = Draw();
    if (!IsInCommit(entry.key)) entries_.push_back(entry);
  }
  return entries_;
}

CommitEntry CommitOrder::Draw() {
  const bool is_long = random_.Below(8) == 0;
  const uint32_t bytes = is_long ? shape_.value_bytes * kLongValueFactor : shape_.value_bytes;
  if (fresh_keys_ < 16 || random_.Below(2) == 0) return {KeyOf(thread_, fresh_keys_++), bytes};
  const auto n = static_cast<uint32_t>(random_.Below(fresh_keys_));
  const bool erase = shape_.erases && random_.Below(6) == 0;
  return {KeyOf(thread_, n), erase ? 0 : bytes, erase};
}

bool CommitOrder::IsInCommit(uint64_t key) const {
  return std::ranges::find(entries_, key, &CommitEntry::key) != entries_.end();
}

std::string KeyText(uint64_t key) { return fmt::format("{:016x}", key); }

bool ParseKeyText(std::string_view text, uint64_t& key) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, key, 16);
  return error == std::errc() && stop == end && KeyText(key) == text;
}

StatusOr<Acknowledgements> Acknowledgements::Make(uint32_t threads) {
  Acknowledgements made(UniqueFd(memfd_create("levelfield_acknowledgements", MFD_CLOEXEC)),
                        threads);
  if (!made.fd_.ok() || ftruncate(made.fd_.get(), static_cast<off_t>(made.Bytes())) != 0) {
    return Status::Failed(
        fmt::format("cannot make memory for acknowledgements: {}", std::strerror(errno)));
  }
  RETURN_IF_ERROR(made.Map());
  return made;
}

StatusOr<Acknowledgements> Acknowledgements::Open(const std::string& path, uint32_t threads) {
  Acknowledgements opened(UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC)), threads);
  if (!opened.fd_.ok()) {
    return Status::Failed(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
  RETURN_IF_ERROR(opened.Map());
  return opened;
}

Acknowledgements::Acknowledgements(Acknowledgements&& other) noexcept
    : fd_(std::move(other.fd_)),
      threads_(other.threads_),
      shared_(std::exchange(other.shared_, nullptr)),
      slots_(std::exchange(other.slots_, nullptr)) {}

Acknowledgements::~Acknowledgements() {
  if (shared_ != nullptr) munmap(shared_, Bytes());
}

// Only pages that were written exist.
Status Acknowledgements::Map() {
  void* const pages =
      mmap(nullptr, Bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
  if (pages == MAP_FAILED) {
    return Status::Failed(
        fmt::format("cannot map the memory for acknowledgements: {}", std::strerror(errno)));
  }
  shared_ = static_cast<Shared*>(pages);
  slots_ = reinterpret_cast<Slot*>(shared_ + 1);
  return Status::Ok();
}

std::string Acknowledgements::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), fd_.get());
}

std::vector<uint64_t> Acknowledgements::Issued() const {
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < threads_; ++i) counts.push_back(slots_[i].issued);
  return counts;
}

std::vector<uint64_t> Acknowledgements::Acked() const {
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < threads_; ++i) counts.push_back(slots_[i].acked);
  return counts;
}

uint64_t Acknowledgements::AckedNs(uint32_t thread, uint64_t commit) const {
  return slots_[thread].acked_ns[commit];
}

}  // namespace levelfield
