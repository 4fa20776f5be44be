#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "analysis/cost.h"
#include "analysis/diagnosis.h"
#include "analysis/read_ahead.h"
#include "analysis/steady_state.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "result/load_verdict.h"
#include "result/overhead.h"

namespace levelfield {
namespace {

using Case = DiagnosisCase;

std::string MiB(double bytes) { return fmt::format("{:.1f} MiB", bytes / (1 << 20)); }
std::string MiB(uint64_t bytes) { return MiB(static_cast<double>(bytes)); }
std::string Micros(uint64_t ns) { return fmt::format("{:.1f} us", static_cast<double>(ns) * 1e-3); }

// An option's bytes: the given value, or the plug-in's default. Nothing if the engine has no such
// option.
std::optional<uint64_t> OptionBytes(const Case& of, const std::string& name) {
  const auto it = of.options.find(name);
  if (it == of.options.end()) return std::nullopt;
  std::string text = it->second;
  for (const auto& [setting, value] : of.series.sum.settings) {
    if (setting == name) text = value;
  }
  const StatusOr<uint64_t> bytes = ParseBytes(text);
  return bytes.ok() ? std::optional(*bytes) : std::nullopt;
}

std::optional<Change> LargerWriteBuffer(const Case& of) {
  const std::optional<uint64_t> bytes = OptionBytes(of, "write_buffer_size");
  if (!bytes) return std::nullopt;
  return Change{"write_buffer_size", TypedBytes(*bytes), TypedBytes(*bytes * 4)};
}

// Bytes per operation.
double ByOperation(const Case& of, uint64_t bytes) {
  return static_cast<double>(bytes) / std::max(1.0, static_cast<double>(of.role().Operations()));
}

// ---- The machine, the requested load, the harness

// Rounds that differ by a third: the machine or the store was not the same each time.
std::string SpreadText(const Case& of) {
  constexpr double kSpread = 1.3;
  const std::vector<double> rates = Present(of.series.Rates(of.index));
  if (rates.size() < 3) return "";
  const auto [least, most] = std::ranges::minmax(rates);
  if (most <= kSpread * least) return "";
  return fmt::format("the fastest round is {:.2f} times the slowest", most / least);
}

// The first disturbance of each disturbed round.
std::vector<std::string> DisturbancesIn(const Case& of) {
  std::vector<std::string> all;
  for (const RunResult* run : of.series.rounds) {
    const PhaseResult* const phase = PhaseAt(*run, of.index);
    if (phase == nullptr) continue;
    const std::vector<std::string> said = DisturbancesOf(*phase);
    if (!said.empty()) all.push_back(said.front());
  }
  return all;
}

std::optional<Finding> OthersUsedTheMachine(const Case& of) {
  const std::vector<std::string> disturbances = DisturbancesIn(of);
  const bool has_figure = of.phase.outcome == Outcome::kOk || of.phase.outcome == Outcome::kInvalid;
  if (disturbances.empty() || !has_figure) return std::nullopt;
  Finding finding{
      .symptom = "the figure is not the engine's alone",
      .cause = "something else used the machine meanwhile",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("in {} of {} rounds: {}", disturbances.size(),
                               of.series.rounds.size(), disturbances.front())},
      .advice = "end other programs; more rounds (--precision=0.02) narrow the interval"};
  if (const std::string spread = SpreadText(of); !spread.empty()) {
    finding.evidence.push_back(spread);
  }
  return finding;
}

std::optional<Finding> RoundsDiffer(const Case& of) {
  const std::string spread = SpreadText(of);
  if (spread.empty() || !DisturbancesIn(of).empty()) return std::nullopt;
  return Finding{.symptom = "the figure is not the same each time",
                 .cause = "unknown: nothing else was seen using the machine",
                 .confidence = Confidence::kLow,
                 .evidence = {spread},
                 .advice = "more rounds (--precision=0.02) narrow the interval"};
}

// What others write cannot be told from what the file system writes for this store; what they read
// can: the kernel knows what each process has the device read.
std::optional<Finding> OthersReadTheDisk(const Case& of) {
  constexpr double kMuch = 10 << 20;  // Bytes a second, a hard disk's small reads many times over.
  const auto& used = of.phase.resources;
  if (!used || !used->device || !used->io || of.role().seconds <= 0) return std::nullopt;
  const uint64_t own = used->io->storage_read_bytes;
  if (used->device->read_bytes < 2 * own) return std::nullopt;
  const double others = static_cast<double>(used->device->read_bytes - own) / of.role().seconds;
  if (others < kMuch) return std::nullopt;
  return Finding{
      .symptom = "the device is busy with what this workload did not ask for",
      .cause = "other programs read from the disk that the store is on",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("others had the device read {} a second, this engine {}",
                               MiB(others), MiB(static_cast<double>(own) / of.role().seconds))},
      .advice = "end what reads there, or give the store a disk of its own (--db)"};
}

