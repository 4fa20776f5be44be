#include "report/db_bench/benchmark_tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/durability.h"
#include "base/quote.h"
#include "report/number.h"
#include "result/phase_result.h"
#include "result/result.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

constexpr double kGiB = 1 << 30;

struct TsvCell {
  std::string text;
  std::string reason;  // Why it is no number.
};

TsvCell None(std::string reason) { return {"-", std::move(reason)}; }
TsvCell Unknown(std::string reason) { return {"NA", std::move(reason)}; }
TsvCell Number(double value, int digits) { return {fmt::format("{:.{}f}", value, digits), ""}; }

// The source of the cells of one row. Only phases that are ok have numbers.
class Row {
 public:
  Row(const Result& result, const RunResult& run, const PhaseResult& phase)
      : result_(result), run_(run), phase_(phase), role_(phase.roles.front()) {}

  TsvCell OpsSec() const { return Number(role_.OperationsPerSecond(), 0); }
  TsvCell MbSec() const {
    double bytes = 0;
    for (const OperationStatistics& stats : role_.statistics)
      bytes += static_cast<double>(stats.bytes);
    return role_.seconds > 0 ? Number(bytes / kMiB / role_.seconds, 1) : None("took no time");
  }
  TsvCell LsmSize() const {
    const auto bytes = Find(phase_.sizes, "table_bytes");
    if (bytes) return Number(*bytes / kGiB, 3);
    return None("the engine has no tables; its files are disk_bytes in results.jsonl");
  }
  TsvCell BlobSize() const {
    const auto bytes = Find(phase_.sizes, "blob_bytes");
    return bytes ? Number(*bytes / kGiB, 3) : None("the engine has no blob files");
  }
  TsvCell CompactedGb() const {
    const auto bytes = Compacted();
    return bytes ? Number(*bytes / kGiB, 3) : None(kNotCounted);
  }
  TsvCell WriteAmplification() const {
    const auto flushed = Counter("rocksdb.flush.write.bytes");
    const auto compacted = Compacted();
    if (!flushed || !compacted) return None("the engine does not tell flushed bytes by themselves");
    if (*flushed == 0) return None("nothing was flushed");
    return Number(*compacted / *flushed, 1);
  }
  TsvCell CompactedMbps() const {
    const auto bytes = Compacted();
    if (!bytes) return None(kNotCounted);
    return role_.seconds > 0 ? Number(*bytes / kMiB / role_.seconds, 1) : None("took no time");
  }
  TsvCell CompactionSeconds() const {
    if (const auto seconds = Counter("compaction_s")) return Number(*seconds, 0);
    const auto compacting = Counter("rocksdb.compaction.times.micros.sum");
    const auto flushing = Counter("rocksdb.db.flush.micros.sum");
    if (!compacting) return None(kNotCounted);
    return Number((*compacting + flushing.value_or(0)) / 1e6, 1);
  }
  TsvCell CompactionCpuSeconds() const {
    const auto micros = Counter("rocksdb.compaction.times.cpu_micros.sum");
    return micros ? Number(*micros / 1e6, 1) : None(kNotCounted);
  }
  TsvCell BlobReadGb() const { return BlobGb("rocksdb.blobdb.blob.file.bytes.read"); }
  TsvCell BlobWrittenGb() const { return BlobGb("rocksdb.blobdb.blob.file.bytes.written"); }
  TsvCell MicrosPerOperation() const {
    if (role_.Operations() == 0) return None("no operation was done");
    return Number(role_.thread_seconds * 1e6 / static_cast<double>(role_.Operations()), 3);
  }
  TsvCell Percentile(double p) const {
    if (!Latencies()) return None("the clock was not read per operation (--histogram=0)");
    const auto value = Latencies()->Percentile(p);
    if (!value) return Unknown("fewer than ten operations lie beyond it");
    return Number(static_cast<double>(*value) / 1e3, 2);
  }
  TsvCell Slowest() const {
    if (!Latencies() || Latencies()->Count() == 0) return Percentile(0.5);
    return Number(static_cast<double>(Latencies()->Max()) / 1e3, 2);
  }
  TsvCell Uptime() const { return Number(role_.seconds, 3); }
  TsvCell StallPercent() const {
    const auto micros = Counter("rocksdb.stall.micros");
    if (!micros) return None(kNotCounted);
    return role_.seconds > 0 ? Number(*micros / 1e4 / role_.seconds, 1) : None("took no time");
  }
  TsvCell Stalls() const {
    const auto count = Counter("rocksdb.db.write.stall.count");
    return count ? Number(*count, 0) : None(kNotCounted);
  }
  TsvCell UserCpu() const {
    return phase_.resources ? Number(phase_.resources->user_seconds / 1e3, 6) : Unknown(kOlder);
  }
  TsvCell SystemCpu() const {
    return phase_.resources ? Number(phase_.resources->system_seconds / 1e3, 6) : Unknown(kOlder);
  }
  TsvCell Resident() const {
    if (!phase_.resources) return Unknown(kOlder);
    return Number(static_cast<double>(phase_.resources->peak_resident_bytes) / kGiB, 3);
  }

