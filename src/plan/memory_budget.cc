#include "plan/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace levelfield {
namespace {

constexpr uint64_t kCacheShare = 4;
constexpr uint64_t kWriteBufferShare = 16;
constexpr uint64_t kLargestWriteBuffer = uint64_t{64} << 20;

// What is not a size is the engine's to refuse.
uint64_t SizeOf(const std::string& text) {
  const StatusOr<uint64_t> bytes = ParseBytes(text);
  return bytes.ok() ? *bytes : 0;
}

}  // namespace

Status ApplyMemoryBudget(Settings& settings) {
  if (settings.memory == 0) return Status::Ok();
  const bool gives_shares = settings.settings != "default";
  if (gives_shares && !settings.given.contains("cache_size")) {
    settings.cache_size = std::to_string(settings.memory / kCacheShare);
  }
  if (gives_shares && !settings.given.contains("write_buffer_size")) {
    settings.write_buffer_size =
        std::to_string(std::min(settings.memory / kWriteBufferShare, kLargestWriteBuffer));
  }
  const uint64_t cache_bytes = SizeOf(settings.cache_size);
  const uint64_t write_buffer_bytes = SizeOf(settings.write_buffer_size);
  if (cache_bytes / 2 + write_buffer_bytes / 2 <= settings.memory / 4) return Status::Ok();
  return Status::Usage(fmt::format(
      "--memory={}: a cache of {} and a write buffer of {} are more than half of it, and leave the "
      "page cache too little; give them less, or leave them out and they get a quarter and a "
      "sixteenth of it",
      settings.memory, cache_bytes, write_buffer_bytes));
}

}  // namespace levelfield