// One in a thousand reads takes a hundred times as long as the others, because the engine's own
// threads or a device keep it waiting.
std::optional<Finding> ReadsJitter(const Case& of) {
  constexpr double kTimes = 100;
  constexpr double kBusy = 0.1;
  if (of.stats().lookup == Lookup::kNone || !of.stats().latency_ns) return std::nullopt;
  const auto p50 = of.stats().latency_ns->Percentile(0.5);
  const auto rare = of.stats().latency_ns->Percentile(0.999);
  if (!p50 || !rare || static_cast<double>(*rare) < kTimes * static_cast<double>(*p50)) {
    return std::nullopt;
  }
  const double background = CostOf(of.phase).background_share.value.value_or(0);
  const double waits = of.phase.conditions ? of.phase.conditions->io_wait_share.value_or(0) : 0;
  if (background < kBusy && waits < kBusy) return std::nullopt;
  const bool is_background = background >= kBusy;
  return Finding{
      .symptom = "the latency of reads varies by orders of magnitude",
      .cause = is_background
                   ? "compactions or flushes compete with reads for the device and the processors"
                   : "reads wait for the device",
      .confidence = is_background ? Confidence::kMedium : Confidence::kLow,
      .evidence = {fmt::format("p50 is {}, p99.9 is {}", Micros(*p50), Micros(*rare)),
                   fmt::format("{} of the processor time was the engine's own threads'; some task "
                               "waited for a device {} of the time",
                               Percent(background), Percent(waits))},
      .advice =
          "a faster device; or read while nothing is left to merge (debt is settled between "
          "workloads unless --carry_debt is given); or fewer threads for compactions, where the "
          "engine has such an option"};
}

std::optional<Finding> RateIsNotKept(const Case& of) {
  if (!of.role().load || of.role().load->verdict != LoadOutcome::kNotSustainable)
    return std::nullopt;
  return Finding{
      .symptom = "response times grow as long as it runs",
      .cause = "the requested rate is higher than the engine can sustain",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("{} operations a second were requested, {:.0f} were done",
                               of.role().rate, of.role().OperationsPerSecond())},
      .advice =
          "--rate=sweep draws latency over the rate, --slo=p99<1ms finds the highest that "
          "keeps it"};
}

std::optional<Finding> HarnessIsMostOfIt(const Case& of) {
  const std::optional<double> took_ns = OperationNs(of.phase);
  if (!took_ns || of.series.sum.is_baseline_engine) return std::nullopt;
  const std::vector<Overhead> overheads = OverheadsOf(of.result);
  const auto null = std::ranges::find(overheads, "null", &Overhead::engine);
  if (null == overheads.end()) return std::nullopt;
  const std::optional<double> null_ns = NsOf(*null, of.phase.workload);
  if (!null_ns || *took_ns >= kLeastTimesOverhead * *null_ns) return std::nullopt;
  return Finding{
      .symptom = "the figure is partly the harness's own",
      .cause = "an operation is so cheap that making its key and checking its answer counts",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format(
          "an operation takes {:.0f} ns, and with the engine that does nothing {:.0f} ns", *took_ns,
          *null_ns)},
      .advice = "--histogram=0 reads no clock; compare engines only where they differ by more"};
}

// ---- Resources of a store, and its options

