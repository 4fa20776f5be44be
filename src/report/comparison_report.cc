#include "report/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quote.h"
#include "report/markdown.h"
#include "report/number.h"
#include "stats/slice_ratio.h"

namespace levelfield {
namespace {

std::string VerdictText(const ComparedWorkload& workload) {
  if (!workload.not_comparable.empty() && workload.verdict == Verdict::kUnresolved) {
    return fmt::format("unresolved: sessions not comparable: {}", workload.not_comparable);
  }
  return fmt::format(
      "{}{}{}", VerdictName(workload.verdict),
      workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "",
      workload.in_slices ? ", in slices" : "");
}

// "0.75 us, then 3.22 us: slower", of processor time.
std::string CpuText(const ComparedWorkload& workload) {
  if (workload.cpu_ratio.ratio <= 0) return "n/a";
  const auto time = [](double us) { return LatencyCell(Whole(us * 1e3)).text; };
  return fmt::format("{}, then {}: {}", time(workload.baseline_cpu_us),
                     time(workload.candidate_cpu_us), VerdictName(workload.cpu_verdict));
}

std::string Title(const Comparison& comparison) {
  const std::string by = comparison.yardstick.empty()
                             ? "not interleaved: what the machine did between the two is in the "
                               "ratio"
                             : "by the yardstick " + Printable(comparison.yardstick);
  return fmt::format("{} against {}{}", Printable(comparison.candidate),
                     Printable(comparison.baseline), comparison.paired ? "" : ", " + by);
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

Table TableOf(const Comparison& comparison) {
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
      row.cells = {RateCell(workload.baseline), RateCell(workload.candidate),
                   RatioCell(workload.ratio),   CountCell(workload.rounds),
                   VerdictText(workload),       CpuText(workload)};
    } else {
      row.remark = "invalid: " + Printable(workload.invalid);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// What is said below all of them; a line break is where a terminal has one.
std::vector<std::string> Footer(const std::vector<Comparison>& comparisons, double margin) {
  bool is_indicative = false;
  bool is_in_slices = false;
  bool is_by_yardstick = false;
  bool is_not_comparable = false;
  bool is_noise_known = true;
  double confidence = ConfidenceOfEach(1);
  for (const Comparison& comparison : comparisons) {
    confidence = std::max(confidence, comparison.confidence);
    is_by_yardstick = is_by_yardstick || !comparison.yardstick.empty();
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) continue;
      is_indicative = is_indicative || workload.verdict == Verdict::kIndicative;
      is_in_slices = is_in_slices || workload.in_slices;
      is_not_comparable = is_not_comparable || !workload.not_comparable.empty();
      is_noise_known = is_noise_known && workload.noise > 0;
    }
  }
  std::vector<std::string> footer = {fmt::format(
      "ops/s, medians of the rounds; the ratio is the median of the rounds' ratios, in brackets "
      "the\ninterval that holds with {:.3g} %{}. Equivalent: within {:.1f} %.",
      100 * confidence,
      comparisons.size() > 1 && confidence > ConfidenceOfEach(1)
          ? fmt::format(", so that all {} together hold with 95 %", comparisons.size())
          : "",
      100 * margin)};
  if (is_in_slices) {
    footer.emplace_back(
        "In slices: both lived at once and took turns of some milliseconds. The ratio is the mean "
        "of the\nrounds' there, each of which is one pair of processes.");
  }
  if (is_by_yardstick) {
    footer.emplace_back(
        "By a yardstick: each rate is a multiple of the yardstick's, which took turns with it in "
        "slices. The\nratio is the one of both multiples.");
  }
  if (is_not_comparable) {
    footer.emplace_back(
        "Sessions are not comparable where the machine may have changed between them: compare in "
        "one\n(`run --against`), or run both with the same --yardstick.");
  }
  if (!is_noise_known) {
    footer.emplace_back(
        "Noise is not measured: small differences may be this machine's. `levelfield noise` "
        "measures it,\nand --noise=<its result> lets nothing smaller be claimed.");
  }
  if (is_indicative) {
    const size_t least =
        is_in_slices || is_by_yardstick ? kLeastProcessPairs : LeastRepetitions(confidence);
    footer.push_back(fmt::format(
        "Fewer than {} rounds are indicative and rank nothing: --repeat={}.", least, least));
  }
  return footer;
}

}  // namespace

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin) {
  Report report;
  for (const Comparison& comparison : comparisons) report.Add(TableOf(comparison));
  for (std::string& words : Footer(comparisons, margin)) report.AddLine(std::move(words));
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
