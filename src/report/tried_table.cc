#include "report/tried_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/best_settings.h"
#include "base/quote.h"
#include "base/text.h"
#include "settings/settings.h"

namespace levelfield {

void AddTried(const Result& result, Report& report) {
  if (result.tried.empty()) return;
  Table table{.title = "tried for --settings=best, ops/s of a pilot",
              .columns = {{.head = "", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "engine and settings"};
  std::vector<std::string> workloads;
  for (const TriedSetting& tried : result.tried) {
    for (const auto& [workload, rate] : tried.rates) AddOnce(workloads, workload);
  }
  for (const std::string& workload : workloads) {
    table.columns.push_back({.head = Printable(workload)});
  }
  for (const TriedSetting& tried : result.tried) {
    Row row{Printable(fmt::format("{}.{}", tried.engine, tried.name)),
            {tried.chosen ? "chosen" : ""}};
    for (const std::string& workload : workloads) {
      const std::optional<double> rate = RateIn(tried, workload);
      row.cells.push_back(rate ? RateCell(*rate) : Cell("n/a"));
    }
    table.rows.push_back(std::move(row));
    if (tried.name == kEqual) continue;
    table.below.push_back(Printable(fmt::format("{}.{}: {}: {} {}", tried.engine, tried.name,
                                                tried.settings, tried.because, tried.link)));
  }
  report.Add(std::move(table));
}

std::string TriedWords(const Result& result) {
  std::vector<std::string> alternatives;
  std::vector<std::string> as_equal;
  for (const TriedSetting& tried : result.tried) {
    if (!tried.chosen) continue;
    tried.name == kEqual ? as_equal.push_back(Printable(tried.engine))
                         : alternatives.push_back(Printable(tried.engine + "." + tried.name));
  }
  if (result.tried.empty()) return "";
  return fmt::format("settings=best: {}{}{}{}", fmt::join(alternatives, ", "),
                     alternatives.empty() || as_equal.empty() ? "" : "; ",
                     fmt::join(as_equal, ", "), as_equal.empty() ? "" : " as equal");
}

}  // namespace levelfield
