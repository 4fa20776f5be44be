#include "report/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>
#include <set>
#include <tuple>

#include "analysis/equal_stores.h"
#include "analysis/series.h"
#include "analysis/yardstick.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/level_change_report.h"
#include "report/line_chart.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

// A workload's file without the parts for people: comments, summary, blank lines.
std::string WhatItDoes(const Result& result, const std::string& workload) {
  std::string does;
  for (const auto& [name, text] : result.workload_texts) {
    if (name != workload) continue;
    for (const std::string& line : LinesOf(text)) {
      if (line.empty() || line.starts_with("#") || line.starts_with("summary")) continue;
      does += line + "\n";
    }
  }
  return does;
}

// Names a text by a few digits, within one build of the program.
std::string HashOf(const std::string& text) {
  return fmt::format("{:016x}", std::hash<std::string>()(text));
}

std::map<std::string, std::string> SettingsThatMatter(
    const Result& result, const std::map<std::string, std::string>& defaults) {
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : result.settings) {
    const auto usual = defaults.find(name);
    if (usual != defaults.end() && usual->second == value) continue;
    // Workloads are identified by the ones that ran before.
    if (Matters(name) && name != "benchmarks") settings[name] = value;
  }
  return settings;
}

// The engines that ran beside it.
std::string OthersOf(const Series& series, const std::vector<Series>& all) {
  std::vector<std::string> engines;
  for (const Series& other : all) {
    if (&other != &series) engines.push_back(other.sum.engine);
  }
  return Joined(engines);
}

// Of a store that is not whole: rates over stores that differ make no history. Empty: nothing.
std::string WhatIsMissing(const std::optional<Held>& held) {
  const bool is_whole = !held || AreEqual(*held, {.entries = held->of, .of = held->of});
  return is_whole ? "" : fmt::format("held {} of {} entries", held->entries, held->of);
}

// Nothing if it says nothing about the engine's speed.
std::optional<HistoryPoint> PointOf(const Result& result, const Series& series, size_t phase) {
  const PhaseResult& sum = series.sum.phases[phase];
  HistoryPoint point{.started = result.started,
                     .started_ns = result.started_ns,
                     .version = series.sum.version,
                     .git = result.git,
                     .library_sha256 = series.sum.library_sha256,
                     .name = result.name};
  point.cut_off = CutOffWords(result);
  point.is_disturbed = IsDisturbed(series, phase);
  if (sum.outcome == Outcome::kOk) {
    const std::vector<double> rates = Present(series.Rates(phase));
    if (rates.empty()) return std::nullopt;
    point.rounds = rates.size();
    point.rate = GeometricMean(rates);
    point.interval = GeometricMeanInterval(rates);
    return point;
  }
  if (sum.outcome != Outcome::kWrong && sum.outcome != Outcome::kFailed &&
      sum.outcome != Outcome::kInvalid) {
    return std::nullopt;
  }
  point.failure = sum.message.empty() ? "did not run to its end" : sum.message;
  return point;
}

// Whether a phase took turns with the yardstick.
bool IsBesideYardstick(const Series* yardstick, size_t phase) {
  return yardstick != nullptr && phase < yardstick->sum.phases.size() &&
         yardstick->sum.phases[phase].slices.has_value();
}

void CompareWithYardstick(const Series& yardstick, const Series& series, size_t phase,
                          HistoryPoint& point) {
  const std::vector<double> multiples = LogRatiosInSlices(yardstick, phase, series, phase);
  if (multiples.empty()) {
    point.failure = "no round in slices beside the yardstick";
  } else {
    point.multiple = CompareRounds(multiples, kLeastProcessPairs);
  }
}

// "9.10" is newer than "9.9": runs of digits compare as numbers.
std::vector<std::pair<uint64_t, std::string>> PartsOf(const std::string& version) {
  std::vector<std::pair<uint64_t, std::string>> parts;
  for (size_t i = 0; i < version.size();) {
    const size_t digits = std::min(version.find_first_not_of("0123456789", i), version.size());
    const size_t text = std::min(version.find_first_of("0123456789", digits), version.size());
    uint64_t number = 0;
    for (; i < digits; ++i) number = number * 10 + static_cast<uint64_t>(version[i] - '0');
    parts.emplace_back(number, version.substr(digits, text - digits));
    i = text;
  }
  return parts;
}

