#include "report/db_bench/db_bench_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "analysis/durability.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/utc.h"
#include "report/db_bench/db_bench_histogram.h"
#include "report/heading.h"
#include "settings/report_formats.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

double MeanOf(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

struct Rates {
  std::vector<double> operations;  // Per second.
  std::vector<double> megabytes;   // Per second. Fewer, because some lines do not have them.
};

// The rates of the repetitions that directly precede and include the last phase.
Rates RatesOf(Lines lines, const SharedList<PhaseResult>& phases, size_t ended) {
  const PhaseResult& last = phases[ended - 1];
  Rates rates;
  for (uint64_t i = 0; i < last.repetition.number && i < ended; ++i) {
    const PhaseResult& phase = phases[ended - 1 - i];
    if (phase.workload != last.workload || phase.repetition.warm_up) break;
    if (phase.outcome != Outcome::kOk || phase.roles.empty()) continue;
    rates.operations.push_back(phase.roles.front().OperationsPerSecond());
    const auto megabytes = MegabytesPerSecond(lines, phase.roles.front());
    if (megabytes) rates.megabytes.push_back(*megabytes);
  }
  return rates;
}

constexpr double kMegabyte = 1048576;  // The unit of the whole family.

double Number(const Result& result, std::string_view name) {
  return std::strtod(SettingOf(result, name).c_str(), nullptr);
}

const Dialect& SpokenIn(const Result& result) { return DialectOf(SettingOf(result, "dialect")); }

bool Is(const OperationStatistics& stats, std::string_view operation) {
  return stats.operation == operation;
}

// A reader of single keys, unless the original never printed how many it found.
bool TellsFound(Lines lines, const PhaseResult& phase, const OperationStatistics& stats) {
  const bool is_told_always = lines == Lines::kRocksDb;
  return (Is(stats, "get") || Is(stats, "seek") || Is(stats, "multi_get")) &&
         (is_told_always || (phase.workload != "readmissing" && phase.workload != "readhot"));
}

// RocksDB's name for it in histograms.
std::string_view WhatOf(const OperationStatistics& stats) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"get", "read"},          {"multi_get", "read"},
      {"next", "read"},         {"prev", "read"},
      {"put", "write"},         {"erase", "delete"},
      {"seek", "seek"},         {"merge", "merge"},
      {"update", "update"},     {"append", "update"},
      {"crc32c", "crc"},        {"xxhash", "hash"},
      {"xxhash64", "hash"},     {"xxh3", "hash"},
      {"compress", "compress"}, {"uncompress", "uncompress"}};
  const auto it = std::ranges::find(kNames, std::string_view(stats.operation),
                                    [](const auto& pair) { return pair.first; });
  return it == std::end(kNames) ? std::string_view("op") : it->second;
}

// Operations of a benchmark that does --num of them, over all threads.
double NumOfAll(const Result& result) {
  const double threads = SettingOf(result, "per_thread") == "1" ? Number(result, "threads") : 1;
  return Number(result, "num") * threads;
}

// A mix of gets, seeks and puts, such as mixgraph's.
bool IsGraph(const RoleResult& role) {
  constexpr std::string_view kOperations[] = {"get", "seek", "put"};
  return std::ranges::equal(role.statistics, kOperations, {},
                            [](const auto& stats) { return std::string_view(stats.operation); });
}

std::string MeanText(uint64_t sum, uint64_t count) {
  if (count == 0) return "n/a";
  return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count));
}

// Of keys whose sizes vary, which no original has, the mean.
double KeyBytes(const Result& result) {
  const double digits = Number(result, "key_size");
  const double most = std::max(digits, Number(result, "key_size_max"));
  return Number(result, "key_prefix") + (digits + most) / 2;
}

// As mixgraph's line in RocksDB, where a mean of nothing is "-nan".
std::string GraphMessage(const Result& result, const RoleResult& role) {
  const OperationStatistics& gets = role.statistics[0];
  const OperationStatistics& seeks = role.statistics[1];
  const OperationStatistics& puts = role.statistics[2];
  const auto key_bytes =
      static_cast<uint64_t>(KeyBytes(result) * static_cast<double>(puts.operations));
  return fmt::format(
      "( Gets:{} Puts:{} Seek:{}, reads {} in {} found, avg size: {} value, {} scan)",
      gets.operations, puts.operations, seeks.operations, gets.hits + seeks.hits,
      gets.operations + seeks.operations,
      MeanText(puts.bytes - std::min(puts.bytes, key_bytes), puts.operations),
      MeanText(role.entries, seeks.operations));
}