 private:
  using Counts = std::vector<std::pair<std::string, uint64_t>>;
  static constexpr const char* kOlder = "the result is of a version that did not measure it";
  static constexpr const char* kNotCounted =
      "the engine does not count it (RocksDB: with --rocksdb.statistics=1 alone)";

  static std::optional<double> Find(const Counts& counts, std::string_view name) {
    const auto it = std::ranges::find(
        counts, name, [](const auto& pair) { return std::string_view(pair.first); });
    if (it == counts.end()) return std::nullopt;
    return static_cast<double>(it->second);
  }
  std::optional<double> Counter(std::string_view name) const { return Find(phase_.counters, name); }

  // Bytes of tables written by flushes and compactions.
  std::optional<double> Compacted() const {
    if (const auto mb = Counter("compaction_written_mb")) return *mb * kMiB;
    const auto flushed = Counter("rocksdb.flush.write.bytes");
    const auto compacted = Counter("rocksdb.compact.write.bytes");
    if (!flushed || !compacted) return std::nullopt;
    return *flushed + *compacted;
  }
  TsvCell BlobGb(const char* name) const {
    const auto bytes = Counter(name);
    return bytes ? Number(*bytes / kGiB, 3) : None(kNotCounted);
  }
  const SparseHistogram* Latencies() const {
    if (role_.statistics.empty() || !role_.statistics.front().latency_ns) return nullptr;
    return &*role_.statistics.front().latency_ns;
  }

  const Result& result_;
  const RunResult& run_;
  const PhaseResult& phase_;
  const RoleResult& role_;
};

struct NumberColumn {
  std::string_view name;
  TsvCell (*cell)(const Row&);
  std::string_view unit;
};

template <int kPerTenThousand>
TsvCell PercentileOf(const Row& row) {
  return row.Percentile(kPerTenThousand / 1e4);
}
template <TsvCell (Row::*kMember)() const>
TsvCell Of(const Row& row) {
  return (row.*kMember)();
}

constexpr NumberColumn kNumbers[] = {
    {"ops_sec", Of<&Row::OpsSec>, "operations a second, of all threads of the first role"},
    {"mb_sec", Of<&Row::MbSec>, "MiB a second of keys and values read or written by it"},
    {"lsm_sz", Of<&Row::LsmSize>, "GiB of table files when the operations were over"},
    {"blob_sz", Of<&Row::BlobSize>, "GiB of blob files then"},
    {"c_wgb", Of<&Row::CompactedGb>, "GiB that flushes and compactions wrote meanwhile"},
    {"w_amp", Of<&Row::WriteAmplification>, "those over what flushes alone wrote"},
    {"c_mbps", Of<&Row::CompactedMbps>, "MiB a second that flushes and compactions wrote"},
    {"c_wsecs", Of<&Row::CompactionSeconds>, "seconds of flushes and compactions, all threads"},
    {"c_csecs", Of<&Row::CompactionCpuSeconds>, "seconds of CPU of compactions"},
    {"b_rgb", Of<&Row::BlobReadGb>, "GiB read from blob files, by reads as by compactions"},
    {"b_wgb", Of<&Row::BlobWrittenGb>, "GiB written to blob files"},
    {"usec_op", Of<&Row::MicrosPerOperation>,
     "microseconds of one thread for an operation: the time of all threads over all operations"},
    {"p50", PercentileOf<5000>, "microseconds of a call, of the first kind of operation"},
    {"p99", PercentileOf<9900>, "as p50"},
    {"p99.9", PercentileOf<9990>, "as p50"},
    {"p99.99", PercentileOf<9999>, "as p50"},
    {"pmax", Of<&Row::Slowest>, "as p50: the slowest"},
    {"uptime", Of<&Row::Uptime>,
     "seconds that the operations took, not since the store was opened"},
    {"stall%", Of<&Row::StallPercent>,
     "seconds that writers were held up, all together, in a hundred of uptime"},
    {"Nstall", Of<&Row::Stalls>, "how often writers were held up"},
    {"u_cpu", Of<&Row::UserCpu>, "thousands of seconds in user mode, all threads of the process"},
    {"s_cpu", Of<&Row::SystemCpu>, "thousands of seconds in the kernel"},
    {"rss", Of<&Row::Resident>, "GiB resident at the most"},
};

constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
    {"test", "job, as benchmark.sh calls it; of other runs the workload"},
    {"date", "UTC, when the run began"},
    {"version", "of the engine's library"},
    {"job_id", "--job_id, JOB_ID"},
    {"githash", "of Levelfield; the engine's library has its SHA-256 in results.jsonl"},
    {"engine", "not a column of the original"},
};

std::string OrUnknown(const std::string& text) { return text.empty() ? "NA" : Printable(text); }

std::string Header() {
  std::string header;
  for (const NumberColumn& column : kNumbers) header += fmt::format("{}\t", column.name);
  for (const auto& [name, unit] : kTexts) header += fmt::format("{}\t", name);
  header.back() = '\n';
  return header;
}

std::string Note(const std::string& test, const std::string& engine, std::string_view column,
                 const std::string& reason) {
  return fmt::format("{}\t{}\t{}\t{}\n", Printable(test), Printable(engine), column,
                     Printable(reason));
}

class TsvTable {
 public:
  TsvTable(const Result& result, bool with_notes)
      : result_(result), with_notes_(with_notes), row_of_(SettingOf(result, "report_row")) {
    table_.header = Header();
  }

  BenchmarkTsv Render() {
    for (const RunResult& run : result_.runs) {
      bool has_row = false;
      for (const PhaseResult& phase : run.phases) {
        if (phase.implicit || phase.repetition.warm_up) continue;
        const bool is_text = phase.outcome == Outcome::kOk && phase.roles.empty();
        if (row_of_.empty() ? is_text : phase.workload != row_of_) continue;
        Add(run, phase);
        has_row = true;
      }
      if (!has_row && !row_of_.empty()) AddMissing(run);
    }
    return std::move(table_);
  }

 private:
  // For an engine that did not reach the workload of the row.
  void AddMissing(const RunResult& run) {
    const std::string why = run.message.empty() ? "it did not get so far" : run.message;
    const BenchmarkTsv row = RenderNotRun(result_.name, run.engine, SettingOf(result_, "job_id"),
                                          fmt::format("{}: {}", OutcomeName(run.outcome), why));
    table_.rows += row.rows;
    if (with_notes_) table_.notes += row.notes;
  }

  void Add(const RunResult& run, const PhaseResult& phase) {
    const std::string test = row_of_.empty() ? phase.workload : result_.name;
    const auto note = [&](std::string_view column, const std::string& reason) {
      if (with_notes_) table_.notes += Note(test, run.engine, column, reason);
    };
    const bool has_numbers = phase.outcome == Outcome::kOk && !phase.roles.empty();
    for (const NumberColumn& column : kNumbers) {
      const TsvCell cell = has_numbers ? column.cell(Row(result_, run, phase)) : TsvCell{"NA", ""};
      table_.rows += cell.text + "\t";
      if (!cell.reason.empty()) note(column.name, cell.reason);
    }
    if (!has_numbers) {
      note("all", fmt::format("{}: {}", OutcomeName(phase.outcome), phase.message));
    }
    if (!run.warning.empty()) note("all", run.warning);
    if (const std::string known = KnownDeviation(run, phase); !known.empty()) {
      note("all", fmt::format("known deviation of {}: {}", phase.durability, known));
    }
    const std::string& git = result_.git;
    table_.rows +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", Printable(test), OrUnknown(result_.started),
                    OrUnknown(run.version), OrUnknown(SettingOf(result_, "job_id")),
                    git.starts_with("unknown") ? "NA" : OrUnknown(git),
                    Printable(run.engine) + (IsVolatile(phase) ? " (volatile)" : ""));
  }

  const Result& result_;
  const bool with_notes_;
  const std::string row_of_;
  BenchmarkTsv table_;
};

}  // namespace

std::string BenchmarkTsvUnits() {
  std::string text;
  for (const NumberColumn& column : kNumbers)
    text += fmt::format("{}\t{}\n", column.name, column.unit);
  for (const auto& [name, unit] : kTexts) text += fmt::format("{}\t{}\n", name, unit);
  return text;
}

BenchmarkTsv RenderBenchmarkTsv(const Result& result, bool with_notes) {
  return TsvTable(result, with_notes).Render();
}

BenchmarkTsv RenderNotRun(const std::string& test, const std::string& engine,
                          const std::string& job_id, const std::string& reason) {
  BenchmarkTsv table{.header = Header(), .rows = "", .notes = Note(test, engine, "all", reason)};
  for (size_t i = 0; i < std::size(kNumbers); ++i) table.rows += "-\t";
  table.rows +=
      fmt::format("{}\t-\t-\t{}\t-\t{}\n", Printable(test), OrUnknown(job_id), Printable(engine));
  return table;
}

std::string TsvHeader() { return Header(); }

StatusOr<std::string> TsvRowsOf(const Result& result, const std::string&, const Settings&) {
  return RenderBenchmarkTsv(result, false).rows;
}

}  // namespace levelfield