void FindChanges(const ChangePointRules& rules, History& history) {
  std::vector<double> values;
  std::vector<size_t> places;
  for (size_t i = 0; i < history.points.size(); ++i) {
    if (!history.points[i].failure.empty()) continue;
    const std::optional<RateRatio>& multiple = history.points[i].multiple;
    values.push_back(multiple ? multiple->ratio : history.points[i].rate);
    places.push_back(i);
  }
  history.changes = FindChangePoints(values, rules);
  for (ChangePoint& change : history.changes) change.index = places[change.index];
}

std::string TitleOf(const History& history) {
  std::string title = fmt::format("{}, {}", history.key.workload, history.key.engine);
  for (const auto& [name, value] : history.key.settings) {
    title += fmt::format(" --{}={}", name, value);
  }
  return Printable(title);
}

// The conditions that differ from those of other histories with its machine, workload and engine.
std::vector<std::string> ConditionsOf(const History& history, const std::vector<History>& all) {
  const auto value_in = [](const History& of, const std::string& name) {
    const auto it = of.key.conditions.find(name);
    return it == of.key.conditions.end() ? std::nullopt : std::optional(it->second);
  };
  std::set<std::string> different;
  for (const History& other : all) {
    const bool is_beside = other.key.fingerprint == history.key.fingerprint &&
                           other.key.workload == history.key.workload &&
                           other.key.engine == history.key.engine &&
                           other.key.settings == history.key.settings;
    if (!is_beside) continue;
    for (const auto* const conditions : {&history.key.conditions, &other.key.conditions}) {
      for (const auto& [name, value] : *conditions) {
        if (value_in(other, name) != value_in(history, name)) different.insert(name);
      }
    }
  }
  std::vector<std::string> conditions;
  for (const std::string& name : different) {
    const std::string value = value_in(history, name).value_or("");
    conditions.push_back(Printable(fmt::format("{}: {}", name, value.empty() ? "none" : value)));
  }
  return conditions;
}

Build BuildOf(const HistoryPoint& point) {
  return {.version = point.version, .library_sha256 = point.library_sha256, .git = point.git};
}

std::string PText(double p) { return p < 1e-6 ? "p < 0.000001" : fmt::format("p = {:.6f}", p); }

Row RowOf(const HistoryPoint& point) {
  Row row{Printable(point.started),
          {Printable(point.version), Printable(point.git), Printable(point.name)}};
  if (!point.failure.empty()) {
    row.remark = "no rate: " + Printable(point.failure);
    return row;
  }
  Cell interval;
  if (point.multiple) {
    interval = RatioCell(*point.multiple);
  } else if (point.interval) {
    interval = {fmt::format("{} .. {}", Rate(point.interval->low), Rate(point.interval->high)),
                Unit::kPerSecond, Cell::kNone};
    interval.interval = *point.interval;
  }
  Cell rate = RateCell(point.rate);
  if (point.is_disturbed) rate.text += "!";
  row.cells.insert(row.cells.end(), {std::move(rate), interval, CountCell(point.rounds)});
  row.remark = Printable(point.cut_off);
  return row;
}

std::vector<std::string> ChartOf(const History& history) {
  std::vector<size_t> marked;
  for (const ChangePoint& change : history.changes) marked.push_back(change.index);
  const LineChart chart{.label = HasYardstick(history)
                                     ? [](double value) { return fmt::format("{:.3f}", value); }
                                     : [](double value) { return Rate(value); }};
  return LinesOf(chart, ValuesOf(history), marked);
}

// The answer: what is slower of late. Nothing where there are too few results for any.
std::vector<std::string> WhatIsNow(const std::vector<History>& shown) {
  std::vector<std::string> lines;
  bool has_changes = false;
  bool has_enough = false;
  for (const History& history : shown) {
    has_enough = has_enough || history.points.size() >= kLeastOfALevel + kLeastOfTheNewestLevel;
    has_changes = has_changes || !history.changes.empty();
    if (!IsSlowerOfLate(history)) continue;
    const ChangePoint& last = history.changes.back();
    lines.push_back(fmt::format("{}: slower since {} ({:+.1f} %)", TitleOf(history),
                                Printable(history.points[last.index].started), 100 * last.size));
  }
  if (lines.empty() && has_changes) {
    lines.push_back(fmt::format(
        "Nothing is slower of late: each benchmark's last change is for the better, or more than "
        "{} results old.",
        kNewResults));
  } else if (lines.empty() && has_enough) {
    lines.emplace_back("No benchmark changed its level.");
  }
  return lines;
}

}  // namespace

