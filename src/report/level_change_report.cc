#include "report/level_change_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/comparison_words.h"

namespace levelfield {
namespace {

std::string FigureWords(const FigureOfBoth& figure) {
  return fmt::format("{} {} -> {}{}", figure.name, figure.text(figure.before),
                     figure.text(figure.after),
                     figure.before == 0 ? "" : ", " + Times(figure.after / figure.before));
}

std::string Micros(double us) { return Latency(Whole(us * 1e3)); }

// What kind of cause to look for.
std::string TimeWords(const TimeOfOperation& time) {
  constexpr double kNearlyAll = 0.7;
  constexpr double kLittle = 0.3;
  const bool is_longer = time.after > time.before;
  const double share = time.ShareOfCpu();
  const std::string_view what = share >= kNearlyAll
                                    ? is_longer ? "it does more work" : "it does less work"
                                : share <= kLittle ? is_longer ? "it waits longer" : "it waits less"
                                : is_longer        ? "it does more work and waits longer"
                                                   : "it does less work and waits less";
  return fmt::format("{} -> {} an operation, processor time {} -> {}: {}", Micros(time.before),
                     Micros(time.after), Micros(time.cpu_before), Micros(time.cpu_after), what);
}

std::string VerdictWords(const ComparedWorkload& row) {
  if (!row.not_comparable.empty()) {
    return fmt::format("{} the rate before; the machine may be why ({})", Times(row.ratio.ratio),
                       row.not_comparable);
  }
  return fmt::format("{} by the yardstick: {}", MarkedRatio(row).text, NameOf(row.verdict));
}

Entry EntryOf(const LevelChange& change) {
  const ComparedWorkload& row = change.compared;
  Entry entry{.kind = "level change",
              .title = fmt::format("{}, {}: {} -> {} ops/s, {}", Printable(change.engine),
                                   Printable(row.workload), Rate(row.baseline), Rate(row.candidate),
                                   VerdictWords(row)),
              .engines = {Printable(change.engine)},
              .workloads = {Printable(row.workload)}};
  if (change.time) entry.parts.emplace_back("time", TimeWords(*change.time));
  for (const FigureOfBoth& figure : change.moved) {
    entry.parts.emplace_back("moved", FigureWords(figure));
  }
  std::vector<std::string> names;
  for (const FigureOfBoth& figure : change.as_before) names.emplace_back(figure.name);
  if (!names.empty()) entry.parts.emplace_back("same", Joined(names, ", "));
  if (change.has_few_rounds) {
    entry.parts.emplace_back("moved", "not known: one round each (--repeat=3 tells)");
  }
  return entry;
}

Entry EntryOf(const Finding& finding, std::string_view kind, std::string_view where) {
  Entry entry{.kind = std::string(kind),
              .title = fmt::format("{}, {}: {}, {}", Printable(finding.engine),
                                   Printable(finding.workload), finding.symptom, where),
              .engines = {Printable(finding.engine)},
              .workloads = {Printable(finding.workload)}};
  entry.parts.emplace_back(
      "cause", fmt::format("{} (confidence: {})", finding.cause, NameOf(finding.confidence)));
  for (const std::string& evidence : finding.evidence) {
    entry.parts.emplace_back("evidence", Printable(evidence));
  }
  return entry;
}

Build BuildIn(const Result& result, const std::string& engine) {
  for (const RunResult& run : result.runs) {
    if (run.engine == engine) {
      return {.version = run.version, .library_sha256 = run.library_sha256, .git = result.git};
    }
  }
  return {.git = result.git};
}

std::string NameOf(const Result& result) {
  return Printable(fmt::format("{} ({})", result.name, result.started));
}

}  // namespace

std::string WhatIsNew(const Build& before, const Build& after) {
  std::vector<std::string> is_new;
  if (before.version != after.version) {
    is_new.push_back(
        fmt::format("version {} -> {}", Printable(before.version), Printable(after.version)));
  } else if (!before.library_sha256.empty() && !after.library_sha256.empty() &&
             before.library_sha256 != after.library_sha256) {
    constexpr size_t kDigits = 8;
    is_new.push_back(fmt::format("same version, another build (sha256 {} -> {})",
                                 Printable(before.library_sha256.substr(0, kDigits)),
                                 Printable(after.library_sha256.substr(0, kDigits))));
  }
  if (before.git != after.git) {
    is_new.push_back(
        fmt::format("levelfield {} -> {}", Printable(before.git), Printable(after.git)));
  }
  return is_new.empty() ? "same version, same levelfield" : Joined(is_new, "; ");
}

Report LevelChangeReport(const LevelChanges& changes, const Result& before, const Result& after) {
  Report report;
  report.AddLine(fmt::format("From {} to {}:", NameOf(before), NameOf(after)));
  for (const Comparison& comparison : changes.comparisons) {
    report.AddLine(fmt::format(
        "{}: {}", Printable(comparison.candidate),
        WhatIsNew(BuildIn(before, comparison.baseline), BuildIn(after, comparison.candidate))));
    for (std::string& note : NotesOf(comparison)) report.AddLine(std::move(note));
  }
  const auto add = [&](Entry entry) {
    report.Add(Gap{});
    report.Add(std::move(entry));
  };
  for (const LevelChange& change : changes.changed) add(EntryOf(change));
  for (const Finding& finding : changes.appeared) {
    add(EntryOf(finding, finding.rule, "only after"));
  }
  for (const Finding& finding : changes.gone) {
    add(EntryOf(finding, finding.rule, "only before"));
  }
  if (!changes.others.empty()) {
    report.Add(Gap{});
    report.AddLine("Not told apart: " + Joined(changes.others, "; "));
  }
  return report;
}

}  // namespace levelfield
