#include "report/published/run_conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analysis/series.h"
#include "base/quote.h"
#include "report/markdown.h"
#include "report/number.h"
#include "result/run_settings.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

std::string Joined(const std::vector<std::string>& parts, std::string_view between = ", ") {
  return fmt::format("{}", fmt::join(parts, between));
}

void AddOnce(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

// How many measurements there are, and in how many the machine did something else.
struct Disturbed {
  size_t measurements = 0;
  size_t disturbed = 0;
  std::vector<std::string> worst;
};

Disturbed DisturbedIn(const std::vector<Result>& results) {
  Disturbed sum;
  for (const Result& result : results) {
    for (const RunResult& run : result.runs) {
      if (run.floor) continue;
      for (const PhaseResult& phase : run.phases) {
        if (phase.outcome != Outcome::kOk || phase.implicit || !phase.conditions) continue;
        ++sum.measurements;
        const std::vector<std::string> said = DisturbancesOf(*phase.conditions);
        sum.disturbed += said.empty() ? 0 : 1;
        if (said.size() > sum.worst.size()) sum.worst = said;
      }
    }
  }
  return sum;
}

// The same settings of an engine in several results are one row.
std::string SettingsTable(const std::vector<Result>& results) {
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>> rows;
  for (const Result& result : results) {
    for (const RunResult& run : result.runs) {
      if (run.floor) continue;
      std::vector<std::string> settings;
      for (const auto& [name, value] : run.settings) settings.push_back(name + "=" + value);
      const std::pair<std::string, std::string> key = {run.label, Joined(settings, " ")};
      auto row = std::ranges::find(rows, key, [](const auto& entry) { return entry.first; });
      if (row == rows.end()) row = rows.insert(rows.end(), {key, {}});
      AddOnce(row->second, result.name);
    }
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first.first; });
  std::string text = PageHead({"engine", "settings", "in"});
  for (const auto& [key, jobs] : rows) {
    text += PageRow({Printable(key.first), key.second.empty() ? "its own" : Printable(key.second),
                     Printable(Joined(jobs))});
  }
  return text;
}

std::string WorkloadRow(const Result& result, const Series& series, size_t place) {
  const PhaseResult& phase = *series.MiddleRound(place);
  const RoleResult& role = phase.roles.front();
  const auto& memory = series.sum.memory;
  const auto& used = phase.resources;
  return PageRow({Printable(result.name), Printable(phase.workload), Printable(series.sum.engine),
                  Printable(SettingOf(result, "num")), Grouped(role.Operations()),
                  std::to_string(role.threads), std::to_string(series.rounds.size()),
                  Printable(phase.durability) + ", " + Printable(phase.level),
                  memory ? Size(memory->limit_bytes) : "uncapped",
                  memory ? Size(memory->peak_bytes) : "-", Size(phase.disk_bytes),
                  used && used->io ? Size(used->io->storage_read_bytes) : "-",
                  Printable(phase.checked)});
}

std::string WorkloadTable(const std::vector<Result>& results) {
  std::string text = PageHead({"job", "workload", "engine", "keys", "operations", "threads",
                               "rounds", "durability, level", "limit of memory", "its peak",
                               "on disk", "read from the disk", "checked"});
  for (const Result& result : results) {
    const std::vector<Series> all = SeriesOf(result);
    for (const Series& series : all) {
      if (series.sum.floor) continue;
      for (size_t i = 0; i < series.sum.phases.size(); ++i) {
        const PhaseResult& phase = series.sum.phases[i];
        const std::string row = SettingOf(result, "report_row");
        if (phase.implicit || phase.roles.empty() || series.MiddleRound(i) == nullptr) continue;
        if (!row.empty() && row != phase.workload) continue;
        text += WorkloadRow(result, series, i);
      }
    }
  }
  return text;
}

}  // namespace

std::string MachineText(const std::vector<Result>& results) {
  if (results.empty()) return "Here: nothing was run.\n\n";
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  std::vector<std::string> keys;
  std::vector<std::string> machines;
  size_t least = 0;
  size_t most = 0;
  for (const Result& result : results) {
    AddOnce(machines, fmt::format("{}, kernel {}", result.cpu, result.kernel));
    AddOnce(keys, fmt::format("{} keys of {} bytes with values of {}", SettingOf(result, "num"),
                              SettingOf(result, "key_size"), SettingOf(result, "value_size")));
    size_t rounds = 0;
    for (const RunResult& run : result.runs) {
      rounds = std::max<size_t>(rounds, run.round);
      if (run.floor) continue;
      AddOnce(labels, run.label);
      if (!run.warning.empty()) AddOnce(warnings, run.label + ": " + run.warning);
    }
    least = least == 0 ? rounds : std::min(least, rounds);
    most = std::max(most, rounds);
  }
  std::string text =
      fmt::format("Here: {}; {} on {}; {}; {} {} of every job, in fresh processes.\n\n",
                  Printable(Joined(labels)), Printable(results.front().started.substr(0, 10)),
                  Printable(Joined(machines, "; ")), Printable(Joined(keys, "; ")),
                  least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                  most == 1 ? "round" : "rounds");
  const Disturbed disturbed = DisturbedIn(results);
  if (disturbed.disturbed > 0) {
    text += fmt::format(
        "The machine was not for this alone: {} of {} measurements were disturbed (`~` in the "
        "tables), at worst: {}.\n\n",
        disturbed.disturbed, disturbed.measurements, Printable(Joined(disturbed.worst, "; ")));
  }
  if (most < kLeastRepetitions) {
    text += fmt::format(
        "**Figures of fewer than {} rounds are indicative: they have no interval and rank "
        "nothing.**\n\n",
        kLeastRepetitions);
  }
  for (const std::string& warning : warnings) text += Printable(warning) + "\n\n";
  return text;
}

std::string HowItWasRun(const std::vector<Result>& results) {
  if (results.empty()) return "It was not.\n\n";
  std::string text;
  std::vector<std::string> commands;
  for (const Result& result : results) AddOnce(commands, result.command);
  for (const std::string& command : commands) text += fmt::format("    {}\n", Printable(command));
  return text + "\n" + SettingsTable(results) + "\n" + WorkloadTable(results) +
         "\nFigures are over the time of the operations alone, as the published ones are: what a "
         "write left to be done later is not in it. `read from the disk` is what the process had "
         "fetched for it meanwhile, in the middle round.\n\n";
}

}  // namespace levelfield