std::vector<Measured> MeasuredIn(const Result& result,
                                 const std::map<std::string, std::string>& defaults) {
  std::vector<Measured> measured;
  const std::map<std::string, std::string> settings = SettingsThatMatter(result, defaults);
  const std::vector<Series> all = SeriesOf(result);
  std::map<std::string, std::set<std::string>> specs;
  for (const Series& series : all) {
    const std::string& spec = series.sum.engine;
    if (!IsYardstick(result, series.sum)) specs[EngineName(spec)].insert(spec);
  }
  const bool has_stores =
      !std::ranges::all_of(all, [](const Series& series) { return series.sum.is_baseline_engine; });
  std::set<std::string> seen;
  for (const Series& series : all) {
    const RunResult& run = series.sum;
    if (IsYardstick(result, run)) continue;
    // An engine compared with itself: the first run decides.
    if (!seen.insert(run.engine).second) continue;
    const Series* const yardstick = YardstickOf(result, all, series);
    // Versions side by side are compared. Versions one after the other are a history.
    const std::string base = EngineName(run.engine);
    const std::string engine = specs[base].size() > 1 ? run.engine : base;
    std::map<std::string, std::string> conditions(result.conditions.begin(),
                                                  result.conditions.end());
    for (const auto& [name, value] : run.settings) {
      conditions[base + "." + name] = value;
    }
    std::map<std::string, int> times;
    std::string before;
    std::string does;
    for (size_t i = 0; i < run.phases.size(); ++i) {
      const PhaseResult& phase = run.phases[i];
      const int time = ++times[phase.workload];
      conditions["after"] = before;
      before += (before.empty() ? "" : ",") + phase.workload;
      does += WhatItDoes(result, phase.workload) + "\n";
      conditions["workload files"] = HashOf(does);
      if (phase.implicit || phase.IsText()) continue;
      const bool has_yardstick = IsBesideYardstick(yardstick, i);
      conditions["durability"] = phase.durability;
      conditions["yardstick"] = has_yardstick ? BuildOf(*yardstick) : "";
      // As `noise` and --against run: who shares the machine decides the rate.
      conditions["in slices with"] = has_yardstick || !phase.slices ? "" : OthersOf(series, all);
      conditions["store"] = WhatIsMissing(HeldIn(series, i));
      std::optional<HistoryPoint> point = PointOf(result, series, i);
      if (!point) continue;
      if (has_yardstick && point->failure.empty()) {
        CompareWithYardstick(*yardstick, series, i, *point);
      }
      measured.push_back(
          {.key = {.fingerprint = result.fingerprint,
                   .engine = engine,
                   .workload =
                       time == 1 ? phase.workload : fmt::format("{} ({})", phase.workload, time),
                   .settings = settings,
                   .conditions = conditions},
           .is_beside_stores = run.is_baseline_engine && has_stores,
           .spec = run.engine,
           .machine = MachineWords(result),
           .point = *point});
    }
  }
  return measured;
}

std::vector<History> HistoriesOf(std::vector<Measured> measured, const ChangePointRules& rules) {
  std::ranges::stable_sort(measured, {}, [](const Measured& one) {
    return std::tuple(one.point.started, one.point.started_ns, PartsOf(one.point.version));
  });
  std::map<HistoryKey, History> by_key;
  for (Measured& one : measured) {
    History& history = by_key[one.key];
    history.key = one.key;
    history.machine = one.machine;
    history.points.push_back(std::move(one.point));
  }
  std::vector<History> histories;
  for (auto& [key, history] : by_key) {
    FindChanges(rules, history);
    histories.push_back(std::move(history));
  }
  std::ranges::stable_sort(histories, {}, [](const History& history) {
    return std::tie(history.key.fingerprint, history.key.workload, history.key.engine);
  });
  return histories;
}

bool IsSlowerOfLate(const History& history) {
  if (history.changes.empty()) return false;
  const ChangePoint& last = history.changes.back();
  return last.size < 0 && history.points.size() - last.index <= kNewResults;
}

bool HasYardstick(const History& history) {
  return std::ranges::any_of(history.points,
                             [](const HistoryPoint& point) { return point.multiple.has_value(); });
}