// The words after the figures: counts that differ from the header's, or hits.
std::string MessageOf(const Result& result, const PhaseResult& phase, const RoleResult& role) {
  const OperationStatistics& stats = role.statistics.front();
  const bool is_rocksdb = SpokenIn(result).lines == Lines::kRocksDb;
  if (is_rocksdb && IsGraph(role)) return GraphMessage(result, role);
  if (!phase.note.empty()) return fmt::format("({})", Printable(phase.note));
  if (Is(stats, "transaction") && role.statistics.size() == 2) {
    return fmt::format("( transactions:{} aborts:{})", stats.operations,
                       role.statistics[1].operations);
  }
  if (role.statistics.size() == 2) {
    return fmt::format("( reads:{} writes:{} total:{} found:{})", stats.operations,
                       role.statistics[1].operations, role.Operations(), stats.hits);
  }
  if (TellsFound(SpokenIn(result).lines, phase, stats)) {
    // The original says "of num" even if it read fewer or more.
    const bool is_exact = SettingOf(result, "compat") == "exact";
    return fmt::format("({} of {:.0f} found)", stats.hits,
                       is_exact ? NumOfAll(result) : static_cast<double>(stats.operations));
  }
  if (is_rocksdb && Is(stats, "update")) {
    return fmt::format("( updates:{} found:{})", stats.operations, stats.hits);
  }
  if (is_rocksdb && Is(stats, "merge")) return fmt::format("( updates:{})", stats.operations);
  const bool is_written = Is(stats, "put");
  if (is_written && static_cast<double>(stats.operations) != NumOfAll(result)) {
    return fmt::format("({} ops)", stats.operations);
  }
  return "";
}

// The message of the first role. Every line also says that it is a warm-up, that its number would
// not survive a power cut, or which rate was requested, where that is so.
std::string WordsBehind(const Result& result, const PhaseResult& phase, const RoleResult& role) {
  std::vector<std::string> words;
  if (&role == &phase.roles.front()) {
    words.push_back(MessageOf(result, phase, role));
    if (phase.repetition.warm_up) {
      const uint64_t done = role.Operations();
      words.push_back(
          fmt::format("(warm-up: {} operation{})", Grouped(done), done == 1 ? "" : "s"));
    }
  }
  if (IsVolatile(phase)) words.emplace_back("(volatile)");
  if (role.rate != 0) words.push_back(fmt::format("(desired {} ops/sec)", role.rate));
  std::erase(words, "");
  return fmt::format("{}", fmt::join(words, " "));
}

// An engine's text about itself, line by line, without control characters.
std::string EngineLines(std::string_view text) {
  std::string lines;
  for (std::string line : LinesOf(text)) {
    std::ranges::replace(line, '\t', ' ');
    lines += Printable(line) + "\n";
  }
  return lines;
}

// The words after the name: "micros/op;", and in RocksDB's program also rate, time and count.
std::string FiguresOf(Lines lines, const RoleResult& role) {
  const auto operations = static_cast<double>(std::max<uint64_t>(role.Operations(), 1));
  const bool sums_threads = lines != Lines::kLmdb && role.thread_seconds > 0;
  const double seconds = sums_threads ? role.thread_seconds : role.seconds;
  std::string text = fmt::format("{:11.3f} micros/op", seconds * 1e6 / operations);
  if (lines == Lines::kLmdb) {
    text += fmt::format(" {:.0f} ops/sec", std::floor(role.OperationsPerSecond()));
  }
  if (lines == Lines::kRocksDb) {
    text += fmt::format(" {:.0f} ops/sec {:.3f} seconds {} operations",
                        std::floor(role.OperationsPerSecond()), role.seconds, role.Operations());
  }
  return text + ";";
}

