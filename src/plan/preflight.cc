#include "plan/preflight.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/quote.h"
#include "plan/existing_store.h"
#include "plan/value_growth.h"
#include "probe/free_space.h"
#include "store/marked_store.h"
#include "store/store_directory.h"
#include "workload/trace/trace_steps.h"
#include "workload/value_source.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// What the process has open beside its store: its pipes and results, libraries, /proc.
constexpr uint64_t kOwnDescriptors = 16;

// 0 where the text is no number.
uint64_t NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// As asked for, or the engine's own default; 0: it has no such limit, or has all open.
uint64_t MostOpenTables(const ProbeReply& engine) {
  for (const auto& [name, value] : engine.options.settings) {
    if (name == "max_open_files") return NumberIn(value);
  }
  const OptionDescription* const option = engine.description.FindOption("max_open_files");
  return option == nullptr ? 0 : NumberIn(option->default_value);
}

double Gibibytes(double bytes) { return bytes / (1 << 30); }

// Files of its own make it more than a directory that stores are made in.
bool HasFiles(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_directory(ignored)) return true;
  }
  return false;
}

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

uint64_t DescriptorLimit() {
  struct rlimit limit {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur
                                               : std::numeric_limits<uint64_t>::max();
}

uint64_t NeededDiskBytes(const Settings& settings, const std::vector<PlannedPhase>& phases,
                         double space_factor) {
  const auto key = static_cast<double>(KeyShapeOf(settings).size);
  double bytes = static_cast<double>(settings.num) * (key + ValueSizesOf(settings).Mean());
  // As many keys as have values that grow, as long as the longest of them.
  for (const PlannedPhase& phase : phases) {
    for (const Role& role : phase.workload.roles) {
      // Records have a size of their own.
      const double inserts = role.inserts() ? static_cast<double>(role.operations) : 0;
      if (role.records != 0) {
        bytes = std::max(bytes, (static_cast<double>(role.records) + inserts * role.ycsb.insert) *
                                    (key + static_cast<double>(role.value_size.most())));
      }
      if (role.operation == OperationKind::kTrace) {
        bytes = std::max(bytes, static_cast<double>(role.range) * key +
                                    static_cast<double>(role.trace.live_bytes));
      }
      if (role.operation != OperationKind::kAppend) continue;
      bytes = std::max(bytes, static_cast<double>(role.range) *
                                  (key + static_cast<double>(LargestValueOf(phases))));
    }
  }
  return NeededBytes(static_cast<uint64_t>(std::min(bytes, 1e18)), space_factor, 0);
}

uint64_t NeededMemoryBytes(const std::vector<PlannedPhase>& phases) {
  const auto largest = static_cast<double>(LargestValueOf(phases));
  double most_in_phase = 0;
  for (const PlannedPhase& phase : phases) {
    double in_phase = 0;
    for (const Role& role : phase.workload.roles) {
      if (!Writes(role.operation) || role.operation == OperationKind::kErase) continue;
      const auto value = static_cast<double>(role.value_size.most());
      in_phase += value * static_cast<double>(role.batch) * static_cast<double>(role.threads);
      // Room for what is read and made out of it.
      const int held = role.operation == OperationKind::kAppend ? 1
                       : role.operation == OperationKind::kXor  ? 3
                                                                : 0;
      in_phase += held * largest * static_cast<double>(role.threads);
      // A trace lies in memory, of several threads in lists that have grown by doubling; and so do
      // what each key holds, twice, and what it held before.
      if (role.operation != OperationKind::kTrace) continue;
      in_phase +=
          static_cast<double>(role.operations) * sizeof(TraceStep) * (role.threads > 1 ? 2 : 1) +
          static_cast<double>(role.range) * 28;
    }
    most_in_phase = std::max(most_in_phase, in_phase);
  }
  // The pool of bodies, what the writers put together, one more to compare with, and three that an
  // engine was seen to hold (LevelDB, one value of 1 GiB: 6.0 GiB in all).
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

uint64_t AvailableMemoryBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<uint64_t>::max();
}

Status CheckStorePaths(const Settings& settings, const std::vector<std::string>& engines,
                       const std::vector<std::string>& plugins) {
  if (settings.single_db && settings.db.empty()) {
    return Status::Usage("--single_db: which directory? Say --db=<the store's path>");
  }
  if (settings.single_db && engines.size() != 1) {
    return Status::Usage(
        fmt::format("--single_db: {} is one store, for one engine; say --engine=<which>",
                    Printable(settings.db)));
  }
  if (settings.db.empty()) return Status::Ok();
  const bool is_ours = PeekAtStore(settings.db).has_value();
  if (is_ours && !settings.single_db) {
    return Status::Usage(fmt::format(
        "--db={}: this is a store, and no directory that stores are made in; say --use_existing_db "
        "to measure it, or name another directory",
        Printable(settings.db)));
  }
  std::error_code error;
  const bool is_file = fs::is_regular_file(settings.db, error);
  if (!is_ours && (is_file || HasFiles(settings.db))) {
    const std::vector<std::string> owners = EnginesThatRecognize(settings.db, plugins);
    if (!owners.empty()) {
      return Status::Usage(
          fmt::format("--db={}: there is a store of {} that Levelfield did not make; say "
                      "--use_existing_db --engine={} to measure it, or name another directory",
                      Printable(settings.db), owners.front(), owners.front()));
    }
  }
  Status refused = Status::Ok();
  for (const std::string& engine : engines) {
    const Status status = StoreDirectory::Check(StorePathOf(settings, engine, ""));
    if (status.ok()) return Status::Ok();
    if (refused.ok()) refused = status;
  }
  return refused;
}

}  // namespace levelfield
