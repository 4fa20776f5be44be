#include "plan/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr uint64_t kLeastMemory = uint64_t{1} << 20;
constexpr uint64_t kCacheShare = 4;
constexpr uint64_t kWriteBufferShare = 16;
constexpr uint64_t kLargestWriteBuffer = uint64_t{64} << 20;

// Of a process without an engine, of one thread (`null` at 1 and 32), and of a key.
constexpr uint64_t kProcessBytes = uint64_t{3} << 20;
constexpr uint64_t kThreadBytes = uint64_t{170} << 10;
constexpr uint64_t kModelBytes = 8;

// The most that an engine here takes beside its caches, and for each session with the harness's
// thread (rocksdb, wiredtiger: their facts "memory").
constexpr uint64_t kMostOfEngine = uint64_t{22} << 20;
constexpr uint64_t kMostOfSession = uint64_t{1} << 20;
// However little is left, the cache gets a sixteenth of the memory, the write buffer a quarter of
// that.
constexpr uint64_t kLeastShare = 16;

// What caches and buffers may share with the page cache. Engines get equal shares, so this is for
// all of them.
uint64_t LeftByThreads(const Settings& settings) {
  const uint64_t taken =
      kMostOfEngine + settings.threads * kMostOfSession + settings.num * kModelBytes;
  return settings.memory - std::min(settings.memory, taken);
}

// The engine refuses a text that is no size.
uint64_t SizeOf(const std::string& text) {
  const StatusOr<uint64_t> bytes = ParseBytes(text);
  return bytes.ok() ? *bytes : 0;
}

}  // namespace

Status ApplyMemoryBudget(Settings& settings) {
  if (settings.memory == 0) return Status::Ok();
  if (settings.memory < kLeastMemory) {
    return Status::Usage(fmt::format(
        "--memory={0}: is {0} bytes, and a process needs at least {1}; say --memory=64M for 64 MiB",
        settings.memory, TypedBytes(kLeastMemory)));
  }
  const bool gives_shares = settings.settings != "default";
  const uint64_t left = LeftByThreads(settings);
  if (gives_shares && !settings.given.contains("cache_size")) {
    settings.cache_size = std::to_string(
        std::min(settings.memory / kCacheShare, std::max(left / 2, settings.memory / kLeastShare)));
  }
  if (gives_shares && !settings.given.contains("write_buffer_size")) {
    settings.write_buffer_size =
        std::to_string(std::min({settings.memory / kWriteBufferShare, kLargestWriteBuffer,
                                 std::max(left / 8, settings.memory / kLeastShare / 4)}));
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

HarnessMemory HarnessMemoryOf(const Settings& settings, const std::vector<PlannedPhase>& phases) {
  HarnessMemory memory{.process_bytes = kProcessBytes, .model_bytes = settings.num * kModelBytes};
  for (const PlannedPhase& phase : phases) {
    uint64_t threads = 0;
    for (const Role& role : phase.workload.roles) threads += role.threads;
    memory.threads = std::max(memory.threads, threads);
  }
  memory.thread_bytes = memory.threads * kThreadBytes;
  return memory;
}

namespace {

// What the engine's process takes with this limit, whose shares `settings` have. 0: not known.
uint64_t TakenMemoryBytes(const ProbeReply& engine, const Settings& asked, const Settings& settings,
                          const std::vector<PlannedPhase>& phases) {
  // "17M 384K (...)": the library's own memory, and that of a session.
  const std::vector<std::string> words = Split(engine.description.Fact("memory"), ' ');
  if (words.size() < 2) return 0;
  const auto size_of = [&](std::string_view name, const std::string& before,
                           const std::string& now) -> uint64_t {
    const auto& given = engine.options.settings;
    const auto own = std::ranges::find(given, name, &SettingList::value_type::first);
    if (own == given.end()) return 0;
    return SizeOf(own->second) == SizeOf(before) ? SizeOf(now) : SizeOf(own->second);
  };
  const HarnessMemory ours = HarnessMemoryOf(settings, phases);
  const uint64_t cache_bytes = size_of("cache_size", asked.cache_size, settings.cache_size);
  const uint64_t buffer_bytes =
      size_of("write_buffer_size", asked.write_buffer_size, settings.write_buffer_size);
  const uint64_t taken = SizeOf(words[0]) + ours.threads * SizeOf(words[1]) + ours.Sum() +
                         cache_bytes + cache_bytes / 8 + 2 * buffer_bytes;
  return taken + taken / 8;  // The kernel's own, and a little page cache.
}

}  // namespace

Status CheckMemoryLimit(const ProbeReply& engine, const Settings& settings,
                        const std::vector<PlannedPhase>& phases) {
  if (settings.memory == 0) return Status::Ok();
  const uint64_t taken = TakenMemoryBytes(engine, settings, settings, phases);
  if (taken <= settings.memory) return Status::Ok();
  // What would do: the shares grow with it.
  constexpr uint64_t kStep = uint64_t{1} << 20;
  Settings more = settings;
  for (uint64_t needed = taken; needed > more.memory;) {
    more.memory = (std::max(needed, more.memory) / kStep + 1) * kStep;
    (void)ApplyMemoryBudget(more);
    needed = TakenMemoryBytes(engine, settings, more, phases);
  }
  return Status::Usage(fmt::format(
      "--memory={}: {} would be killed: with {} and {} it takes about {}; say --memory={}, or use "
      "fewer threads or keys",
      TypedBytes(settings.memory), engine.engine,
      Plural(HarnessMemoryOf(settings, phases).threads, "thread"), Plural(settings.num, "key"),
      TypedBytes((taken / kStep + 1) * kStep), TypedBytes(more.memory)));
}

}  // namespace levelfield
