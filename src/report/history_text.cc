#include "report/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/quote.h"
#include "report/number.h"

namespace levelfield {
namespace {

// What tells it from the others of its machine, workload and engine.
std::string Heading(const History& history, const std::vector<History>& all) {
  std::string heading = Printable(fmt::format("{}, {}", history.key.workload, history.key.engine));
  for (const auto& [name, value] : history.key.settings) {
    heading += Printable(fmt::format(" --{}={}", name, value));
  }
  heading += "\n";
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
  for (const std::string& name : different) {
    const auto here = history.key.conditions.find(name);
    const std::string value = here == history.key.conditions.end() ? "" : here->second;
    heading += Printable(fmt::format("  {}: {}", name, value.empty() ? "none" : value)) + "\n";
  }
  return heading;
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

std::string Table(const History& history) {
  size_t version_width = 7;
  size_t git_width = 10;
  for (const HistoryPoint& point : history.points) {
    version_width = std::max(version_width, Printable(point.version).size());
    git_width = std::max(git_width, Printable(point.git).size());
  }
  std::string text =
      fmt::format("{:20}  {:{}}  {:{}}  {:>8}  {:20}  {}\n", "started", "version", version_width,
                  "levelfield", git_width, "ops/s", "95 % interval", "rounds");
  auto change = history.changes.begin();
  const HistoryPoint* before = nullptr;  // The last one with a rate.
  for (size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& point = history.points[i];
    if (change != history.changes.end() && change->index == i) {
      text += fmt::format("  {:+.1f} % from here on ({}){}\n", 100 * change->size, PText(change->p),
                          before == nullptr ? "" : WhatIsNew(*before, point));
      ++change;
    }
    text += fmt::format("{:20}  {:{}}  {:{}}  ", Printable(point.started), Printable(point.version),
                        version_width, Printable(point.git), git_width);
    if (!point.failure.empty()) {
      text += fmt::format("no rate: {}\n", Printable(point.failure));
      continue;
    }
    before = &point;
    text += fmt::format("{:>8}  {:20}  {:>6}{}\n", Rate(point.median),
                        point.interval ? fmt::format("{} .. {}", Rate(point.interval->low),
                                                     Rate(point.interval->high))
                                       : "",
                        point.rounds,
                        point.cut_off.empty() ? "" : "  " + Printable(point.cut_off));
  }
  return text;
}

}  // namespace

std::string RenderHistories(const std::vector<History>& histories, const ChangePointRules& rules) {
  std::string text;
  std::string fingerprint;
  bool is_short = false;
  for (const History& history : histories) {
    if (text.empty() || history.key.fingerprint != fingerprint) {
      fingerprint = history.key.fingerprint;
      text += fmt::format("{}machine {}: {}\n", text.empty() ? "" : "\n", Printable(fingerprint),
                          Printable(history.machine));
    }
    text += "\n" + Heading(history, histories) + Table(history);
    is_short = is_short || history.points.size() < kLeastOfALevel + kLeastOfTheNewestLevel;
  }
  text += fmt::format(
      "\nops/s, medians of the rounds. One table is of one machine, the same settings, workloads, "
      "disk and\nlimits. A change is of {:.1f} % at least and lasts for {} results with p <= {} "
      "(t-test where\nE-divisive splits); the newest one for {} with p <= {}.\n",
      100 * rules.least_size, kLeastOfALevel, rules.most_lasting_p, kLeastOfTheNewestLevel,
      rules.most_p);
  if (is_short) {
    text += fmt::format("Of fewer than {} results no change can be told.\n",
                        kLeastOfALevel + kLeastOfTheNewestLevel);
  }
  return text;
}

}  // namespace levelfield