// RocksDB's program has none of what is done once to a store as a whole.
bool HasHistogramInRocksDb(const OperationStatistics& stats) {
  constexpr std::string_view kOfStores[] = {
      "compact",          "compact_level_0", "compact_level_1", "flush", "wait_for_background",
      "verify_checksums", "backup",          "restore",         "open"};
  return std::ranges::find(kOfStores, std::string_view(stats.operation)) == std::end(kOfStores);
}

// The histograms of a role. RocksDB's program leaves out those of whoever works beside the first
// role, and benchmark.sh takes the last percentiles for the benchmark's.
std::string HistogramsOf(Lines lines, const PhaseResult& phase, const RoleResult& role) {
  const bool has_names = lines == Lines::kRocksDb;
  if (!phase.timed || (has_names && &role != &phase.roles.front())) return "";
  std::string text;
  for (const OperationStatistics& each : role.statistics) {
    if (!each.latency_ns || (has_names && !HasHistogramInRocksDb(each))) continue;
    if (role.statistics.size() > 1 && !has_names) text += Printable(each.operation) + ":\n";
    std::string what(has_names ? WhatOf(each) : "op");
    if (has_names && role.batch > 1) what += fmt::format(", {} to a call", role.batch);
    text += DbBenchHistogram(*each.latency_ns, lines, what) + "\n";
  }
  return text;
}

std::string LineOf(Lines lines, const PhaseResult& phase, const RoleResult& role,
                   std::string_view name, const std::string& message) {
  std::string line = fmt::format("{:<12} : {}", Printable(name), FiguresOf(lines, role));
  if (const auto rate = MegabytesPerSecond(lines, role))
    line += fmt::format(" {:6.1f} MB/s", *rate);
  if (!message.empty()) line += " " + message;
  return line + "\n" + HistogramsOf(lines, phase, role);
}

std::string_view ValueOf(const EngineSettings& settings, std::string_view name,
                         std::string_view otherwise) {
  const auto it = std::ranges::find(
      settings, name, [](const auto& setting) { return std::string_view(setting.first); });
  return it == settings.end() ? otherwise : std::string_view(it->second);
}

// RocksDB's class names for compressions and memtables.
std::string ClassOf(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
      {"none", "NoCompression"},
      {"snappy", "Snappy"},
      {"zlib", "Zlib"},
      {"lz4", "LZ4"},
      {"lz4hc", "LZ4HC"},
      {"zstd", "ZSTD"},
      {"skip_list", "SkipListFactory"},
      {"vector", "VectorRepFactory"},
      {"prefix_hash", "HashSkipListRepFactory"},
      {"hash_linkedlist", "HashLinkListRepFactory"}};
  const auto it = std::ranges::find(kClasses, name, [](const auto& pair) { return pair.first; });
  return it == std::end(kClasses) ? Printable(name) : std::string(it->second);
}

// Further lines of RocksDB's header. Nothing here samples a compression.
std::string RocksDbHeaderLines(const Result& result, const EngineSettings& settings,
                               double entry_bytes) {
  const double write_bytes = Number(result, "write_bytes_per_second");
  const std::string_view file = ValueOf(settings, "options_file", "");
  // RocksDB knows its option by two names.
  const std::string_view memtable =
      ValueOf(settings, "memtable_factory", ValueOf(settings, "memtable", "skip_list"));
  const std::string unless =
      file.empty() ? "" : fmt::format(", unless {} says otherwise", Printable(file));
  return fmt::format(
      "Write rate: {:.0f} bytes/second\nRead rate: {:.0f} ops/second\nCompression: {}{}\n"
      "Memtablerep: {}{}\nPerf Level: {}\n"
      "Micros/op:  time of all threads over all operations; ops/sec: operations over the time that "
      "passed\n",
      write_bytes != 0 ? write_bytes : Number(result, "writes_per_second") * entry_bytes,
      Number(result, "reads_per_second"), ClassOf(ValueOf(settings, "compression", "snappy")),
      unless, ClassOf(memtable), unless, Printable(ValueOf(settings, "perf_level", "2")));
}

constexpr std::string_view kPerfContext = "perf_context.";

