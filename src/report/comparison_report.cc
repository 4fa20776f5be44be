#include "report/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/quote.h"
#include "report/markdown.h"
#include "report/number.h"
#include "stats/slice_ratio.h"

namespace levelfield {
namespace {

std::string VerdictText(const ComparedWorkload& workload, bool is_any_in_slices) {
  return fmt::format(
      "{}{}{}{}{}", VerdictName(workload.verdict),
      workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "",
      workload.in_slices ? ", in slices"
      : is_any_in_slices ? ", in whole rounds"
                         : "",
      workload.turns.empty() ? "" : ", ", Printable(workload.turns));
}

// "0.75 us, then 3.22 us: slower", of processor time.
std::string CpuText(const ComparedWorkload& workload) {
  if (workload.cpu_ratio.ratio <= 0) return "n/a";
  const auto time = [](double us) { return LatencyCell(Whole(us * 1e3)).text; };
  return fmt::format("{}, then {}: {}", time(workload.baseline_cpu_us),
                     time(workload.candidate_cpu_us), VerdictName(workload.cpu_verdict));
}

std::string Title(const Comparison& comparison) {
  return fmt::format(
      "{} against {}{}", Printable(comparison.candidate), Printable(comparison.baseline),
      comparison.paired ? ""
                        : ", not interleaved: what the machine did between the two is in the "
                          "ratio");
}

// What is said below the lines of one comparison.
std::vector<std::string> NotesOf(const Comparison& comparison) {
  std::vector<std::string> notes;
  if (!comparison.not_ranked.empty()) {
    notes.push_back("not ranked: " + Printable(comparison.not_ranked));
  }
  for (const std::string& note : comparison.notes) notes.push_back("note: " + Printable(note));
  return notes;
}

Table TableOf(const Comparison& comparison, bool is_any_in_slices) {
  Table table{.title = Title(comparison),
              .columns = {{.head = "baseline", .unit = "ops/s", .width = 10},
                          {.head = "candidate", .unit = "ops/s", .width = 10},
                          {.head = "ratio of rates", .is_left = true, .width = 24},
                          {.head = "rounds"},
                          {.head = "verdict", .is_left = true},
                          {.head = "CPU/op", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "workload",
              .below = NotesOf(comparison)};
  for (const ComparedWorkload& workload : comparison.workloads) {
    Row row{Printable(workload.workload)};
    if (workload.invalid.empty()) {
      row.cells = {RateCell(workload.baseline),
                   RateCell(workload.candidate),
                   RatioCell(workload.ratio),
                   CountCell(workload.rounds),
                   VerdictText(workload, is_any_in_slices),
                   CpuText(workload)};
    } else {
      row.remark = "invalid: " + Printable(workload.invalid);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// p50, p99 and p99.9 of each workload that has any.
std::optional<Table> LatenciesOf(const Comparison& comparison) {
  Table table{.title = fmt::format("Latencies of {} against {}", Printable(comparison.candidate),
                                   Printable(comparison.baseline)),
              .columns = {{.head = "baseline", .width = 10},
                          {.head = "candidate", .width = 10},
                          {.head = "times as fast", .is_left = true, .width = 24},
                          {.head = "verdict", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "workload"};
  for (const ComparedWorkload& workload : comparison.workloads) {
    for (const ComparedPercentile& one : workload.percentiles) {
      table.rows.push_back(
          {fmt::format("{}, {}", Printable(workload.workload), one.name),
           {LatencyCell(Whole(one.baseline_ns)), LatencyCell(Whole(one.candidate_ns)),
            RatioCell(one.ratio), std::string(VerdictName(one.verdict))}});
    }
  }
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

std::string NoiseText(const std::vector<std::string>& without, size_t rows, bool has_noise) {
  if (!has_noise) {
    return "Noise is not measured: small differences may be this machine's. `levelfield noise` "
           "measures it,\nand --noise=<its result> lets nothing smaller be claimed.";
  }
  return fmt::format(
      "The result of --noise has no figure of {}: small differences there may be this "
      "machine's.",
      without.size() == rows ? "these workloads" : fmt::format("{}", fmt::join(without, ", ")));
}

// What is said below all of them; a line break is where a terminal has one.
std::vector<std::string> Footer(const std::vector<Comparison>& comparisons, double margin,
                                bool has_latencies) {
  bool is_indicative = false;
  bool has_noise = false;
  size_t rows = 0;
  size_t in_slices = 0;
  std::vector<std::string> without_noise;
  for (const Comparison& comparison : comparisons) {
    has_noise = has_noise || comparison.has_noise;
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) continue;
      ++rows;
      is_indicative = is_indicative || workload.verdict == Verdict::kIndicative;
      in_slices += workload.in_slices ? 1 : 0;
      const std::string name = Printable(workload.workload);
      const bool is_new = std::ranges::find(without_noise, name) == without_noise.end();
      if (workload.noise == 0 && is_new) without_noise.push_back(name);
    }
  }
  std::vector<std::string> footer = {fmt::format(
      "ops/s, medians of the rounds; the ratio is the mean of {}, in brackets the\ninterval that "
      "holds with 95 %. Equivalent: within {:.1f} %.",
      in_slices > 0 ? "the rounds' ratios in slices" : "the rounds' ratios", 100 * margin)};
  if (rows > 1) {
    footer.push_back(fmt::format(
        "Faster, slower and equivalent are said where all {} rows{} together hold with 95 %.", rows,
        has_latencies ? ", and all latencies," : ""));
  }
  if (in_slices > 0) {
    footer.push_back(fmt::format(
        "In slices: both lived at once and took turns of some milliseconds; each round is one pair "
        "of\nprocesses.{}",
        in_slices < rows ? " In whole rounds: one ran after the other." : ""));
  }
  if (!without_noise.empty()) footer.push_back(NoiseText(without_noise, rows, has_noise));
  if (is_indicative) {
    const size_t least =
        in_slices > 0 && in_slices == rows ? kLeastProcessPairs : kLeastRepetitions;
    footer.push_back(fmt::format(
        "Fewer than {} rounds are indicative and rank nothing: --repeat={}.", least, least));
  }
  return footer;
}

}  // namespace

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin,
                        bool has_latencies) {
  Report report;
  bool is_any_in_slices = false;
  for (const Comparison& comparison : comparisons) {
    is_any_in_slices =
        is_any_in_slices || std::ranges::any_of(comparison.workloads, &ComparedWorkload::in_slices);
  }
  for (const Comparison& comparison : comparisons) {
    report.Add(TableOf(comparison, is_any_in_slices));
    if (!has_latencies) continue;
    if (std::optional<Table> latencies = LatenciesOf(comparison)) report.Add(std::move(*latencies));
  }
  for (std::string& words : Footer(comparisons, margin, has_latencies)) {
    report.AddLine(std::move(words));
  }
  return report;
}

std::string ComparisonMarkdown(const std::vector<Comparison>& comparisons,
                               const std::string& details) {
  constexpr size_t kMostLines = 12;
  constexpr std::pair<Verdict, const char*> kSaid[] = {{Verdict::kSlower, "slower"},
                                                       {Verdict::kFaster, "faster"}};
  std::map<Verdict, size_t> counts;
  size_t invalid = 0;
  std::vector<std::string> lines;
  for (const auto& [verdict, word] : kSaid) {
    for (const Comparison& comparison : comparisons) {
      for (const ComparedWorkload& workload : comparison.workloads) {
        const bool is_cpu_slower =
            workload.verdict == Verdict::kUnresolved && workload.cpu_verdict == Verdict::kSlower;
        if (!workload.invalid.empty() ||
            (workload.verdict != verdict && !(verdict == Verdict::kSlower && is_cpu_slower))) {
          continue;
        }
        lines.push_back(fmt::format("- {}, {}: {} ({}x), CPU of an operation {}\n",
                                    InMarkdown(Printable(comparison.candidate)),
                                    InMarkdown(Printable(workload.workload)),
                                    is_cpu_slower ? "rate unresolved" : word,
                                    RatioCell(workload.ratio).text, CpuText(workload)));
      }
    }
  }
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      workload.invalid.empty() ? ++counts[workload.verdict] : ++invalid;
    }
  }
  const auto some = [&](Verdict verdict) {
    return fmt::format("{} {}", counts[verdict], VerdictName(verdict));
  };
  std::string text = fmt::format("**{}, {}, {}, {}, {}, {} invalid**\n\n", some(Verdict::kSlower),
                                 some(Verdict::kFaster), some(Verdict::kEquivalent),
                                 some(Verdict::kUnresolved), some(Verdict::kIndicative), invalid);
  for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) text += lines[i];
  if (lines.size() > kMostLines) {
    text += fmt::format("- and {} more, below\n", lines.size() - kMostLines);
  }
  return text + "\n<details><summary>All figures</summary>\n\n" + details + "\n</details>\n";
}

std::string RenderNoise(const std::string& engine,
                        const std::vector<std::pair<std::string, double>>& noise) {
  std::string text = fmt::format("\n{} against itself: differences below these are noise here\n",
                                 Printable(engine));
  for (const auto& [workload, share] : noise) {
    text += fmt::format("{:24}  {:.1f} %\n", Printable(workload), 100 * share);
  }
  return text;
}

}  // namespace levelfield
