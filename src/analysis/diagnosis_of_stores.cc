// Rules of what a store takes, and of how its options fit it.
#include <algorithm>

#include "analysis/diagnosis_case.h"

namespace levelfield {

// Twice what the store holds is no cache that is used.
std::optional<Finding> MemoryIsHigh(const Case& of) {
  constexpr double kTimes = 2;
  constexpr double kLeastBytes = 64 << 20;
  if (!of.phase.resources || !of.phase.resources->memory) return std::nullopt;
  const auto anonymous = static_cast<double>(of.phase.resources->memory->anonymous_bytes);
  const auto held = static_cast<double>(of.phase.live_bytes);
  if (anonymous < kLeastBytes || held == 0 || anonymous < kTimes * held) return std::nullopt;
  Finding finding;
  finding.symptom = "memory is high for what the store holds";
  finding.cause = "a cache or write buffers that are larger than the data";
  finding.confidence = Confidence::kMedium;
  finding.evidence.push_back(fmt::format("{} of memory of its own, where keys and values are {}",
                                         MiB(anonymous), MiB(held)));
  const auto cache = of.Bytes("cache_size");
  if (cache) finding.evidence.push_back("cache_size is " + Typed(*cache));
  finding.advice = "a smaller cache, and smaller or fewer write buffers";
  if (cache && static_cast<double>(*cache) > held) {
    finding.change = {"cache_size", Typed(*cache), Typed(*cache / 2)};
  }
  return finding;
}

// Twice what is held is a tree that is half empty, or as much garbage as data.
std::optional<Finding> SpaceGrows(const Case& of) {
  constexpr double kTimes = 2;
  constexpr uint64_t kLeastBytes = 16 << 20;
  if (of.reads_only() || of.phase.disk_bytes < kLeastBytes) return std::nullopt;
  const Ratio space = CostOf(of.phase).space;
  if (!space.value || *space.value < kTimes) return std::nullopt;
  const bool erases = std::ranges::any_of(of.role().lanes, [](const LaneResult& lane) {
    return WayOf(lane.operation) == Way::kErases;
  });
  Finding finding;
  finding.symptom = "the store takes far more space than it holds";
  finding.cause = erases ? "what was erased leaves tombstones or free pages until it is compacted"
                         : "overwritten versions, or pages that are half full";
  finding.confidence = erases ? Confidence::kHigh : Confidence::kMedium;
  finding.evidence.push_back(fmt::format("{} allocated for {} of keys and values: {:.1f} times",
                                         MiB(static_cast<double>(of.phase.disk_bytes)),
                                         MiB(static_cast<double>(of.phase.live_bytes)),
                                         *space.value));
  finding.advice = "compact the whole range after it: add `compact` behind the workload";
  return finding;
}

// A fifth of the reads find nothing, and nothing spares them the look into each file.
std::optional<Finding> MissesWithoutFilter(const Case& of) {
  constexpr double kShare = 0.2;
  if (of.lane().operation != "get" || of.lane().operations == 0) return std::nullopt;
  const auto bits = of.Bytes("bloom_bits");
  if (!bits || *bits != 0) return std::nullopt;
  const double share =
      static_cast<double>(of.lane().misses) / static_cast<double>(of.lane().operations);
  if (share < kShare) return std::nullopt;
  Finding finding;
  finding.symptom = "reads of keys that are not there cost as much as others";
  finding.cause = "there is no Bloom filter, so each file that may have the key is looked into";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("{} of {} gets found nothing; bloom_bits is 0",
                                         of.lane().misses, of.lane().operations));
  finding.advice = "ten bits a key keep 99 of 100 such looks away";
  finding.change = {"bloom_bits", "0", "10"};
  return finding;
}

namespace {

// Bytes that had to be fetched from the device for each operation.
double FetchedByOperation(const PhaseResult& phase) {
  const auto operations = static_cast<double>(phase.roles.front().Operations());
  if (!phase.resources || !phase.resources->io || operations == 0) return 0;
  return static_cast<double>(phase.resources->io->storage_read_bytes) / operations;
}

// A page of 4 KiB in each eight operations.
constexpr double kFetchedMuch = 512;

}  // namespace