// Memory of more than twice the stored data is not a cache in use.
std::optional<Finding> MemoryIsHigh(const Case& of) {
  constexpr double kTimes = 2;
  constexpr double kLeastBytes = 64 << 20;
  if (!of.phase.resources || !of.phase.resources->memory) return std::nullopt;
  const auto anonymous = static_cast<double>(of.phase.resources->memory->anonymous_bytes);
  const auto held = static_cast<double>(of.phase.live_bytes);
  if (anonymous < kLeastBytes || held == 0 || anonymous < kTimes * held) return std::nullopt;
  Finding finding{.symptom = "memory is high for what the store holds",
                  .cause = "a cache or write buffers that are larger than the data",
                  .confidence = Confidence::kMedium,
                  .evidence = {fmt::format("{} of memory of its own, where keys and values are {}",
                                           MiB(anonymous), MiB(held))},
                  .advice = "a smaller cache, and smaller or fewer write buffers"};
  const std::optional<uint64_t> cache = OptionBytes(of, "cache_size");
  if (cache) finding.evidence.push_back("cache_size is " + TypedBytes(*cache));
  if (cache && static_cast<double>(*cache) > held) {
    finding.change = {"cache_size", TypedBytes(*cache), TypedBytes(*cache / 2)};
  }
  return finding;
}

// Twice the data means a half empty tree, or as much garbage as data.
std::optional<Finding> SpaceGrows(const Case& of) {
  constexpr double kTimes = 2;
  constexpr uint64_t kLeastBytes = 16 << 20;
  if (!HasWritten(of.phase) || of.phase.disk_bytes < kLeastBytes) return std::nullopt;
  const Ratio space = CostOf(of.phase).space;
  if (!space.value || *space.value < kTimes) return std::nullopt;
  const bool erases = std::ranges::any_of(
      of.role().statistics,
      [](const OperationStatistics& stats) { return stats.Does(Effect::kErases); });
  return Finding{
      .symptom = "the store takes far more space than it holds",
      .cause = erases ? "what was erased leaves tombstones or free pages until it is compacted"
                      : "overwritten versions, or pages that are half full",
      .confidence = erases ? Confidence::kHigh : Confidence::kMedium,
      .evidence = {fmt::format("{} allocated for {} of keys and values: {:.1f} times",
                               MiB(of.phase.disk_bytes), MiB(of.phase.live_bytes), *space.value)},
      .advice = "compact the whole range afterwards: add `compact` after the workload"};
}

// A fifth of the reads find nothing, and no filter spares them the look into each file.
std::optional<Finding> MissesWithoutFilter(const Case& of) {
  constexpr double kShare = 0.2;
  const OperationStatistics& stats = of.stats();
  if (stats.lookup != Lookup::kKey || stats.operations == 0) return std::nullopt;
  if (OptionBytes(of, "bloom_bits").value_or(1) != 0) return std::nullopt;
  const double share = static_cast<double>(stats.misses) / static_cast<double>(stats.operations);
  if (share < kShare) return std::nullopt;
  return Finding{
      .symptom = "reads of absent keys cost as much as others",
      .cause = "there is no Bloom filter, so each file that may have the key is looked into",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("{} of {} gets found nothing; bloom_bits is 0", stats.misses,
                               stats.operations)},
      .advice = "ten bits a key keep 99 of 100 such looks away",
      .change = Change{"bloom_bits", "0", "10"}};
}

// The same seeks earlier in the run took half as long at most, and since then a third of the
// entries was erased. An LSM tree reads over each tombstone until a compaction drops it.
std::optional<Finding> SeeksReadOverTombstones(const Case& of) {
  constexpr double kTimes = 2;
  const auto seek_us = [](const PhaseResult& phase) {
    const double operations = static_cast<double>(phase.roles.front().Operations());
    return phase.roles.front().thread_seconds * 1e6 / std::max(1.0, operations);
  };
  if (of.stats().lookup != Lookup::kPlace || !of.phase.held) return std::nullopt;
  bool was_erased_from = false;
  for (size_t place = of.index; place-- > 0;) {
    const PhaseResult* const before = PhaseAt(of.series.sum, place);
    if (before == nullptr || before->roles.empty()) continue;
    const OperationStatistics& stats = before->roles.front().statistics.front();
    was_erased_from = was_erased_from || stats.Does(Effect::kErases);
    if (before->workload != of.phase.workload || !before->held) continue;
    if (!was_erased_from || before->outcome != Outcome::kOk) return std::nullopt;
    if (3 * of.phase.held->entries > 2 * before->held->entries) return std::nullopt;
    if (seek_us(of.phase) < kTimes * seek_us(*before)) return std::nullopt;
    return Finding{
        .symptom = "seeks are slower than they were before erasures",
        .cause =
            "they skip the tombstones of erased entries, which stay until a compaction drops them",
        .confidence = Confidence::kMedium,
        .evidence = {fmt::format("a seek took {:.1f} us, and takes {:.1f} us now", seek_us(*before),
                                 seek_us(of.phase)),
                     fmt::format("the store held {} entries, and holds {} now",
                                 before->held->entries, of.phase.held->entries)},
        .advice = "compact the whole range after erasures: add `compact` before the workload"};
  }
  return std::nullopt;
}