// RocksDB's counters of its threads, behind the message as in the original, on one line.
std::string PerfContextText(const PhaseResult& phase) {
  std::string text;
  for (const auto& [name, count] : phase.counters) {
    if (!name.starts_with(kPerfContext)) continue;
    text += fmt::format("{} = {}, ", Printable(name.substr(kPerfContext.size())), count);
  }
  return text.empty() ? "" : "\n PERF_CONTEXT:\n" + text;
}

// RocksDB's format for statistics. For a histogram it shows what is known about a part of its
// values.
std::string CounterLines(const PhaseResult& phase) {
  std::string lines;
  for (const auto& [name, count] : phase.counters) {
    if (name.ends_with(".sum") || name.starts_with(kPerfContext)) continue;
    const std::string of_histogram = name.substr(0, name.rfind('.'));
    const auto sum = std::ranges::find(phase.counters, of_histogram + ".sum",
                                       [](const auto& counter) { return counter.first; });
    const bool has_sum = name.ends_with(".count") && sum != phase.counters.end();
    lines += has_sum ? fmt::format("{} COUNT : {} SUM : {}\n", Printable(of_histogram), count,
                                   sum->second)
                     : fmt::format("{} COUNT : {}\n", Printable(name), count);
  }
  return lines;
}

std::string PhaseLines(const Result& result, const PhaseResult& phase) {
  constexpr std::pair<Outcome, const char*> kWithoutFigure[] = {
      {Outcome::kWrong, "WRONG ANSWERS, no figure: {}"},
      {Outcome::kFailed, "FAILED: {}"},
      {Outcome::kUnsupported, "unsupported: {}"},
      {Outcome::kSkipped, "skipped ({})"},
      {Outcome::kInterrupted, "interrupted"},
      {Outcome::kNotRun, "not run: {}"},
      {Outcome::kStopped, "stopped: {}"},
      {Outcome::kInvalid, "INVALID, no figure: {}"}};
  for (const auto& [outcome, words] : kWithoutFigure) {
    if (phase.outcome != outcome) continue;
    return fmt::format("{:<12} : {}\n", Printable(phase.workload),
                       fmt::format(fmt::runtime(words), Printable(phase.message)));
  }
  if (phase.roles.empty()) return "\n" + EngineLines(phase.text) + "\n";
  std::string text;
  for (size_t i = 0; i < phase.roles.size(); ++i) {
    const RoleResult& role = phase.roles[i];
    if (role.statistics.empty()) continue;
    text += LineOf(SpokenIn(result).lines, phase, role, i == 0 ? phase.workload : role.name,
                   WordsBehind(result, phase, role) + (i == 0 ? PerfContextText(phase) : ""));
  }
  const auto comparisons = std::ranges::find(phase.counters, "leveldb.comparisons",
                                             [](const auto& counter) { return counter.first; });
  if (comparisons != phase.counters.end()) {
    text += fmt::format("Comparisons: {}\n", comparisons->second);
  }
  if (SettingOf(result, "phase_counters") == "1") text += CounterLines(phase);
  if (!phase.text.empty()) text += EngineLines(phase.text) + "\n";
  return text;
}

bool DoSizesVary(const Result& result) {
  const std::string type = SettingOf(result, "value_size_distribution_type");
  return !type.empty() && type != "fixed";
}

// Like the original, it takes the middle of varying sizes.
double MeanValueBytes(const Result& result) {
  if (!DoSizesVary(result)) return Number(result, "value_size");
  return std::floor((Number(result, "value_size_min") + Number(result, "value_size_max")) / 2);
}

}  // namespace