std::vector<std::optional<double>> ValuesOf(const History& history) {
  const bool has_yardstick = HasYardstick(history);
  std::vector<std::optional<double>> values;
  for (const HistoryPoint& point : history.points) {
    const bool has_value = point.failure.empty() && (!has_yardstick || point.multiple);
    values.push_back(!has_value
                         ? std::nullopt
                         : std::optional(has_yardstick ? point.multiple->ratio : point.rate));
  }
  return values;
}

Table HistoryTable(const History& history, const std::vector<History>& all) {
  const bool has_yardstick = HasYardstick(history);
  Table table{
      .title = TitleOf(history),
      .columns = {{.head = "version", .is_left = true},
                  {.head = "levelfield", .is_left = true},
                  {.head = "name", .is_left = true},
                  {.head = "ops/s", .width = 8},
                  has_yardstick ? Column{.head = "of the yardstick's", .is_left = true, .width = 24}
                                : Column{.head = "95 % interval", .is_left = true, .width = 20},
                  {.head = "rounds"},
                  {.head = "", .is_left = true}},
      .layout = Table::Layout::kList,
      .corner = "started",
      .title_width = 20,
      .above = ConditionsOf(history, all)};
  auto change = history.changes.begin();
  const HistoryPoint* before = nullptr;  // The last one with a rate.
  for (size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& point = history.points[i];
    if (change != history.changes.end() && change->index == i) {
      Row row{""};
      row.remark = fmt::format("{:+.1f} % from here on ({})", 100 * change->size, PText(change->p));
      if (before != nullptr) {
        row.remark += "; " + WhatIsNew(BuildOf(*before), BuildOf(point));
        row.changed = ChangedLevel{.share = change->size,
                                   .p = change->p,
                                   .before = Printable(before->directory),
                                   .after = Printable(point.directory)};
        table.below.push_back(fmt::format("why: levelfield diagnose {} {}",
                                          ShellWord(before->directory),
                                          ShellWord(point.directory)));
      }
      table.rows.push_back(std::move(row));
      ++change;
    }
    table.rows.push_back(RowOf(point));
    if (point.failure.empty()) before = &point;
  }
  const auto disturbed = std::ranges::count_if(history.points, [](const HistoryPoint& point) {
    return point.is_disturbed && point.failure.empty();
  });
  if (disturbed != 0) {
    table.below.push_back(fmt::format("! the machine was busy with other work in {} of {}",
                                      disturbed, Plural(history.points.size(), "result")));
  }
  return table;
}

std::vector<History> ShownOf(const std::vector<History>& all, bool has_single) {
  const auto is_history = [](const History& history) { return history.points.size() > 1; };
  if (has_single || std::ranges::none_of(all, is_history)) return all;
  std::vector<History> shown;
  std::ranges::copy_if(all, std::back_inserter(shown), is_history);
  return shown;
}

Report HistoryReport(const std::vector<History>& all, const ChangePointRules& rules,
                     bool has_single) {
  Report report;
  const std::vector<History> shown = ShownOf(all, has_single);
  if (const size_t hidden = all.size() - shown.size(); hidden != 0) {
    report.AddLine(fmt::format(
        "{} measured once {} no history yet; `--benchmarks` and `--engine` show those, too.",
        Plural(hidden, "benchmark"), hidden == 1 ? "has" : "have"));
  }
  const History* before = nullptr;
  bool is_short = false;
  for (const History& history : shown) {
    if (before == nullptr || history.key.fingerprint != before->key.fingerprint) {
      report.Add(Heading{fmt::format("machine {}: {}", Printable(history.key.fingerprint),
                                     Printable(history.machine))});
    }
    before = &history;
    Table table = HistoryTable(history, all);
    table.chart = ChartOf(history);
    report.Add(std::move(table));
    is_short = is_short || history.points.size() < kLeastOfALevel + kLeastOfTheNewestLevel;
  }
  report.AddLine(fmt::format(
      "ops/s, geometric means of the rounds. One table is of one machine, the same settings, "
      "workloads, disk and\nlimits. A change is of {:.1f} % at least and lasts for {} results with "
      "p <= {} (t-test where\nE-divisive splits); the newest one for {} with p <= {}.",
      100 * rules.least_size, kLeastOfALevel, rules.most_lasting_p, kLeastOfTheNewestLevel,
      rules.most_p));
  if (is_short) {
    report.AddLine(fmt::format("No change can be told from fewer than {} results.",
                               kLeastOfALevel + kLeastOfTheNewestLevel));
  }
  for (std::string& words : WhatIsNow(shown)) report.AddLine(std::move(words));
  return report;
}

}  // namespace levelfield