// Bytes fetched from the device per operation.
double FetchedByOperation(const Case& of) {
  const auto& used = of.phase.resources;
  const bool is_known = used && used->io && of.role().Operations() != 0;
  return is_known ? ByOperation(of, used->io->storage_read_bytes) : 0;
}

// A page of 4 KiB in every eight operations.
constexpr double kFetchedMuch = 512;

// The first of the engine's own settings against read-ahead that it does not have.
std::optional<Change> WithoutReadAhead(const Case& of) {
  for (const auto& [name, value] : of.series.sum.no_readahead) {
    const auto option = of.options.find(name);
    std::string before = TextIn(of.series.sum.settings, name);
    if (before.empty() && option != of.options.end()) before = option->second;
    if (before == value) continue;
    return Change{EngineName(of.series.sum.engine) + "." + name, before, value};
  }
  return std::nullopt;
}

std::optional<Finding> ReadAheadDecides(const Case& of) {
  const std::optional<ReadAhead> found = ReadAheadOf(of.series.sum, of.phase);
  if (!found) return std::nullopt;
  Finding finding{
      .symptom = "operations wait for the device, which reads what no operation asked for",
      .cause =
          "the kernel's read-ahead: it fetches each missing page of a memory map with its "
          "neighbours",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("{:.0f} bytes were fetched for each that was asked for",
                               found->per_byte),
                   fmt::format("{} pages were missing, and each fetched {}",
                               of.phase.resources->major_faults, MiB(found->per_fault))},
      .change = WithoutReadAhead(of)};
  if (of.result.read_ahead_kb != 0 && !of.result.block_device.empty()) {
    finding.evidence.push_back(fmt::format("read_ahead_kb of {} is {}", of.result.block_device,
                                           of.result.read_ahead_kb));
  }
  const std::string limit = LimitReadAhead(of.result, of.series.sum);
  finding.advice = fmt::format(
      "{}{}", finding.change ? "the engine's own setting against it" : "a smaller read-ahead",
      limit.empty() ? "" : fmt::format("{}{}", finding.change ? ", or for all programs: " : ": ",
                                       limit));
  return finding;
}

// A writing workload counts too if all that it puts has to be fetched again: by the engine's
// compactions, or to change parts of pages.
std::optional<Finding> WorkingSetIsLargerThanMemory(const Case& of) {
  const double bytes = FetchedByOperation(of);
  const bool was_cold = of.phase.page_cache && of.phase.page_cache->was_dropped;
  const double put = ByOperation(of, PutBytes(of.phase).value_or(0));
  const bool fetches_all_it_put = put > 0 && bytes > put;
  if (was_cold || (bytes < kFetchedMuch && !fetches_all_it_put)) return std::nullopt;
  // Most of it is what nobody asked for.
  if (ReadAheadOf(of.series.sum, of.phase)) return std::nullopt;
  const bool writes = HasWritten(of.phase);
  Finding finding{
      .symptom = writes ? "writes wait for the device to read" : "reads wait for the device",
      .cause = writes ? "the written data does not fit into the available memory"
                      : "the data that is read does not fit into the available memory",
      .confidence = Confidence::kHigh,
      .evidence = {fmt::format("{:.0f} bytes were fetched from the device for each operation",
                               bytes)},
      .advice = "more memory, compression, or a device that is faster at small reads"};
  if (const auto& memory = of.series.sum.memory) {
    finding.evidence.push_back(fmt::format("memory is limited to {}, the store takes {}",
                                           MiB(memory->limit_bytes), MiB(of.phase.disk_bytes)));
    finding.change = {"memory", TypedBytes(memory->limit_bytes),
                      TypedBytes(memory->limit_bytes * 4)};
  }
  return finding;
}

