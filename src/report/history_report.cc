#include "report/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/quote.h"
#include "report/number.h"

namespace levelfield {
namespace {

std::string TitleOf(const History& history) {
  std::string title = fmt::format("{}, {}", history.key.workload, history.key.engine);
  for (const auto& [name, value] : history.key.settings) {
    title += fmt::format(" --{}={}", name, value);
  }
  return Printable(title);
}

// The conditions that tell it from the others of its machine, workload and engine.
std::vector<std::string> ConditionsOf(const History& history, const std::vector<History>& all) {
  std::set<std::string> different;
  for (const History& other : all) {
    const bool is_beside = other.key.fingerprint == history.key.fingerprint &&
                           other.key.workload == history.key.workload &&
                           other.key.engine == history.key.engine &&
                           other.key.settings == history.key.settings;
    if (!is_beside) continue;
    for (const auto& [name, value] : other.key.conditions) {
      const auto here = history.key.conditions.find(name);
      if (here == history.key.conditions.end() || here->second != value) different.insert(name);
    }
    for (const auto& [name, value] : history.key.conditions) {
      if (!other.key.conditions.contains(name)) different.insert(name);
    }
  }
  std::vector<std::string> conditions;
  for (const std::string& name : different) {
    const auto here = history.key.conditions.find(name);
    const std::string value = here == history.key.conditions.end() ? "" : here->second;
    conditions.push_back(Printable(fmt::format("{}: {}", name, value.empty() ? "none" : value)));
  }
  return conditions;
}

// What else is new at a change: often enough the reason.
std::string WhatIsNew(const HistoryPoint& before, const HistoryPoint& after) {
  std::string is_new;
  if (before.version != after.version) {
    is_new +=
        fmt::format("; version {} -> {}", Printable(before.version), Printable(after.version));
  }
  if (before.git != after.git) {
    is_new += fmt::format("; levelfield {} -> {}", Printable(before.git), Printable(after.git));
  }
  return is_new.empty() ? "; same version, same levelfield" : is_new;
}

std::string PText(double p) { return p < 1e-6 ? "p < 0.000001" : fmt::format("p = {:.6f}", p); }

Row RowOf(const HistoryPoint& point) {
  Row row{Printable(point.started), {Printable(point.version), Printable(point.git)}};
  if (!point.failure.empty()) {
    row.remark = "no rate: " + Printable(point.failure);
    return row;
  }
  Cell interval;
  if (point.interval) {
    interval = {fmt::format("{} .. {}", Rate(point.interval->low), Rate(point.interval->high)),
                Unit::kPerSecond, Cell::kNone};
    interval.interval = *point.interval;
  }
  row.cells.insert(row.cells.end(), {RateCell(point.median), interval, CountCell(point.rounds)});
  row.remark = Printable(point.cut_off);
  return row;
}

Table TableOf(const History& history, const std::vector<History>& all) {
  Table table{.title = TitleOf(history),
              .columns = {{.head = "version", .is_left = true},
                          {.head = "levelfield", .is_left = true},
                          {.head = "ops/s", .width = 8},
                          {.head = "95 % interval", .is_left = true, .width = 20},
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
      row.remark =
          fmt::format("{:+.1f} % from here on ({}){}", 100 * change->size, PText(change->p),
                      before == nullptr ? "" : WhatIsNew(*before, point));
      table.rows.push_back(std::move(row));
      ++change;
    }
    table.rows.push_back(RowOf(point));
    if (point.failure.empty()) before = &point;
  }
  return table;
}

}  // namespace

Report HistoryReport(const std::vector<History>& histories, const ChangePointRules& rules) {
  Report report;
  const History* before = nullptr;
  bool is_short = false;
  for (const History& history : histories) {
    if (before == nullptr || history.key.fingerprint != before->key.fingerprint) {
      report.Add(Heading{fmt::format("machine {}: {}", Printable(history.key.fingerprint),
                                     Printable(history.machine))});
    }
    before = &history;
    report.Add(TableOf(history, histories));
    is_short = is_short || history.points.size() < kLeastOfALevel + kLeastOfTheNewestLevel;
  }
  report.AddLine(fmt::format(
      "ops/s, medians of the rounds. One table is of one machine, the same settings, workloads, "
      "disk and\nlimits. A change is of {:.1f} % at least and lasts for {} results with p <= {} "
      "(t-test where\nE-divisive splits); the newest one for {} with p <= {}.",
      100 * rules.least_size, kLeastOfALevel, rules.most_lasting_p, kLeastOfTheNewestLevel,
      rules.most_p));
  if (is_short) {
    report.AddLine(fmt::format("No change can be told from fewer than {} results.",
                               kLeastOfALevel + kLeastOfTheNewestLevel));
  }
  return report;
}

}  // namespace levelfield
