#include "plan/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "base/units.h"
#include "plan/load_settings.h"
#include "plan/phase_settings.h"
#include "plan/planned_content.h"
#include "result/cache_result.h"
#include "store/store_space.h"
#include "workload/trace/trace_plan.h"
#include "workload/value_source.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// Descriptors besides the store's: pipes, results, libraries, /proc.
constexpr uint64_t kOwnDescriptors = 16;

// 0 if the text is no number.
uint64_t NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The requested value, or the engine's default. 0: it has no such limit, or keeps all open.
uint64_t MostOpenTables(const ProbeReply& engine) {
  for (const auto& [name, value] : engine.options.settings) {
    if (name == "max_open_files") return NumberIn(value);
  }
  const OptionDescription* const option = engine.description.FindOption("max_open_files");
  return option == nullptr ? 0 : NumberIn(option->default_value);
}

constexpr double kNoLimit = 1e18;

double Gibibytes(double bytes) { return bytes / (1 << 30); }

}  // namespace

double SpaceFactorOf(const EngineDescription& engine) {
  const std::string_view text = engine.Fact("space_factor");
  double factor = 0;
  std::from_chars(text.data(), text.data() + text.size(), factor);
  return factor >= 1 && factor <= 1000 ? factor : kWorstSpaceFactor;
}

uint64_t NeededDescriptors(const ProbeReply& engine, const std::vector<PlannedPhase>& phases,
                           uint64_t store_bytes) {
  uint64_t most_threads = 0;
  for (const PlannedPhase& phase : phases) {
    uint64_t threads = 0;
    for (const Role& role : phase.workload.roles) threads += role.threads;
    most_threads = std::max(most_threads, threads);
  }
  return kOwnDescriptors + std::min(MostOpenTables(engine), FilesOf(store_bytes)) +
         NumberIn(engine.description.Fact("files_per_session")) * most_threads;
}

Status CheckDescriptors(const ProbeReply& engine, uint64_t needed, uint64_t limit) {
  if (needed <= limit) return Status::Ok();
  return Status::Usage(fmt::format(
      "not enough open files for {}: its store and threads may need {}, and this process may have "
      "{}; say `ulimit -n {}` before, or use fewer threads or a smaller --max_open_files",
      engine.engine, needed, limit, needed));
}

namespace {

// Entries that a thread puts in a second at most. The fastest that was seen, LMDB appending batches
// of small entries to a store in memory, is half of that.
constexpr double kMostPutsPerSecond = 4e6;

// How many entries the role puts at most. A time ends only a fill that stays as it is then: others
// are completed, or end at a number of operations within a range of keys.
double MostPuts(const Settings& settings, const PlannedPhase& phase, const Role& role) {
  const bool is_fill = phase.workload.need == StoreNeed::kEmpty;
  const double seconds = PhaseSettings(settings, phase, 0, 0).duration;
  if (!is_fill && (seconds > 0 || !role.until_role.empty())) return kNoLimit;
  const bool is_counted = role.until_role.empty() && role.operations != 0;
  const double operations = is_counted ? static_cast<double>(role.operations) : kNoLimit;
  if (!is_fill || seconds == 0 || !phase.completed_for.empty()) return operations;
  double rate = kMostPutsPerSecond * static_cast<double>(role.threads);
  if (role.rate != 0) rate = std::min(rate, static_cast<double>(role.rate));
  const StatusOr<LoadAsked> load = LoadOf(settings);
  if (load.ok() && load->kind == LoadAsked::Kind::kOpen && load->rate != 0) {
    rate = std::min(rate, static_cast<double>(load->rate));
  }
  return std::min(operations, seconds * rate);
}

// The largest store in the course of the phases, in bytes of keys and values.
class LargestStore {
 public:
  explicit LargestStore(const Settings& settings) : settings_(settings) {}

  void Add(const PlannedPhase& phase) {
    if (phase.workload.need == StoreNeed::kEmpty) entries_ = entry_bytes_ = 0;
    const auto key = KeyShapeOf(settings_, phase.workload).MeanSize();
    for (const Role& role : phase.workload.roles) {
      if (!role.changes_store() || !role.operation->writes_values()) continue;
      if (role.records != 0 || role.operation->replays_trace) continue;  // Counted below.
      const auto keys = static_cast<double>(role.key_count());
      const bool writes_one = role.operation->writes_one_entry || role.operation->goes_on;
      const double puts = writes_one ? MostPuts(settings_, phase, role) : kNoLimit;
      entries_ = std::min(entries_ + puts, std::max(entries_, keys));
      entry_bytes_ = std::max(entry_bytes_, key + role.value_size.Mean());
      bytes_ = std::max(bytes_, entries_ * entry_bytes_);
    }
  }
  double bytes() const { return bytes_; }

 private:
  const Settings& settings_;
  double entries_ = 0;
  double entry_bytes_ = 0;
  double bytes_ = 0;
};

}  // namespace