// `cache` doubled until it holds `held`, but at most half of the memory.
uint64_t LargerCache(const Case& of, uint64_t cache, double held) {
  uint64_t larger = std::max<uint64_t>(cache, 1 << 10);
  while (static_cast<double>(larger) < held) larger *= 2;
  if (!of.series.sum.memory) return larger;
  while (larger > cache && larger > of.series.sum.memory->limit_bytes / 2) larger /= 2;
  return larger;
}

// The engine's own cache holds a tenth of the data at most. That is the cause if operations are
// seen to read from the page cache instead. Reads of compactions do not count: the engine's own
// threads make them. An engine that maps its files reads without calls. Then only a reading
// workload counts, and only a cache that holds next to nothing.
std::optional<Finding> CacheIsSmall(const Case& of) {
  constexpr double kPart = 10;
  constexpr double kNextToNothing = 100;
  constexpr double kReadMuch = 512;
  constexpr double kLittleBackground = 0.25;
  const bool looks_up = of.stats().lookup != Lookup::kNone;
  const double background = CostOf(of.phase).background_share.value.value_or(1);
  if (!looks_up && (of.stats().effects != kPuts || background >= kLittleBackground))
    return std::nullopt;
  const std::optional<uint64_t> cache = OptionBytes(of, "cache_size");
  const auto held = static_cast<double>(std::max(of.phase.live_bytes, of.phase.disk_bytes));
  if (!cache || static_cast<double>(*cache) * kPart > held) return std::nullopt;
  const double fetched = FetchedByOperation(of);
  if (fetched >= kFetchedMuch) return std::nullopt;  // Memory is lacking instead.
  const auto& used = of.phase.resources;
  const double read = used && used->io ? ByOperation(of, used->io->read_call_bytes) : 0;
  const bool is_seen = read >= kReadMuch;
  const bool is_nothing = static_cast<double>(*cache) * kNextToNothing <= held;
  if (!is_seen && !(is_nothing && looks_up)) return std::nullopt;
  Finding finding{
      .symptom = "operations go past the engine's own cache",
      .cause =
          "cache_size is a small part of the data, so the same blocks are read again and "
          "again",
      .confidence = is_seen && looks_up ? Confidence::kHigh : Confidence::kMedium,
      .evidence = {fmt::format("cache_size is {}, the store takes {}", TypedBytes(*cache),
                               MiB(held))},
      .advice =
          "use a cache that holds the data in frequent use, but at most half of the memory, "
          "because the page cache needs some too"};
  if (is_seen) {
    finding.evidence.push_back(fmt::format(
        "{:.0f} bytes were read by calls for each operation, {:.0f} of them from the device", read,
        fetched));
  }
  const uint64_t larger = LargerCache(of, *cache, held);
  if (larger > *cache) finding.change = {"cache_size", TypedBytes(*cache), TypedBytes(larger)};
  return finding;
}

// ---- What writers wait for, and the engine's background work