double HalfInterval(std::span<const double> numbers) {
  const auto count = static_cast<double>(numbers.size());
  const double mean = MeanOf(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  return StudentErrors(count - 1) * std::sqrt(squares / (count - 1) / count);
}

std::string RepeatHeading(const PhaseResult& phase) {
  if (phase.repetition.number != 1) return "";
  return phase.repetition.warm_up
             ? fmt::format("Warming up benchmark by running {} times\n", phase.repetition.of)
             : fmt::format("Running benchmark for {} times\n", phase.repetition.of);
}

std::string RepeatSummary(Lines lines, const SharedList<PhaseResult>& phases, size_t ended,
                          bool interval_only) {
  const PhaseResult& last = phases[ended - 1];
  if (last.repetition.number < 2 || last.repetition.warm_up) return "";
  const Rates rates = RatesOf(lines, phases, ended);
  const size_t runs = rates.operations.size();
  if (runs < 2) return "";
  const std::string name = Printable(last.workload);
  const bool has_megabytes = rates.megabytes.size() == runs;
  const double mean = MeanOf(rates.operations);
  const double half = HalfInterval(rates.operations);
  const double mean_mb = has_megabytes ? MeanOf(rates.megabytes) : 0;
  const double half_mb = has_megabytes ? HalfInterval(rates.megabytes) : 0;
  const auto average = [&](const char* gap) {
    std::string line = fmt::format("{} [AVG {}{} runs] : {:.0f} (\u00b1 {:.0f}) ops/sec", name, gap,
                                   runs, mean, half);
    if (has_megabytes) line += fmt::format("; {:6.1f} (\u00b1 {:.1f}) MB/sec", mean_mb, half_mb);
    return line + "\n";
  };
  const auto interval = [&] {
    std::string line = fmt::format("{} [CI95 {} runs] : ({:.0f}, {:.0f}) ops/sec", name, runs,
                                   mean - half, mean + half);
    if (has_megabytes) {
      line += fmt::format("; ({:.1f}, {:.1f}) MB/sec", mean_mb - half_mb, mean_mb + half_mb);
    }
    return line + "\n";
  };
  std::string text = interval_only ? interval() : average("");
  if (last.repetition.number != last.repetition.of) return text;
  text += average("   ");
  text += fmt::format("{} [MEDIAN {} runs] : {:.0f} ops/sec", name, runs,
                      std::floor(Median(rates.operations)));
  if (has_megabytes) text += fmt::format("; {:6.1f} MB/sec", Median(rates.megabytes));
  return text + "\n";
}

std::optional<double> MegabytesPerSecond(Lines lines, const RoleResult& role) {
  const bool is_rocksdb = lines == Lines::kRocksDb;
  const bool is_graph = is_rocksdb && IsGraph(role);
  if (role.seconds <= 0 || (role.statistics.size() != 1 && !is_graph)) return std::nullopt;
  const OperationStatistics& first = role.statistics.front();
  const bool tells_none =
      Is(first, "erase") || (!is_rocksdb && (Is(first, "seek") || Is(first, "get")));
  const uint64_t bytes = std::accumulate(
      role.statistics.begin(), role.statistics.end(), uint64_t{0},
      [](uint64_t sum, const OperationStatistics& stats) { return sum + stats.bytes; });
  if (tells_none || bytes == 0) return std::nullopt;
  return static_cast<double>(bytes) / kMegabyte / role.seconds;
}

std::string DbBenchMachine(const Result& result, std::string_view engine,
                           std::string_view version) {
  const Dialect& dialect = SpokenIn(result);
  const std::string label =
      engine.starts_with(dialect.name) ? std::string(dialect.label) : Printable(engine);
  return fmt::format("{:11} version {}\n{:11} {}\n{:11} {}\n{:11} {}\n", label + ":",
                     Printable(version), "Date:", Printable(CalendarText(result.started)),
                     "CPU:", Printable(result.cpu), "CPUCache:", Printable(result.cpu_cache));
}

namespace {

// The durability class of the run, and what makes it the original's.
std::string DurabilityLine(const Result& result, const std::string& engine) {
  const std::string name = SettingOf(result, "durability");
  if (name.empty()) return "";
  const Dialect& dialect = SpokenIn(result);
  const bool is_its_own = EngineName(engine) == dialect.name && name == dialect.durability;
  return fmt::format(
      "Durability: {}{}\n", Printable(name),
      is_its_own ? fmt::format(" ({}'s own: {})", dialect.program, dialect.durability_by) : "");
}

}  // namespace

std::string DbBenchHeader(const Result& result, const std::string& engine,
                          const std::string& warning, const EngineSettings& settings) {
  const double num = Number(result, "num");
  const double key_bytes = KeyBytes(result);
  const double value_bytes = MeanValueBytes(result);
  const double compressed_bytes = value_bytes * Number(result, "compression_ratio");
  const Dialect& dialect = SpokenIn(result);
  const bool is_rocksdb = dialect.lines == Lines::kRocksDb;
  std::string text = fmt::format("Keys:       {:.0f} bytes each{}\nValues:     {:.0f} {}bytes each",
                                 key_bytes, is_rocksdb ? " (+ 0 bytes user-defined timestamp)" : "",
                                 value_bytes, DoSizesVary(result) ? "avg " : "");
  if (dialect.compresses) {
    text += fmt::format(" ({:.0f} bytes after compression)", std::floor(compressed_bytes + 0.5));
  }
  if (DoSizesVary(result)) {
    text += fmt::format("\nValues Distribution: {} (min: {:.0f}, max: {:.0f})",
                        Printable(SettingOf(result, "value_size_distribution_type")),
                        Number(result, "value_size_min"), Number(result, "value_size_max"));
  }
  text += fmt::format("\nEntries:    {:.0f}\n", num);
  if (is_rocksdb) text += fmt::format("Prefix:    {:.0f} bytes\n", Number(result, "key_prefix"));
  text += fmt::format("RawSize:    {:.1f} MB (estimated)\n",
                      (key_bytes + value_bytes) * num / kMegabyte);
  if (dialect.compresses) {
    text += fmt::format("FileSize:   {:.1f} MB (estimated)\n",
                        (key_bytes + compressed_bytes) * num / kMegabyte);
  }
  if (is_rocksdb) text += RocksDbHeaderLines(result, settings, key_bytes + value_bytes);
  text += DurabilityLine(result, engine);
  text +=
      SettingOf(result, "compat") == "exact"
          ? fmt::format("Measuring:  exact: {}'s own keys, values and counts\n", dialect.program)
          : fmt::format("Measuring:  levelfield: each key once, values checked{}\n",
                        is_rocksdb ? "" : " (--compat=exact: as the original)");
  if (!warning.empty()) text += fmt::format("WARNING: {}\n", Printable(warning));
  return text + fmt::format("{:-<48}\n", "");
}

namespace {

// RocksDB's program names the store before each benchmark that does something, and its advisor
// reads that.
std::string StorePathLine(const Result& result, const SharedList<PhaseResult>& phases,
                          size_t ended) {
  const std::string path = SettingOf(result, "db");
  const PhaseResult& phase = phases[ended - 1];
  const bool is_warmed_up =
      !phase.repetition.warm_up && ended > 1 && phases[ended - 2].repetition.warm_up;
  const bool is_told = SpokenIn(result).lines == Lines::kRocksDb && !path.empty() &&
                       !phase.roles.empty() && phase.repetition.number <= 1 && !is_warmed_up;
  return is_told ? fmt::format("DB path: [{}]\n", Printable(path)) : "";
}

}  // namespace

std::string DbBenchLines(const Result& result, const SharedList<PhaseResult>& phases,
                         size_t ended) {
  const PhaseResult& phase = phases[ended - 1];
  if (phase.implicit) return "";
  return StorePathLine(result, phases, ended) + RepeatHeading(phase) + PhaseLines(result, phase) +
         RepeatSummary(SpokenIn(result).lines, phases, ended,
                       SettingOf(result, "confidence_interval_only") == "1");
}

std::string RenderDbBench(const Result& result) {
  size_t phases = 0;
  std::string text = BannerText(result);
  // Many histograms make a long text, and a growing string needs twice the memory while it moves.
  // Reserved memory costs nothing until it is written to.
  constexpr size_t kMostOfUsual = 2048;
  for (const RunResult& run : result.runs) phases += run.phases.size();
  text.reserve(phases * kMostOfUsual);
  for (const RunResult& run : result.runs) {
    text += DbBenchMachine(result, run.engine, run.version) +
            DbBenchHeader(result, run.engine, run.warning, run.settings);
    for (size_t ended = 1; ended <= run.phases.size(); ++ended) {
      text += DbBenchLines(result, run.phases, ended);
    }
  }
  return text;
}

StatusOr<std::string> DbBenchLinesOf(const Result& result, const std::string&, const Settings&) {
  return RenderDbBench(result);
}

}  // namespace levelfield
