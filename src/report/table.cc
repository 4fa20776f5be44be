#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/quote.h"
#include "report/number.h"
#include "report/over_time.h"
#include "result/result_json.h"
#include "result/series.h"
#include "result/statistics.h"

namespace levelfield {
namespace {

// Breaks a paragraph into lines of at most `columns`, at spaces alone; the second and further ones
// are indented.
std::string Wrapped(const std::string& text, size_t columns, size_t indent) {
  std::string result;
  size_t column = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin + 1), text.size());  // With its space.
    if (column != 0 && column + (end - begin) > columns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      ++begin;
    }
    result += text.substr(begin, end - begin);
    column += end - begin;
    begin = end;
  }
  return result + "\n";
}

// A cell of a table: what it shows, and a mark that a note explains.
struct Row {
  std::string title;
  std::vector<std::string> cells;  // One for each run.
};

struct Table {
  std::string title;
  std::vector<Row> rows;
};

std::string Setting(const Result& result, std::string_view name) {
  for (const auto& [key, value] : result.settings) {
    if (key == name) return value;
  }
  return "";
}

class Tables {
 public:
  // `result` has one run for each of the series: all of its rounds put together.
  Tables(const Result& result, const std::vector<Series>& series, size_t columns)
      : result_(result), series_(series), columns_(columns) {}

  std::string Render() {
    std::string text = Header();
    for (const std::string& family : Families()) text += Draw(MakeTable(family));
    return text + Texts() + Notes();
  }

 private:
  // What is said of keys that are not plain decimal digits.
  std::string KeyFormatWord() const {
    const std::string format = Setting(result_, "key_format");
    return format.empty() || format == "decimal" ? "" : format + " ";
  }
  std::string KeyPrefixWords() const {
    const std::string prefix = Setting(result_, "key_prefix");
    return prefix.empty() || prefix == "0" ? "" : " behind " + prefix + " of a prefix";
  }

  std::string Header() const {
    return fmt::format("{}  {}\n", Printable(result_.name), Printable(result_.started)) +
           Wrapped(
               fmt::format(
                   "{} {}keys of {} bytes{}, values of {} bytes, {} thread{}; durability: "
                   "{}; compression: {}; seed {}",
                   Printable(GroupedText(Setting(result_, "num"))), Printable(KeyFormatWord()),
                   Printable(Setting(result_, "key_size")), Printable(KeyPrefixWords()),
                   Printable(ValueSizeWords()), Printable(Setting(result_, "threads")),
                   Setting(result_, "threads") == "1" ? "" : "s",
                   Printable(Setting(result_, "durability")),
                   Printable(Setting(result_, "compression")), Printable(Setting(result_, "seed"))),
               columns_, 0) +
           Wrapped(fmt::format("closed loop; {}; {}", RoundsText(), MemoryWords()), columns_, 0);
  }

  size_t Rounds() const {
    size_t rounds = 0;
    for (const Series& series : series_) rounds = std::max(rounds, series.rounds.size());
    return rounds;
  }

  std::string RoundsText() const {
    const size_t rounds = Rounds();
    if (rounds <= 1) return "one run of each engine: indicative, ranks nothing";
    if (rounds < kLeastRepetitions) {
      return fmt::format(
          "{} runs of each engine in turns: medians; fewer than {} are indicative and rank nothing",
          rounds, kLeastRepetitions);
    }
    return fmt::format(
        "{} runs of each engine in turns: medians, with the interval that holds the median with "
        "95 %; latencies are those of all runs together",
        rounds);
  }

  std::string MemoryWords() const {
    const std::string memory = Setting(result_, "memory");
    if (memory.empty() || memory == "0") {
      return "memory uncapped (the page cache is everybody's)";
    }
    const bool is_bytes =
        memory.size() <= 18 && memory.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format("memory {} for each engine, its page cache included",
                       is_bytes ? BytesAsTyped(std::stoull(memory)) : Printable(memory));
  }

