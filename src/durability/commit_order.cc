#include "durability/commit_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

}  // namespace levelfield