// People call half a second of standstill, or a twentieth of the time, a stall.
std::optional<Finding> WritesStandStill(const Case& of) {
  constexpr uint64_t kLongMs = 500;
  constexpr double kShare = 0.05;
  if (!HasWritten(of.phase) || !of.phase.ticks) return std::nullopt;
  const Stalls found = FindStalls(TicksOf(of.phase), 0, of.role().batch);
  if (found.stalls.empty()) return std::nullopt;
  uint64_t sum_ms = 0;
  uint64_t longest_ms = 0;
  std::set<std::string> causes;
  for (const Stall& stall : found.stalls) {
    sum_ms += stall.Ms();
    longest_ms = std::max(longest_ms, stall.Ms());
    causes.insert(stall.causes.begin(), stall.causes.end());
  }
  const double share = static_cast<double>(sum_ms) * 1e-3 / of.role().seconds;
  if (longest_ms < kLongMs && share < kShare) return std::nullopt;
  return Finding{
      .symptom = "writes suddenly become slow, or stand still",
      .cause = causes.empty()
                   ? "work in the background that writers wait for; the engine does not say which"
                   : fmt::format("the engine was busy with {} meanwhile: files of level 0, or "
                                 "buffers, pile up faster than they are merged",
                                 fmt::join(causes, ", ")),
      .confidence = causes.empty() ? Confidence::kMedium : Confidence::kHigh,
      .evidence = {fmt::format(
          "{} stalls of {:.1f} s in all ({} of the time), the longest {:.1f} s, the first after "
          "{:.1f} s",
          found.stalls.size(), static_cast<double>(sum_ms) * 1e-3, Percent(share),
          static_cast<double>(longest_ms) * 1e-3,
          static_cast<double>(found.stalls.front().begin_ms) * 1e-3)},
      .advice =
          "a larger write buffer makes fewer and larger files; if the stalls only come later "
          "then, the device is too slow for this rate, and --rate tells which it keeps",
      .change = LargerWriteBuffer(of)};
}

std::optional<Finding> ProcessorIsBusyInTheBackground(const Case& of) {
  constexpr double kMuch = 0.5;
  const Cost cost = CostOf(of.phase);
  const double share = cost.background_share.value.value_or(0);
  if (!HasWritten(of.phase) || share < kMuch || of.role().seconds < 1) return std::nullopt;
  Finding finding{.symptom = "processors are busy with more than the operations",
                  .cause = "frequent compactions",
                  .confidence = Confidence::kMedium,
                  .evidence = {fmt::format("{} of the processor time was the engine's own threads'",
                                           Percent(share))},
                  .advice = "a larger write buffer, larger files, or another style of compaction",
                  .change = LargerWriteBuffer(of)};
  if (cost.write_device.value) {
    finding.evidence.push_back(
        fmt::format("{:.1f} bytes came to the device for each byte put", *cost.write_device.value));
  }
  return finding;
}

// Syncs took half of the time of all threads, whichever threads made them.
struct SlowSyncs {
  // If each write is synced before it is acknowledged, there is a sync for each, or one for each
  // group of threads. Compactions sync far less often.
  bool for_each_write = false;
  std::vector<std::string> evidence;
};
std::optional<SlowSyncs> SlowSyncsOf(const Case& of) {
  constexpr double kShare = 0.5;
  const RoleResult& role = of.role();
  if (!HasWritten(of.phase) || !of.phase.resources || !of.phase.resources->syncs ||
      role.thread_seconds <= 0) {
    return std::nullopt;
  }
  const Resources::Syncs& syncs = *of.phase.resources->syncs;
  if (syncs.waited_seconds < kShare * role.thread_seconds) return std::nullopt;
  uint64_t writes =
      std::accumulate(role.thread_calls.begin(), role.thread_calls.end(), uint64_t{0});
  if (writes == 0) writes = role.Operations() / std::max<uint64_t>(role.batch, 1);
  const double each_us =
      syncs.waited_seconds * 1e6 / static_cast<double>(std::max<uint64_t>(1, syncs.calls));
  return SlowSyncs{
      .for_each_write = 2 * syncs.calls * std::max<uint64_t>(role.threads, 1) >= writes,
      .evidence = {
          fmt::format("{} sync calls took {:.1f} s, and the threads {:.1f} s in all; {:.0f} us "
                      "each",
                      syncs.calls, syncs.waited_seconds, role.thread_seconds, each_us),
          fmt::format("{} syncs for {} writes", syncs.calls, writes)}};
}

std::optional<Finding> SyncsAreMostOfIt(const Case& of) {
  const std::optional<SlowSyncs> syncs = SlowSyncsOf(of);
  if (!syncs || !syncs->for_each_write) return std::nullopt;
  Finding finding{
      .symptom = "writes are as slow as the device syncs",
      .cause = "each acknowledged write waits for its sync",
      .confidence = Confidence::kHigh,
      .evidence = syncs->evidence,
      .advice =
          "batches (fillbatch), or more threads whose writes share a sync where the engine "
          "groups them; --durability=process if the last writes may be lost by a power cut"};
  if (of.role().threads == 1) finding.change = {"threads", "1", "4"};
  return finding;
}

