#include "result/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/units.h"
#include "result/cost.h"
#include "result/load_verdict.h"
#include "result/series.h"
#include "result/stalls.h"

namespace levelfield {
namespace {

// What a rule looks at.
struct Case {
  const Result& result;
  const Series& series;
  size_t index;              // Of the phase, in the plan.
  const PhaseResult& phase;  // Of the round in the middle.
  const std::map<std::string, std::string>& options;

  const RoleResult& role() const { return phase.roles.front(); }
  const LaneResult& lane() const { return role().lanes.front(); }
  bool reads_only() const { return !HasWritten(phase); }

  // What an option is set to: as it was given, else the plug-in's default; nothing where the engine
  // has no such option.
  std::optional<uint64_t> Bytes(const std::string& name) const {
    const auto it = options.find(name);
    if (it == options.end()) return std::nullopt;
    for (const auto& [key, value] : series.sum.settings) {
      if (key == name) return Parsed(value);
    }
    return Parsed(it->second);
  }

 private:
  static std::optional<uint64_t> Parsed(const std::string& text) {
    const StatusOr<uint64_t> bytes = ParseBytes(text);
    return bytes.ok() ? std::optional(*bytes) : std::nullopt;
  }
};

std::string Percent(double share) { return fmt::format("{:.0f} %", share * 100); }
std::string MiB(double bytes) { return fmt::format("{:.1f} MiB", bytes / (1 << 20)); }
std::string Micros(uint64_t ns) { return fmt::format("{:.1f} us", static_cast<double>(ns) * 1e-3); }

// As it is typed: whole units where it is a whole number of them.
std::string Typed(uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair(30, 'G'), {20, 'M'}, {10, 'k'}}) {
    if (bytes != 0 && bytes % (uint64_t{1} << shift) == 0) {
      return fmt::format("{}{}", bytes >> shift, unit);
    }
  }
  return std::to_string(bytes);
}

constexpr double kBackgroundMuch = 0.5;

// Half a second of standing still, or a twentieth of the time, is what people call a stall.
std::optional<Finding> WritesStandStill(const Case& of) {
  constexpr uint64_t kLongMs = 500;
  constexpr double kShare = 0.05;
  if (of.reads_only() || !of.phase.ticks) return std::nullopt;
  const Stalls found = FindStalls(*of.phase.ticks, 0, of.role().batch);
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
  Finding finding;
  finding.symptom = "writes suddenly become slow, or stand still";
  finding.cause =
      causes.empty() ? "work in the background that writers wait for; the engine does not say which"
                     : fmt::format(
                           "the engine was busy with {} meanwhile: files of level 0, or "
                           "buffers, pile up faster than they are merged",
                           fmt::join(causes, ", "));
  finding.confidence = causes.empty() ? Confidence::kMedium : Confidence::kHigh;
  finding.evidence.push_back(
      fmt::format("{} stalls of {:.1f} s in all ({} of the time), the longest {:.1f} s, the first "
                  "after {:.1f} s",
                  found.stalls.size(), static_cast<double>(sum_ms) * 1e-3, Percent(share),
                  static_cast<double>(longest_ms) * 1e-3,
                  static_cast<double>(found.stalls.front().begin_ms) * 1e-3));
  finding.advice =
      "a larger write buffer makes fewer and larger files; if the stalls only come later then, the "
      "device is too slow for this rate, and --rate tells which it keeps";
  if (const auto buffer = of.Bytes("write_buffer_size")) {
    finding.change = {"write_buffer_size", Typed(*buffer), Typed(*buffer * 4)};
  }
  return finding;
}

// One in a thousand reads takes a hundred times what the others take, while the engine's own
// threads or a device keep it waiting.
std::optional<Finding> ReadsJitter(const Case& of) {
  constexpr double kTimes = 100;
  constexpr double kBusy = 0.1;
  if (of.lane().operation != "get" && of.lane().operation != "seek") return std::nullopt;
  if (!of.lane().latency_ns) return std::nullopt;
  const auto p50 = of.lane().latency_ns->Percentile(0.5);
  const auto rare = of.lane().latency_ns->Percentile(0.999);
  if (!p50 || !rare || static_cast<double>(*rare) < kTimes * static_cast<double>(*p50)) {
    return std::nullopt;
  }
  const double background = CostOf(of.phase).background_share.value.value_or(0);
  const double waits = of.phase.conditions ? of.phase.conditions->io_wait_share.value_or(0) : 0;
  if (background < kBusy && waits < kBusy) return std::nullopt;
  Finding finding;
  finding.symptom = "the latency of reads varies by orders of magnitude";
  finding.cause =
      background >= kBusy
          ? "compactions or flushes compete with reads for the device and the processors"
          : "reads wait for the device";
  finding.confidence = background >= kBusy ? Confidence::kMedium : Confidence::kLow;
  finding.evidence.push_back(fmt::format("p50 is {}, p99.9 is {}", Micros(*p50), Micros(*rare)));
  finding.evidence.push_back(
      fmt::format("{} of the processor time was the engine's own threads'; some task waited for a "
                  "device {} of the time",
                  Percent(background), Percent(waits)));
  finding.advice =
      "a faster device; or read while nothing is left to merge (debt is settled between workloads "
      "unless --carry_debt is given); or fewer threads for compactions, where the engine has such "
      "an "
      "option";
  return finding;
}

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

