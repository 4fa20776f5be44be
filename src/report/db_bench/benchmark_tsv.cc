#include "report/db_bench/benchmark_tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/durability.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/phase_result.h"
#include "result/result_json.h"
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

constexpr const char* kNotCounted =
    "the engine does not count it (RocksDB: with --rocksdb.statistics=1 alone)";

using Counts = std::vector<std::pair<std::string, uint64_t>>;

std::optional<double> CountIn(const Counts& counts, std::string_view name) {
  const auto it = std::ranges::find(counts, name, &Counts::value_type::first);
  return it == counts.end() ? std::nullopt : std::optional(static_cast<double>(it->second));
}
std::optional<double> Counter(const PhaseResult& phase, std::string_view name) {
  return CountIn(phase.counters, name);
}

// Bytes of tables written by flushes and compactions.
std::optional<double> Compacted(const PhaseResult& phase) {
  if (const auto mb = Counter(phase, "compaction_written_mb")) return *mb * kMiB;
  const auto flushed = Counter(phase, "rocksdb.flush.write.bytes");
  const auto compacted = Counter(phase, "rocksdb.compact.write.bytes");
  if (!flushed || !compacted) return std::nullopt;
  return *flushed + *compacted;
}

TsvCell InUnits(const std::optional<double>& count, double unit, int digits,
                const char* why_none = kNotCounted) {
  return count ? Number(*count / unit, digits) : None(why_none);
}
TsvCell PerSecond(const PhaseResult& phase, const std::optional<double>& count, double unit) {
  if (!count) return None(kNotCounted);
  const double seconds = phase.roles.front().seconds;
  return seconds > 0 ? Number(*count / unit / seconds, 1) : None("took no time");
}

TsvCell Transferred(const PhaseResult& phase) {
  double bytes = 0;
  for (const OperationStatistics& stats : phase.roles.front().statistics)
    bytes += static_cast<double>(stats.bytes);
  return PerSecond(phase, bytes, kMiB);
}

TsvCell WriteAmplification(const PhaseResult& phase) {
  const auto flushed = Counter(phase, "rocksdb.flush.write.bytes");
  const auto compacted = Compacted(phase);
  if (!flushed || !compacted) return None("the engine does not tell flushed bytes by themselves");
  return *flushed == 0 ? None("nothing was flushed") : Number(*compacted / *flushed, 1);
}

TsvCell CompactionSeconds(const PhaseResult& phase) {
  if (const auto seconds = Counter(phase, "compaction_s")) return Number(*seconds, 0);
  const auto compacting = Counter(phase, "rocksdb.compaction.times.micros.sum");
  if (!compacting) return None(kNotCounted);
  return Number((*compacting + Counter(phase, "rocksdb.db.flush.micros.sum").value_or(0)) / 1e6, 1);
}

TsvCell MicrosPerOperation(const PhaseResult& phase) {
  const RoleResult& role = phase.roles.front();
  if (role.Operations() == 0) return None("no operation was done");
  return Number(role.thread_seconds * 1e6 / static_cast<double>(role.Operations()), 3);
}

// In parts of ten thousand.
template <int kPerTenThousand>
TsvCell PercentileOf(const PhaseResult& phase) {
  const std::optional<SparseHistogram> times =
      LatenciesOf(phase.roles.front(), &OperationStatistics::latency_ns);
  if (!times) {
    return None("the clock was not read per operation (--histogram=0)");
  }
  const auto value = kPerTenThousand == 10'000 && times->Count() != 0
                         ? std::optional(times->Max())
                         : times->Percentile(std::min(kPerTenThousand, 9999) / 1e4);
  return value ? Number(static_cast<double>(*value) / 1e3, 2)
               : Unknown("fewer than ten operations lie beyond it");
}

template <double Resources::*kSeconds>
TsvCell ThousandsOf(const PhaseResult& phase) {
  return phase.resources ? Number((*phase.resources).*kSeconds / 1e3, 6) : Unknown(kNoDetails);
}

TsvCell Resident(const PhaseResult& phase) {
  if (!phase.resources) return Unknown(kNoDetails);
  return Number(static_cast<double>(phase.resources->peak_resident_bytes) / kGiB, 3);
}

// Only phases that are ok have numbers.
struct NumberColumn {
  std::string_view name;
  TsvCell (*cell)(const PhaseResult& phase);
  std::string_view unit;
};