std::optional<Finding> BackgroundSyncs(const Case& of) {
  const std::optional<SlowSyncs> syncs = SlowSyncsOf(of);
  if (!syncs || syncs->for_each_write) return std::nullopt;
  return Finding{
      .symptom = "the engine's own work waits for the device to sync",
      .cause =
          "flushes, compactions or evictions sync their files; a write waits for no sync of its "
          "own, but for this work when it falls behind",
      .confidence = Confidence::kMedium,
      .evidence = syncs->evidence,
      .advice =
          "a larger write buffer and larger files make fewer of them; or a device that syncs "
          "faster",
      .change = LargerWriteBuffer(of)};
}

// LevelDB, for one, lets each write sleep for a millisecond while level 0 has more files than it
// likes (kL0_SlowdownWritesTrigger), so that nothing stands still, and all is slow.
std::optional<Finding> WriteBufferIsSmall(const Case& of) {
  constexpr double kOften = 50;  // In one phase.
  constexpr double kIdle = 0.3;
  const std::optional<uint64_t> buffer = OptionBytes(of, "write_buffer_size");
  const std::optional<uint64_t> put = PutBytes(of.phase);
  const double seconds = of.role().thread_seconds;
  if (!buffer || *buffer == 0 || !put || !of.phase.resources || seconds <= 0) return std::nullopt;
  const double flushes = static_cast<double>(*put) / static_cast<double>(*buffer);
  const double idle = 1 - of.phase.resources->foreground_seconds / seconds;
  if (flushes < kOften || idle < kIdle || SlowSyncsOf(of)) return std::nullopt;
  Finding finding{
      .symptom = "writes wait, though nothing stands still",
      .cause =
          "the write buffer is small: each one that is full becomes a file of level 0, and "
          "writes are slowed down until these are merged",
      .confidence = Confidence::kMedium,
      .evidence = {fmt::format("{} were put through a write buffer of {}, which fills {:.0f} times",
                               MiB(*put), TypedBytes(*buffer), flushes),
                   fmt::format("the writing threads did not compute for {} of their time",
                               Percent(idle))},
      .advice = "a larger write buffer makes fewer and larger files",
      .change = LargerWriteBuffer(of)};
  return finding;
}

std::optional<Finding> DeferredWorkIsLeft(const Case& of) {
  if (!of.phase.settle || of.phase.settle->complete) return std::nullopt;
  return Finding{.symptom = "the next workload pays for this one",
                 .cause = "settling was given up before the background was done",
                 .confidence = Confidence::kHigh,
                 .evidence = {fmt::format("after {:.1f} s it was not settled ({})",
                                          of.phase.settle->seconds, of.phase.settle->how)},
                 .advice = "use fewer keys, or `waitforcompaction` after it"};
}

constexpr DiagnosisRule kRules[] = {
    {"other load", false, false, OthersUsedTheMachine},
    {"busy disk", true, false, OthersReadTheDisk},
    {"writes stand still", true, true, WritesStandStill},
    {"read jitter", true, true, ReadsJitter},
    {"memory", true, false, MemoryIsHigh, FindingFigure::kMemory},
    {"space", true, false, SpaceGrows},
    {"background processor time", true, false, ProcessorIsBusyInTheBackground, FindingFigure::kCpu},
    {"no filter", true, false, MissesWithoutFilter},
    {"read-ahead", true, false, ReadAheadDecides},
    {"working set", true, false, WorkingSetIsLargerThanMemory},
    {"small cache", true, false, CacheIsSmall},
    {"sync-bound", true, false, SyncsAreMostOfIt},
    {"background syncs", true, false, BackgroundSyncs},
    {"harness-bound", true, true, HarnessIsMostOfIt},
    {"noise", true, false, RoundsDiffer},
    {"rate not kept", false, true, RateIsNotKept},
    {"small write buffer", true, false, WriteBufferIsSmall},
    {"tombstones", true, true, SeeksReadOverTombstones},
    {"debt", true, true, DeferredWorkIsLeft},
};

}  // namespace

std::span<const DiagnosisRule> AllDiagnosisRules() { return kRules; }

}  // namespace levelfield