std::optional<Finding> ProcessorIsBusyInTheBackground(const Case& of) {
  if (of.reads_only()) return std::nullopt;
  const Cost cost = CostOf(of.phase);
  if (!cost.background_share.value || *cost.background_share.value < kBackgroundMuch ||
      of.role().seconds < 1) {
    return std::nullopt;
  }
  Finding finding;
  finding.symptom = "processors are busy with more than the operations";
  finding.cause = "frequent compactions";
  finding.confidence = Confidence::kMedium;
  finding.evidence.push_back(fmt::format("{} of the processor time was the engine's own threads'",
                                         Percent(*cost.background_share.value)));
  if (cost.write_device.value) {
    finding.evidence.push_back(
        fmt::format("{:.1f} bytes came to the device for each byte put", *cost.write_device.value));
  }
  finding.advice = "a larger write buffer, larger files, or another style of compaction";
  if (const auto buffer = of.Bytes("write_buffer_size")) {
    finding.change = {"write_buffer_size", Typed(*buffer), Typed(*buffer * 4)};
  }
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

// A page of 4 KiB in each eight reads comes from the device.
std::optional<Finding> WorkingSetIsLargerThanMemory(const Case& of) {
  constexpr double kBytesOfAnOperation = 512;
  if (!of.reads_only() || !of.phase.resources || !of.phase.resources->io) return std::nullopt;
  const bool was_cold = of.phase.page_cache && of.phase.page_cache->was_dropped;
  const auto operations = static_cast<double>(of.role().Operations());
  if (operations == 0) return std::nullopt;
  const double bytes = static_cast<double>(of.phase.resources->io->storage_read_bytes) / operations;
  if (was_cold || bytes < kBytesOfAnOperation) return std::nullopt;
  Finding finding;
  finding.symptom = "reads wait for the device";
  finding.cause = "what is read does not fit into the memory that there is for it";
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

std::optional<Finding> SyncsAreMostOfIt(const Case& of) {
  constexpr double kShare = 0.5;
  if (!of.phase.resources || !of.phase.resources->syncs || of.role().thread_seconds <= 0) {
    return std::nullopt;
  }
  const Resources::Syncs& syncs = *of.phase.resources->syncs;
  const double share = syncs.waited_seconds / of.role().thread_seconds;
  if (share < kShare) return std::nullopt;
  Finding finding;
  finding.symptom = "writes are as slow as the device syncs";
  finding.cause = "each acknowledged write waits for its sync";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format(
      "{} sync calls took {:.1f} of {:.1f} s of the threads ({}), {:.0f} us each", syncs.calls,
      syncs.waited_seconds, of.role().thread_seconds, Percent(share),
      syncs.waited_seconds * 1e6 / static_cast<double>(std::max<uint64_t>(1, syncs.calls))));
  finding.advice =
      "batches (fillbatch), or more threads whose writes share a sync where the engine groups "
      "them; "
      "--durability=process if the last writes may be lost by a power cut";
  if (of.role().threads == 1) finding.change = {"threads", "1", "4"};
  return finding;
}

std::optional<Finding> HarnessIsMostOfIt(const Case& of) {
  const std::optional<double> took_ns = OperationNs(of.phase);
  if (!took_ns || of.series.sum.floor) return std::nullopt;
  for (const Price& price : PricesOf(of.result)) {
    if (price.engine != "null") continue;
    const std::optional<double> null_ns = NsOf(price, of.phase.workload);
    if (!null_ns || *took_ns >= kLeastTimesPrice * *null_ns) return std::nullopt;
    Finding finding;
    finding.symptom = "the figure is partly the harness's own";
    finding.cause = "an operation is so cheap that making its key and checking its answer counts";
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(
        fmt::format("an operation takes {:.0f} ns, of the engine that does nothing {:.0f} ns",
                    *took_ns, *null_ns));
    finding.advice = "--histogram=0 reads no clock; compare engines only where they differ by more";
    return finding;
  }
  return std::nullopt;
}

// Rounds that differ by a third are of a machine, or of a store, that was not the same each time.
std::optional<Finding> MachineIsNoisy(const Case& of) {
  constexpr double kSpread = 1.3;
  const std::vector<double> rates = Present(of.series.Rates(of.index));
  size_t disturbed = 0;
  std::string first;
  for (const RunResult* run : of.series.rounds) {
    const PhaseResult& round = run->phases[of.index];
    if (!round.conditions) continue;
    const std::vector<std::string> said = DisturbancesOf(*round.conditions);
    if (said.empty()) continue;
    ++disturbed;
    if (first.empty()) first = said.front();
  }
  const auto [least, most] = std::ranges::minmax(rates);
  const bool varies = rates.size() >= 3 && most > kSpread * least;
  if (disturbed == 0 && !varies) return std::nullopt;
  Finding finding;
  finding.symptom = "the figure is not the same each time";
  finding.cause = disturbed != 0 ? "something else used the machine meanwhile"
                                 : "unknown: nothing else was seen using the machine";
  finding.confidence = disturbed != 0 ? Confidence::kHigh : Confidence::kLow;
  if (disturbed != 0) {
    finding.evidence.push_back(
        fmt::format("in {} of {} rounds: {}", disturbed, of.series.rounds.size(), first));
  }
  if (varies) {
    finding.evidence.push_back(
        fmt::format("the fastest round is {:.2f} times the slowest", most / least));
  }
  finding.advice = "end what else runs; more rounds (--precision=2%) narrow the interval";
  return finding;
}

std::optional<Finding> RateIsNotKept(const Case& of) {
  if (!of.role().load || of.role().load->verdict != kLoadNotSustainable) return std::nullopt;
  Finding finding;
  finding.symptom = "response times grow as long as it runs";
  finding.cause = "the rate that was asked for is more than the engine can do";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("{} operations a second were asked for, {:.0f} were done",
                                         of.role().rate, of.role().OperationsPerSecond()));
  finding.advice =
      "--rate=sweep draws latency over the rate, --slo=p99<1ms finds the highest that keeps it";
  return finding;
}