  // 256M, as it is typed; a size that is no whole number of units in bytes.
  static std::string BytesAsTyped(uint64_t bytes) {
    constexpr std::pair<int, char> kUnits[] = {{40, 'T'}, {30, 'G'}, {20, 'M'}, {10, 'k'}};
    for (const auto& [shift, unit] : kUnits) {
      if (bytes % (uint64_t{1} << shift) == 0) return fmt::format("{}{}", bytes >> shift, unit);
    }
    return std::to_string(bytes);
  }

  std::string ValueSizeWords() const {
    const std::string type = Setting(result_, "value_size_distribution_type");
    if (type.empty() || type == "fixed") return Setting(result_, "value_size");
    return fmt::format("{} to {} ({})", Setting(result_, "value_size_min"),
                       Setting(result_, "value_size_max"), type);
  }

  static std::string GroupedText(const std::string& digits) {
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      return digits;
    }
    return Grouped(std::stoull(digits));
  }

  // In the order in which they first ran.
  std::vector<std::string> Families() const {
    std::vector<std::string> families;
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (!phase.implicit && std::ranges::find(families, phase.family) == families.end()) {
          families.push_back(phase.family);
        }
      }
    }
    return families;
  }

  // The n-th phase of the plan is the n-th phase of every run.
  const PhaseResult* PhaseOf(const RunResult& run, size_t index) const {
    return index < run.phases.size() ? &run.phases[index] : nullptr;
  }

  Table MakeTable(const std::string& family) {
    Table table{.title = family, .rows = {}};
    size_t most_phases = 0;
    for (const RunResult& run : result_.runs)
      most_phases = std::max(most_phases, run.phases.size());
    for (size_t i = 0; i < most_phases; ++i) {
      const PhaseResult* named = nullptr;
      for (const RunResult& run : result_.runs) {
        if (named == nullptr) named = PhaseOf(run, i);
      }
      if (named == nullptr || named->family != family || named->implicit) continue;
      AddRows(*named, i, table);
    }
    AddDurability(family, table);
    return table;
  }

  void AddRows(const PhaseResult& named, size_t index, Table& table) {
    std::vector<Row> rows;
    rows.push_back({.title = Printable(named.workload), .cells = {}});
    const bool has_batch = !named.roles.empty() && named.roles[0].batch > 1;
    for (const char* const title : {"p50", "p99", "p99.9", "max"}) {
      rows.push_back(
          {.title = fmt::format("  {}{}", title, has_batch ? " a batch" : ""), .cells = {}});
    }
    // What else there is to say of it: further roles and operations, what was found.
    std::map<std::string, std::vector<std::string>> others;
    for (size_t run = 0; run < result_.runs.size(); ++run) {
      const PhaseResult* const phase = PhaseOf(result_.runs[run], index);
      const std::vector<double> rates = Present(series_[run].Rates(index));
      rows[0].cells.push_back(RateCell(result_.runs[run], phase, rates));
      if (phase != nullptr && phase->outcome == Outcome::kOk && rates.size() > 1) {
        const auto interval = MedianInterval(rates);
        const auto [least, greatest] = std::ranges::minmax(rates);
        Cell(others, interval ? "  95 % interval" : "  least .. greatest", run) =
            interval ? fmt::format("{} .. {}", Rate(interval->low), Rate(interval->high))
                     : fmt::format("{} .. {}", Rate(least), Rate(greatest));
      }
      const bool counts = phase != nullptr && phase->outcome == Outcome::kOk &&
                          !phase->roles.empty() && !phase->roles[0].lanes.empty();
      const Histogram* const latency = counts && phase->roles[0].lanes[0].latency_ns
                                           ? &*phase->roles[0].lanes[0].latency_ns
                                           : nullptr;
      rows[1].cells.push_back(PercentileCell(latency, 0.5));
      rows[2].cells.push_back(PercentileCell(latency, 0.99));
      rows[3].cells.push_back(PercentileCell(latency, 0.999));
      rows[4].cells.push_back(latency != nullptr && latency->Count() != 0 ? Latency(latency->Max())
                                                                          : "");
      if (!counts) continue;
      AddOtherRoles(*phase, run, others);
      AddFound(*phase, run, others);
      AddMachine(*phase, run, others);
      AddOverTime(index, run, others);
    }
    table.rows.push_back(rows[0]);
    for (auto& [title, cells] : others) {
      cells.resize(result_.runs.size());
      table.rows.push_back({.title = title, .cells = std::move(cells)});
    }
    for (size_t i = 1; i < rows.size(); ++i) {
      const bool says_something = std::ranges::any_of(
          rows[i].cells, [](const std::string& cell) { return !cell.empty() && cell != "n/a"; });
      if (says_something) table.rows.push_back(std::move(rows[i]));
    }
  }

  // A background role's rate, and the operations of a mix.
  void AddOtherRoles(const PhaseResult& phase, size_t run,
                     std::map<std::string, std::vector<std::string>>& others) const {
    for (size_t i = 1; i < phase.roles.size(); ++i) {
      const RoleResult& role = phase.roles[i];
      const std::string wanted = role.rate != 0 ? fmt::format(" of {}", Grouped(role.rate)) : "";
      Cell(others, fmt::format("  [{}]{}", Printable(role.name), wanted), run) =
          Rate(role.OperationsPerSecond());
    }
    const RoleResult& role = phase.roles[0];
    if (role.rate != 0) Cell(others, "  rate asked for", run) = Grouped(role.rate);
    if (role.lanes.size() < 2 || role.seconds <= 0) return;
    for (const LaneResult& lane : role.lanes) {
      Cell(others, "  of it " + Printable(lane.operation), run) =
          Rate(static_cast<double>(lane.operations) / role.seconds);
    }
  }

  // How many of the keys that were asked for were there.
  void AddFound(const PhaseResult& phase, size_t run,
                std::map<std::string, std::vector<std::string>>& others) const {
    const LaneResult& lane = phase.roles[0].lanes[0];
    const bool asks = lane.operation == "get" || lane.operation == "seek";
    if (!asks || lane.operations == 0 || phase.checked.starts_with("none")) return;
    Cell(others, "  found", run) =
        lane.misses == 0 ? "all"
        : lane.hits == 0 ? "none"
                         : fmt::format("{} of {}", Grouped(lane.hits), Grouped(lane.operations));
  }

  // The bandwidth of what measures the machine (no store was opened for it, so no level is
  // claimed), and its note.
  void AddMachine(const PhaseResult& phase, size_t run,
                  std::map<std::string, std::vector<std::string>>& others) const {
    const RoleResult& role = phase.roles[0];
    const auto bytes = static_cast<double>(role.lanes[0].bytes);
    if (phase.level.empty() && bytes > 0 && role.seconds > 0) {
      Cell(others, "  MiB/s", run) = fmt::format("{:.1f}", bytes / role.seconds / (1 << 20));
    }
    if (!phase.note.empty()) Cell(others, "  note", run) = Printable(phase.note);
  }

  void AddOverTime(size_t index, size_t run,
                   std::map<std::string, std::vector<std::string>>& others) {
    std::vector<const PhaseResult*> rounds;
    for (const RunResult* round : series_[run].rounds) {
      if (const PhaseResult* const phase = PhaseOf(*round, index)) rounds.push_back(phase);
    }
    for (const OverTimeCell& told : OverTime(rounds)) {
      const std::string mark =
          told.note.empty()
              ? ""
              : Mark(fmt::format("{}, {}", Printable(result_.runs[run].engine), told.note));
      Cell(others, "  " + told.title, run) = told.cell + mark;
    }
  }

  std::string& Cell(std::map<std::string, std::vector<std::string>>& rows, const std::string& title,
                    size_t run) const {
    std::vector<std::string>& cells = rows[title];
    cells.resize(result_.runs.size());
    return cells[run];
  }

  std::string RateCell(const RunResult& run, const PhaseResult* phase,
                       const std::vector<double>& rates) {
    if (phase == nullptr) return "-";
    if (phase->outcome == Outcome::kOk && !phase->text.empty()) return "below";
    if (phase->outcome == Outcome::kOk) {
      return phase->roles.empty() ? "" : Rate(rates.empty() ? 0 : Median(rates));
    }
    // What befell the whole run is one note for all its rows.
    const bool is_of_run = phase->outcome == Outcome::kNotRun || phase->message == run.message;
    const std::string mark =
        phase->message.empty()
            ? ""
            : Mark(fmt::format("{}{}: {}", Printable(run.engine),
                               is_of_run ? "" : ", " + Printable(phase->workload),
                               Printable(phase->message)));
    if (phase->outcome == Outcome::kWrong) return "WRONG" + mark;
    return fmt::format("{}{}", OutcomeName(phase->outcome), mark);
  }

  static std::string PercentileCell(const Histogram* latency, double p) {
    if (latency == nullptr) return "";
    const std::optional<uint64_t> value = latency->Percentile(p);
    return value ? Latency(*value) : "n/a";
  }

  // The level that each engine claims; a table holds one class.
  void AddDurability(const std::string& family, Table& table) const {
    Row durability{.title = "durability", .cells = {}};
    Row checked{.title = "answers", .cells = {}};
    bool uses_store = false;
    bool uses_no_store = false;
    for (const RunResult& run : result_.runs) {
      std::string level;
      size_t phases = 0;
      size_t right = 0;
      bool is_wrong = false;
      for (const PhaseResult& phase : run.phases) {
        if (phase.family != family || phase.implicit) continue;
        if (level.empty()) level = Printable(phase.level);
        if (phase.outcome != Outcome::kOk && phase.outcome != Outcome::kWrong) continue;
        if (!phase.text.empty()) continue;  // Words, which nobody can check.
        ++phases;
        (phase.level.empty() ? uses_no_store : uses_store) = true;
        if (phase.outcome == Outcome::kOk && IsChecked(phase)) ++right;
        is_wrong = is_wrong || phase.outcome == Outcome::kWrong;
      }
      durability.cells.push_back(run.floor ? "floor" : level);
      checked.cells.push_back(is_wrong          ? "WRONG"
                              : phases == 0     ? ""
                              : right == phases ? "checked"
                              : right == 0      ? "unchecked"
                                                : fmt::format("{} of {}", right, phases));
    }
    const auto says_something = [](const Row& row) {
      return std::ranges::any_of(row.cells, [](const std::string& cell) { return !cell.empty(); });
    };
    if (uses_store || !uses_no_store) table.rows.push_back(std::move(durability));
    if (says_something(checked)) table.rows.push_back(std::move(checked));
  }

  // What the engines say of themselves, line by line as they say it.
  std::string Texts() const {
    std::string text;
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (phase.outcome != Outcome::kOk || phase.text.empty()) continue;
        text += fmt::format("\n{}, {}:\n", Printable(run.engine), Printable(phase.workload));
        for (size_t begin = 0; begin < phase.text.size();) {
          const size_t end = std::min(phase.text.find('\n', begin), phase.text.size());
          std::string line = Printable(phase.text.substr(begin, end - begin));
          line.erase(line.find_last_not_of(' ') + 1);
          text += line + "\n";
          begin = end + 1;
        }
      }
    }
    return text;
  }

  std::string Mark(const std::string& note) {
    const auto it = std::ranges::find(marks_, note);
    const auto number = it - marks_.begin() + 1;
    if (it == marks_.end()) marks_.push_back(note);
    return fmt::format("[{}]", number);
  }

  std::string Draw(const Table& table) const {
    const std::string title = Printable(table.title) + ", ops/s";
    size_t title_width = title.size();
    for (const Row& row : table.rows) title_width = std::max(title_width, row.title.size());
    std::vector<size_t> widths;
    for (size_t run = 0; run < result_.runs.size(); ++run) {
      size_t width = ColumnTitle(result_.runs[run]).size();
      for (const Row& row : table.rows) width = std::max(width, row.cells[run].size());
      widths.push_back(width);
    }
    std::string text;
    for (size_t begin = 0; begin < widths.size();) {
      size_t end = begin;
      size_t width = title_width;
      while (end < widths.size() && (end == begin || width + widths[end] + 2 <= columns_)) {
        width += widths[end++] + 2;
      }
      std::string head = fmt::format("{:{}}", begin == 0 ? title : "", title_width);
      for (size_t run = begin; run < end; ++run) {
        head += fmt::format("  {:>{}}", ColumnTitle(result_.runs[run]), widths[run]);
      }
      head.erase(head.find_last_not_of(' ') + 1);
      text += "\n" + head;
      text += "\n" + std::string(width, '-') + "\n";
      for (const Row& row : table.rows) {
        std::string line = fmt::format("{:{}}", row.title, title_width);
        for (size_t run = begin; run < end; ++run) {
          line += fmt::format("  {:>{}}", row.cells[run], widths[run]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
      }
      begin = end;
    }
    return text;
  }

  // A long one (a path) without its middle.
  static std::string ColumnTitle(const RunResult& run) {
    const std::string name = Printable(run.engine);
    if (name.size() <= 32) return name;
    return Printable(name.substr(0, 9) + "..." + name.substr(name.size() - 20));
  }

  std::string Notes() const {
    std::string text = "\n";
    const auto add = [&](const std::string& paragraph, size_t indent) {
      text += Wrapped(paragraph, columns_, indent);
    };
    for (size_t i = 0; i < marks_.size(); ++i) add(fmt::format("[{}] {}", i + 1, marks_[i]), 4);
    for (const RunResult& run : result_.runs) {
      const bool is_shown =
          run.message.empty() ||
          std::ranges::find(run.phases, run.message, &PhaseResult::message) != run.phases.end();
      if (!is_shown) {  // It ended between two phases, or after the last.
        add(fmt::format("{}: {}", Printable(run.engine), Printable(run.message)), 4);
      }
    }
    if (text.size() > 1) text += "\n";
    add("ops/s of the first role, over the time from its first thread's start to its last one's "
        "end; latencies are service times; n/a: fewer than ten operations lie beyond that "
        "percentile.",
        0);
    if (std::ranges::any_of(result_.runs, &RunResult::floor)) {
      add("A floor is no store: `null` does nothing, which leaves the price of the harness itself; "
          "`memory` is the least that an ordered map costs. Neither keeps anything.",
          0);
    }
    for (const RunResult& run : result_.runs) {
      if (run.library_path.empty()) continue;  // It never came to be loaded.
      const bool names_version = run.floor || run.engine.ends_with(run.version);
      add(fmt::format("{}{}: {}{}", Printable(run.engine),
                      names_version ? "" : " " + Printable(run.version),
                      Printable(run.library_path),
                      run.library_sha256.empty()
                          ? ""
                          : " (sha256 " + Printable(run.library_sha256.substr(0, 16)) + ")"),
          4);
      if (!run.warning.empty()) add("    WARNING: " + Printable(run.warning), 8);
      if (run.floor) continue;
      for (const std::string& note : run.notes) add("    " + Printable(note), 8);
    }
    for (const std::string& warning : result_.warnings) add("warning: " + Printable(warning), 4);
    return text;
  }

  const Result& result_;
  const std::vector<Series>& series_;
  size_t columns_;
  std::vector<std::string> marks_;
};

}  // namespace

std::string RenderTables(const Result& result, size_t columns) {
  const std::vector<Series> series = SeriesOf(result);
  Result sums = result;
  sums.runs.clear();
  for (const Series& of_engine : series) sums.runs.push_back(of_engine.sum);
  return Tables(sums, series, columns).Render();
}

}  // namespace levelfield