// Of what writes, also where all that is put has to be fetched again: by its compactions, or to
// change the rest of a page.
std::optional<Finding> WorkingSetIsLargerThanMemory(const Case& of) {
  const double bytes = FetchedByOperation(of.phase);
  const bool was_cold = of.phase.page_cache && of.phase.page_cache->was_dropped;
  const double put = static_cast<double>(PutBytes(of.phase).value_or(0)) /
                     std::max(1.0, static_cast<double>(of.role().Operations()));
  const bool fetches_all_it_put = put > 0 && bytes > put;
  if (was_cold || (bytes < kFetchedMuch && !fetches_all_it_put)) return std::nullopt;
  Finding finding;
  finding.symptom =
      of.reads_only() ? "reads wait for the device" : "writes wait for the device to read";
  finding.cause = of.reads_only()
                      ? "what is read does not fit into the memory that there is for it"
                      : "what was written does not stay in the memory that there is for it";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(
      fmt::format("{:.0f} bytes were fetched from the device for each operation", bytes));
  if (of.series.sum.memory) {
    const auto limit = static_cast<double>(of.series.sum.memory->limit_bytes);
    finding.evidence.push_back(fmt::format("memory is limited to {}, the store takes {}",
                                           MiB(limit),
                                           MiB(static_cast<double>(of.phase.disk_bytes))));
    finding.change = {"memory", Typed(of.series.sum.memory->limit_bytes),
                      Typed(of.series.sum.memory->limit_bytes * 4)};
  }
  finding.advice = "more memory, compression, or a device that is faster at small reads";
  return finding;
}

// The engine's own cache holds a tenth of the data at most. That is the cause where operations are
// seen to read from the page cache instead: not those of compactions, which are the engine's own
// threads'. Engines that map their files read without a call; there it is said only of reads, and
// of a cache that holds next to nothing.
std::optional<Finding> CacheIsSmall(const Case& of) {
  constexpr double kPart = 10;
  constexpr double kNextToNothing = 100;
  constexpr double kReadMuch = 512;
  constexpr double kLittleBackground = 0.25;
  const std::string& operation = of.lane().operation;
  const bool looks_up = operation == "get" || operation == "seek" || operation == "multi_get";
  const Ratio background = CostOf(of.phase).background_share;
  const bool reads_by_itself =
      looks_up || (operation == "put" && background.value && *background.value < kLittleBackground);
  const auto cache = of.Bytes("cache_size");
  const auto held = static_cast<double>(std::max(of.phase.live_bytes, of.phase.disk_bytes));
  if (!reads_by_itself || !cache || static_cast<double>(*cache) * kPart > held) return std::nullopt;
  const double fetched = FetchedByOperation(of.phase);
  if (fetched >= kFetchedMuch) return std::nullopt;  // It is memory that is lacking.
  const double read = of.phase.resources && of.phase.resources->io
                          ? static_cast<double>(of.phase.resources->io->read_call_bytes) /
                                std::max(1.0, static_cast<double>(of.role().Operations()))
                          : 0;
  const bool is_seen = read >= kReadMuch;
  const bool is_nothing = static_cast<double>(*cache) * kNextToNothing <= held;
  if (!is_seen && !(is_nothing && looks_up)) return std::nullopt;
  Finding finding;
  finding.symptom = "operations go past the engine's own cache";
  finding.cause =
      "cache_size is a small part of the data, so the same blocks are read again and again";
  finding.confidence = is_seen && looks_up ? Confidence::kHigh : Confidence::kMedium;
  finding.evidence.push_back(
      fmt::format("cache_size is {}, the store takes {}", Typed(*cache), MiB(held)));
  if (is_seen) {
    finding.evidence.push_back(fmt::format(
        "{:.0f} bytes were read by calls for each operation, {:.0f} of them from the device", read,
        fetched));
  }
  finding.advice =
      "a cache that holds what is used often; half of the memory at most, since the page cache "
      "needs some of it too";
  uint64_t larger = std::max<uint64_t>(*cache, 1 << 10);
  while (static_cast<double>(larger) < held) larger *= 2;
  if (of.series.sum.memory) {
    while (larger > *cache && larger > of.series.sum.memory->limit_bytes / 2) larger /= 2;
  }
  if (larger > *cache) finding.change = {"cache_size", Typed(*cache), Typed(larger)};
  return finding;
}

}  // namespace levelfield