std::optional<Finding> DebtIsCarriedOver(const Case& of) {
  if (!of.phase.settle || of.phase.settle->complete) return std::nullopt;
  Finding finding;
  finding.symptom = "what follows pays for this workload";
  finding.cause = "settling was given up before the background was done";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("after {:.1f} s it was not settled ({})",
                                         of.phase.settle->seconds, of.phase.settle->how));
  finding.advice = "fewer keys, or `waitforcompaction` behind it";
  return finding;
}

struct Rule {
  std::string_view name;
  bool of_ok;  // Only what has a figure shows it.
  std::optional<Finding> (*find)(const Case& of);
};

constexpr std::array kRules = std::to_array<Rule>({
    {"writes stand still", true, WritesStandStill},
    {"read jitter", true, ReadsJitter},
    {"memory", true, MemoryIsHigh},
    {"space", true, SpaceGrows},
    {"background processor time", true, ProcessorIsBusyInTheBackground},
    {"no filter", true, MissesWithoutFilter},
    {"working set", true, WorkingSetIsLargerThanMemory},
    {"sync-bound", true, SyncsAreMostOfIt},
    {"harness-bound", true, HarnessIsMostOfIt},
    {"noise", true, MachineIsNoisy},
    {"rate not kept", false, RateIsNotKept},
    {"debt", true, DebtIsCarriedOver},
});

}  // namespace

std::string_view ConfidenceName(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh:
      return "high";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kLow:
      break;
  }
  return "low";
}

std::vector<Finding> Diagnose(const Result& result, const EngineOptions& options) {
  static const std::map<std::string, std::string> kNone;
  std::vector<Finding> findings;
  for (const Series& series : SeriesOf(result)) {
    if (series.sum.floor) continue;
    const auto known = options.find(series.sum.engine);
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult* const middle = series.MiddleRound(i);
      const PhaseResult& phase = middle != nullptr ? *middle : series.sum.phases[i];
      if (phase.implicit || phase.roles.empty() || phase.roles.front().lanes.empty()) continue;
      const Case of{result, series, i, phase, known != options.end() ? known->second : kNone};
      for (const Rule& rule : kRules) {
        if (rule.of_ok && middle == nullptr) continue;
        std::optional<Finding> finding = rule.find(of);
        if (!finding) continue;
        finding->rule = rule.name;
        finding->engine = series.sum.engine;
        finding->workload = phase.workload;
        findings.push_back(std::move(*finding));
      }
    }
  }
  return findings;
}

std::vector<std::string_view> DiagnosisRules() {
  std::vector<std::string_view> names;
  for (const Rule& rule : kRules) names.push_back(rule.name);
  return names;
}

}  // namespace levelfield