using Phase = PhaseResult;
constexpr NumberColumn kNumbers[] = {
    {"ops_sec", [](const Phase& of) { return Number(of.roles[0].OperationsPerSecond(), 0); },
     "operations a second, of all threads of the first role"},
    {"mb_sec", Transferred, "MiB a second of keys and values read or written by it"},
    {"lsm_sz",
     [](const Phase& of) {
       return InUnits(CountIn(of.sizes, "table_bytes"), kGiB, 3,
                      "the engine has no tables; its files are disk_bytes in results.jsonl");
     },
     "GiB of table files when the operations were over"},
    {"blob_sz",
     [](const Phase& of) {
       return InUnits(CountIn(of.sizes, "blob_bytes"), kGiB, 3, "the engine has no blob files");
     },
     "GiB of blob files then"},
    {"c_wgb", [](const Phase& of) { return InUnits(Compacted(of), kGiB, 3); },
     "GiB that flushes and compactions wrote meanwhile"},
    {"w_amp", WriteAmplification, "those over what flushes alone wrote"},
    {"c_mbps", [](const Phase& of) { return PerSecond(of, Compacted(of), kMiB); },
     "MiB a second that flushes and compactions wrote"},
    {"c_wsecs", CompactionSeconds, "seconds of flushes and compactions, all threads"},
    {"c_csecs",
     [](const Phase& of) {
       return InUnits(Counter(of, "rocksdb.compaction.times.cpu_micros.sum"), 1e6, 1);
     },
     "seconds of CPU of compactions"},
    {"b_rgb",
     [](const Phase& of) {
       return InUnits(Counter(of, "rocksdb.blobdb.blob.file.bytes.read"), kGiB, 3);
     },
     "GiB read from blob files, by reads as by compactions"},
    {"b_wgb",
     [](const Phase& of) {
       return InUnits(Counter(of, "rocksdb.blobdb.blob.file.bytes.written"), kGiB, 3);
     },
     "GiB written to blob files"},
    {"usec_op", MicrosPerOperation,
     "microseconds of one thread for an operation: the time of all threads over all operations"},
    {"p50", PercentileOf<5000>, "microseconds of a call, of all kinds of operations together"},
    {"p99", PercentileOf<9900>, "as p50"},
    {"p99.9", PercentileOf<9990>, "as p50"},
    {"p99.99", PercentileOf<9999>, "as p50"},
    {"pmax", PercentileOf<10'000>, "as p50: the slowest"},
    {"uptime", [](const Phase& of) { return Number(of.roles[0].seconds, 3); },
     "seconds that the operations took, not since the store was opened"},
    {"stall%",
     [](const Phase& of) { return PerSecond(of, Counter(of, "rocksdb.stall.micros"), 1e4); },
     "seconds that writers were held up, all together, in a hundred of uptime"},
    {"Nstall",
     [](const Phase& of) { return InUnits(Counter(of, "rocksdb.db.write.stall.count"), 1, 0); },
     "how often writers were held up"},
    {"u_cpu", ThousandsOf<&Resources::user_seconds>,
     "thousands of seconds in user mode, all threads of the process"},
    {"s_cpu", ThousandsOf<&Resources::system_seconds>, "thousands of seconds in the kernel"},
    {"rss", Resident, "GiB resident at the most"},
};

constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
    {"test", "job, as benchmark.sh calls it; of other runs the workload"},
    {"date", "UTC, when the run began"},
    {"version", "of the engine's library"},
    {"job_id", "--job_id, JOB_ID"},
    {"githash", "of Levelfield; the engine's library has its SHA-256 in results.jsonl"},
    {"engine", "not a column of the original"},
};

std::string TextCell(const std::string& text) { return CellText(Printable(text)); }
std::string OrUnknown(const std::string& text) { return text.empty() ? "NA" : TextCell(text); }

std::string Header() {
  std::string header;
  for (const NumberColumn& column : kNumbers) header += fmt::format("{}\t", column.name);
  for (const auto& [name, unit] : kTexts) header += fmt::format("{}\t", name);
  header.back() = '\n';
  return header;
}

std::string Note(const std::string& test, const std::string& engine, std::string_view column,
                 const std::string& reason) {
  return fmt::format("{}\t{}\t{}\t{}\n", TextCell(test), TextCell(engine), column,
                     TextCell(reason));
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
                                          fmt::format("{}: {}", NameOf(run.outcome), why));
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
      const TsvCell cell = has_numbers ? column.cell(phase) : TsvCell{"NA", ""};
      table_.rows += cell.text + "\t";
      if (!cell.reason.empty()) note(column.name, cell.reason);
    }
    if (!has_numbers) {
      note("all", fmt::format("{}: {}", NameOf(phase.outcome), phase.message));
    }
    if (!run.warning.empty()) note("all", run.warning);
    const Durability durability = DurabilityOf(run, phase);
    if (const std::string& known = durability.known_deviation; !known.empty()) {
      note("all", fmt::format("known deviation of {}: {}", phase.durability, known));
    }
    const std::string& git = result_.git;
    table_.rows += fmt::format(
        "{}\t{}\t{}\t{}\t{}\t{}\n", TextCell(test), OrUnknown(result_.started),
        OrUnknown(run.version), OrUnknown(SettingOf(result_, "job_id")),
        IsUnknown(git) ? "NA" : OrUnknown(git),
        TextCell(run.engine) + (durability.volatile_because.empty() ? "" : " (volatile)"));
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
      fmt::format("{}\t-\t-\t{}\t-\t{}\n", TextCell(test), OrUnknown(job_id), TextCell(engine));
  return table;
}

std::string TsvHeader() { return Header(); }

StatusOr<std::string> TsvRowsOf(const Result& result, const std::string&, const Settings&) {
  return RenderBenchmarkTsv(result, false).rows;
}

}  // namespace levelfield
