#include "report/durability_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/markdown.h"
#include "report/model.h"
#include "report/terminal.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr std::string_view kHeads[] = {"engine",  "class",  "claims",   "fault",
                                       "states",  "acked",  "lost",     "worst",
                                       "in time", "broken", "recovery", "at most"};
constexpr int kClaims = 2;  // The page shows these in another table.

std::string FaultText(const CrashCell& cell) {
  if (cell.fault == CrashFault::kKill) return "kill -9";
  return fmt::format("power, {}, {}{}", NameOf(cell.cut_method), cell.file_system,
                     cell.eats_flushes ? ", flushes eaten" : "");
}

std::string Seconds(double seconds) { return Latency(Whole(seconds * 1e9)); }

Cells CellsOf(const CrashRow& row) {
  const bool has_opened = row.most_open_seconds > 0;
  return {Printable(row.cell.engine),
          Printable(row.cell.durability),
          std::string(NameOf(row.cell.claimed)),
          Printable(FaultText(row.cell)),
          Grouped(row.states),
          Grouped(row.acked),
          Grouped(row.lost),
          row.lost != 0 ? Grouped(row.worst_lost) : "-",
          row.lost != 0 ? Seconds(row.worst_lost_seconds) : "-",
          Grouped(row.broken),
          has_opened ? Seconds(row.median_open_seconds) : "-",
          has_opened ? Seconds(row.most_open_seconds) : "-"};
}

std::string CrashCounts(const std::vector<CrashRow>& rows) {
  uint64_t states = 0;
  uint64_t skipped = 0;
  for (const CrashRow& row : rows) {
    states += row.states;
    skipped += row.skipped;
  }
  const auto deviating = std::ranges::count_if(
      rows, [](const CrashRow& row) { return !KeepsPromise(row) && !DeviatesAsDeclared(row); });
  std::string text = fmt::format(
      "{} states tried, {} skipped; {} rows, of which {} deviate from what the "
      "plug-in claims",
      Grouped(states), Grouped(skipped), rows.size(), deviating);
  for (const CrashRow& row : rows) {
    if (!DeviatesAsDeclared(row)) continue;
    text += fmt::format("; {} {} deviates as declared ({})", Printable(row.cell.engine),
                        Printable(row.cell.durability), Printable(row.cell.deviation));
  }
  return text;
}

std::string TextAt(const Json& json, const char* name) {
  const auto it = json.find(name);
  return it != json.end() && it->is_string() ? Printable(it->get<std::string>()) : "unknown";
}

// Empty if there is no such list.
Json ListAt(const Json& json, const char* name) {
  const auto it = json.find(name);
  return it != json.end() && it->is_array() ? *it : Json::array();
}

// "leveldb 1.23", each once.
Cells EnginesOf(const std::vector<Json>& manifests) {
  Cells engines;
  for (const Json& manifest : manifests) {
    for (const Json& engine : ListAt(manifest, "engines")) {
      std::string version = "of unknown version";
      for (const Json& fact : ListAt(engine, "facts")) {
        if (TextAt(fact, "name") == "version") version = TextAt(fact, "value");
      }
      AddOnce(engines, TextAt(engine, "spec") + " " + version);
    }
  }
  return engines;
}

// One line for an engine's class: its plug-in's claim, and the level of its states.
class Levels {
 public:
  explicit Levels(const CrashRow& first) : cell_(first.cell) {}

  void Add(const CrashRow& row) {
    if (row.cell.engine != cell_.engine || row.cell.durability != cell_.durability) return;
    keeps_ = keeps_ && KeepsPromise(row);
    is_declared_ = is_declared_ && (KeepsPromise(row) || DeviatesAsDeclared(row));
    if (PromiseOf(row.cell) != CrashPromise::kNothing) {
      longest_open_seconds_ = std::max(longest_open_seconds_, row.most_open_seconds);
    }
    const DurabilityLevel observed = ObservedLevel(row);
    if (row.cell.fault == CrashFault::kKill) {
      kills_ += row.states;
      keeps_kills_ = keeps_kills_ && observed != DurabilityLevel::kD0;
      return;
    }
    cuts_ += row.states;
    worst_lost_ = std::max(worst_lost_, row.worst_lost);
    if (observed == DurabilityLevel::kNone) return;
    level_ = level_ == DurabilityLevel::kNone ? observed : std::min(level_, observed);
  }

  std::string Row() const {
    return PageRow({Printable(cell_.engine), Printable(cell_.durability),
                    std::string(NameOf(cell_.claimed)), AfterKills(), AfterCuts(), Verdict(),
                    longest_open_seconds_ > 0 ? Seconds(longest_open_seconds_) : "-"});
  }

 private:
  std::string AfterKills() const {
    if (kills_ == 0) return "not tried";
    return keeps_kills_ ? fmt::format("all of {} whole", kills_) : "D0: loses";
  }
  std::string AfterCuts() const {
    if (cuts_ == 0) return "not tried";
    if (level_ != DurabilityLevel::kD4) {
      return fmt::format("{} in {} cuts", NameOf(level_), cuts_) +
             (worst_lost_ == 0 ? "" : fmt::format(", up to {} commits lost", Grouped(worst_lost_)));
    }
    return fmt::format("D4: none of {} lost, so below {:.2g} % (95 %)", cuts_,
                       std::min(100.0, 300.0 / static_cast<double>(cuts_)));
  }
  std::string Verdict() const {
    if (kills_ + cuts_ == 0) return "skipped";
    return keeps_ ? "kept" : is_declared_ ? "deviates, as declared" : "**deviates**";
  }