uint64_t NeededDiskBytes(const Settings& settings, const std::vector<PlannedPhase>& phases,
                         double space_factor) {
  const auto key = KeyShapeOf(settings).MeanSize();
  LargestStore store(settings);
  for (const PlannedPhase& phase : phases) store.Add(phase);
  double bytes = phases.empty()
                     ? static_cast<double>(settings.num) * (key + ValueSizesOf(settings).Mean())
                     : store.bytes();
  // Assumes that all keys have growing values, as long as the longest.
  for (const PlannedPhase& phase : phases) {
    for (const Role& role : phase.workload.roles) {
      // Records have their own size.
      const double inserts = role.inserts() ? static_cast<double>(role.operations) : 0;
      if (role.records != 0) {
        bytes = std::max(bytes, (static_cast<double>(role.records) + inserts * role.ycsb.insert) *
                                    (key + static_cast<double>(role.value_size.most())));
      }
      if (role.operation->replays_trace) {
        bytes = std::max(bytes, static_cast<double>(role.range) * key +
                                    static_cast<double>(role.trace.live_bytes));
      }
      if (role.operation->length != LengthRule::kGrown) continue;
      bytes = std::max(bytes, static_cast<double>(role.range) *
                                  (key + static_cast<double>(LargestValueOf(phases))));
    }
  }
  return NeededBytes(static_cast<uint64_t>(std::min(bytes, 1e18)), space_factor);
}

uint64_t NeededMemoryBytes(const std::vector<PlannedPhase>& phases) {
  const auto largest = static_cast<double>(LargestValueOf(phases));
  double most_in_phase = 0;
  for (const PlannedPhase& phase : phases) {
    double in_phase = 0;
    for (const Role& role : phase.workload.roles) {
      if (!role.operation->writes_values()) continue;
      const auto value = static_cast<double>(role.value_size.most());
      in_phase += value * static_cast<double>(role.batch) * static_cast<double>(role.threads);
      // Buffers for the value read and the value made from it.
      const int held = role.operation->length == LengthRule::kGrown  ? 1
                       : role.operation->length == LengthRule::kKept ? 3
                                                                     : 0;
      in_phase += held * largest * static_cast<double>(role.threads);
      // A trace is in memory. With several threads it is in lists that grew by doubling. So are the
      // contents of each key, twice, and its earlier contents.
      if (!role.operation->replays_trace) continue;
      in_phase +=
          static_cast<double>(role.operations) * sizeof(TraceStep) * (role.threads > 1 ? 2 : 1) +
          static_cast<double>(role.range) * 28;
    }
    most_in_phase = std::max(most_in_phase, in_phase);
  }
  // The pool of bodies, the writers' buffers, one to compare with, and three that an engine was
  // seen to hold (LevelDB, one value of 1 GiB: 6.0 GiB in all).
  return static_cast<uint64_t>(
      std::min(ValueSource::kPoolBytes + 5 * largest + most_in_phase, 1e18));
}

Status CheckMemory(const std::vector<PlannedPhase>& phases, uint64_t available_bytes) {
  const uint64_t needed = NeededMemoryBytes(phases);
  if (needed <= available_bytes) return Status::Ok();
  return Status::Usage(fmt::format(
      "not enough memory: the values that these workloads write at a time take {:.2f} GiB, and "
      "{:.2f} "
      "GiB are available; use smaller values, fewer threads, or smaller batches",
      Gibibytes(static_cast<double>(needed)), Gibibytes(static_cast<double>(available_bytes))));
}

namespace {

// Memory of an entry beside its value. HyperClockCache's table has 64 bytes a slot, may be twice as
// large as needed and is filled to 70 %. LRU entries with their key and buckets take less.
constexpr uint64_t kEntryBytes = 192;
constexpr uint64_t kMallocBytes = 16;
constexpr double kShareOfMachine = 0.9;

}  // namespace

uint64_t MemoryNeed(const CacheBenchSettings& settings) {
  // There are more than the capacity only while handles hold evicted entries, and never more than
  // are inserted.
  const uint64_t fit = settings.cache_size / settings.charge + 1;
  const uint64_t held = settings.PinnedByThread(settings.threads) * settings.threads;
  const uint64_t operations = settings.threads * settings.ops_per_thread;
  const uint64_t inserts = settings.Populated() + operations;
  const uint64_t entries = std::min({fit, inserts, settings.max_key}) + held;
  // HyperClockCache makes its table at the beginning.
  const bool is_fixed = std::ranges::any_of(settings.caches, [](const std::string& cache) {
    return cache.starts_with("rocksdb_hyper_clock");
  });
  const uint64_t slots = is_fixed ? settings.cache_size / settings.entry_charge + 1 : 0;
  const uint64_t threads =
      settings.threads * kCacheCallKinds * Histogram::kBuckets * sizeof(uint64_t) * 2;
  const uint64_t value_bytes = settings.lean ? 0 : settings.value_bytes + kMallocBytes;
  return std::max(entries, slots) * kEntryBytes + entries * value_bytes + threads;
}

uint64_t MemoryThere(const nlohmann::ordered_json& environment) {
  uint64_t there = UINT64_MAX;
  for (const char* const name : {"memory_available_bytes", "cgroup_memory_limit_bytes"}) {
    const auto it = environment.find(name);
    if (it != environment.end() && it->is_number_unsigned()) {
      there = std::min(there, it->get<uint64_t>());
    }
  }
  return there;
}

Status CheckMemory(const CacheBenchSettings& settings, uint64_t there) {
  const uint64_t need = MemoryNeed(settings);
  if (static_cast<double>(need) <= kShareOfMachine * static_cast<double>(there)) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--cache_size={}: with its values of {} bytes it may take {} MiB, and {} MiB are free here; "
      "ask for a smaller --cache_size",
      settings.cache_size, settings.value_bytes, need >> 20, there >> 20));
}

}  // namespace levelfield