  const CrashCell& cell_;
  uint64_t kills_ = 0;
  uint64_t cuts_ = 0;
  uint64_t worst_lost_ = 0;
  double longest_open_seconds_ = 0;  // After faults about which something is promised.
  bool keeps_kills_ = true;
  bool keeps_ = true;
  bool is_declared_ = true;  // Every broken promise is declared.
  DurabilityLevel level_ = DurabilityLevel::kNone;
};

std::string LevelsTable(const std::vector<CrashRow>& rows) {
  std::string text = PageHead({"engine", "class", "claims", "after kill -9", "after power cuts",
                               "verdict", "longest recovery"});
  std::set<std::string> done;
  for (const CrashRow& first : rows) {
    if (!done.insert(first.cell.engine + " " + first.cell.durability).second) continue;
    Levels levels(first);
    for (const CrashRow& row : rows) levels.Add(row);
    text += levels.Row();
  }
  return text;
}

}  // namespace

std::string RenderDurabilityTable(const std::vector<CrashRow>& rows) {
  Table table{.title = "", .layout = Table::Layout::kList, .corner = std::string(kHeads[0])};
  for (size_t i = 1; i < std::size(kHeads); ++i) {
    table.columns.push_back({.head = std::string(kHeads[i]), .is_left = i < 4});
  }
  Report verdicts;
  for (const CrashRow& row : rows) {
    const Cells cells = CellsOf(row);
    table.rows.push_back({cells.front(), {cells.begin() + 1, cells.end()}});
    verdicts.AddLine(fmt::format("{} {}, {}: {}", Printable(row.cell.engine),
                                 Printable(row.cell.durability), Printable(FaultText(row.cell)),
                                 Printable(VerdictText(row))));
  }
  Report report;
  report.Add(std::move(table));
  report.Append(std::move(verdicts));
  report.Add(Gap{});
  report.AddLine(CrashCounts(rows));
  return WriteTerminal(report);
}

StatusOr<std::string> RenderDurabilityPage(const std::vector<Json>& manifests,
                                           const std::vector<CrashRow>& rows) {
  if (manifests.empty() || rows.empty()) {
    return Status::Usage("a page of durability needs results of `levelfield verify durability`");
  }
  std::string text =
      "# What an acknowledged write survives, by experiment\n\n"
      "For readers who must not lose a write. Made by `make durability`. A process that writes is "
      "killed by `kill -9`, or the power of its disk is cut. Then another one opens the store and "
      "reads all of it ([how, and what it cannot show](../reference/measuring.md#power-cuts))."
      "\n\n";
  const Json environment = manifests.front().value("environment", Json::object());
  text += fmt::format("{}. Engines: {}. Kernel {}, {}, levelfield {}, {}.\n\n", CrashCounts(rows),
                      fmt::join(EnginesOf(manifests), ", "), TextAt(environment, "kernel"),
                      TextAt(environment, "cpu_model"), TextAt(manifests.front(), "version"),
                      TextAt(manifests.front(), "started").substr(0, 10));
  text += "```\n";
  for (const Json& manifest : manifests) text += TextAt(manifest, "command") + "\n";
  text +=
      "```\n\n## Levels\n\n"
      "D0 may lose writes by kill -9. D1 survives it, and may break by a power cut. D2 flushes and "
      "may still break. D3 always opens and may lose a tail. D4 loses nothing.\n\n";
  text += LevelsTable(rows);
  std::set<std::string> faults;
  std::string exceptions;
  for (const CrashRow& row : rows) {
    faults.insert(FaultText(row.cell));
    const bool is_whole = row.lost == 0 && row.broken == 0 && row.skipped == 0;
    if (is_whole || PromiseOf(row.cell) == CrashPromise::kNothing) continue;
    Cells cells = CellsOf(row);
    cells.erase(cells.begin() + kClaims);
    cells.push_back(Printable(row.broken != 0 ? row.broken_how : row.skip_reason));
    exceptions += PageRow(cells);
  }
  text += fmt::format(
      "\n## Each kind of fault\n\n"
      "Tried: {}. `shutdown` is a disk without a cache. On a `volatile` one each unflushed sector "
      "survives by chance (0, 30, 70 or 100 %). Where a class promises something after a fault, "
      "all states were whole{}\n",
      Printable(fmt::format("{}", fmt::join(faults, "; "))),
      exceptions.empty() ? "." : ", except:");
  if (exceptions.empty()) return text;
  Cells heads(std::begin(kHeads), std::end(kHeads));
  heads.erase(heads.begin() + kClaims);
  heads.emplace_back("what was broken or skipped");
  text += "\n" + PageHead(heads) + exceptions;
  text +=
      "\n`lost` counts acknowledged commits in all states, `worst` those of one state, `in time` "
      "the "
      "time from the first of them to the fault. `broken` states are not the first so many commits "
      "of each thread. `recovery` is the median time of opening, `at most` the longest.\n";
  return text;
}

}  // namespace levelfield
