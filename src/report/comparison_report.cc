#include "report/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/findings/of_comparisons.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/comparison_words.h"

namespace levelfield {
namespace {

std::string VerdictText(const ComparedWorkload& workload, bool is_any_in_slices) {
  if (!workload.not_comparable.empty() && workload.verdict == Verdict::kUnresolved) {
    return fmt::format("unresolved: sessions not comparable: {}", workload.not_comparable);
  }
  return fmt::format("{}{}{}{}{}{}", NameOf(workload.verdict), NoiseWords(workload),
                     workload.in_slices ? ", in slices"
                     : is_any_in_slices ? ", in whole rounds"
                                        : "",
                     workload.turns.empty() ? "" : ", ", Printable(workload.turns),
                     StallWords(workload));
}

std::string Title(const Comparison& comparison) {
  const std::string by = comparison.yardstick.empty()
                             ? "not interleaved: what the machine did between the two is in the "
                               "ratio"
                             : "by the yardstick " + Printable(comparison.yardstick);
  return Pair(comparison) + (comparison.paired ? "" : ", " + by);
}

ComparedFigure ComparedOf(const Comparison& comparison, const ComparedWorkload& workload,
                          std::string figure, const RateRatio& ratio, Verdict verdict) {
  ComparedFigure compared{.workload = Printable(workload.workload),
                          .figure = std::move(figure),
                          .baseline = Printable(comparison.baseline),
                          .candidate = Printable(comparison.candidate),
                          .verdict = std::string(workload.WordForNothing()),
                          .reason = Printable(workload.invalid)};
  if (workload.is_of_unequal_stores) compared.verdict = "not_ranked";
  if (!workload.invalid.empty()) return compared;
  compared.verdict = verdict == Verdict::kNotRanked ? "not_ranked" : NameOf(verdict);
  compared.reason = Printable(verdict == Verdict::kNotRanked && comparison.not_ranked
                                  ? ReportWords(*comparison.not_ranked)
                              : verdict == Verdict::kUnresolved && !workload.not_comparable.empty()
                                  ? "sessions not comparable: " + workload.not_comparable
                                  : "");
  compared.ratio = ratio;
  compared.rounds = workload.rounds;
  compared.in_slices = workload.in_slices;
  compared.is_disturbed = workload.is_disturbed;
  compared.noise = workload.noise;
  return compared;
}

Table TableOf(const Comparison& comparison, bool is_any_in_slices, double margin) {
  Table table{.title = Title(comparison),
              .columns = {{.head = "baseline", .unit = "ops/s", .width = 9},
                          {.head = "candidate", .unit = "ops/s", .width = 9},
                          {.head = "ratio of rates", .is_left = true, .width = 20},
                          {.head = "rounds"},
                          {.head = "verdict", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "workload",
              .below = NotesOf(comparison),
              .margin = margin};
  for (const ComparedWorkload& workload : comparison.workloads) {
    Row row{Printable(workload.workload)};
    row.compared = ComparedOf(comparison, workload, "rate", workload.ratio, workload.verdict);
    if (workload.invalid.empty()) {
      row.cells = {RateCell(workload.baseline), RateCell(workload.candidate), MarkedRatio(workload),
                   CountCell(workload.rounds), VerdictText(workload, is_any_in_slices)};
    } else if (workload.is_of_unequal_stores) {
      row.cells = {RateCell(workload.baseline), RateCell(workload.candidate), "-",
                   CountCell(workload.rounds),
                   fmt::format("{}: {}", workload.WordForNothing(), Printable(workload.invalid))};
    } else {
      row.remark = fmt::format("{}: {}", workload.WordForNothing(), Printable(workload.invalid));
    }
    table.rows.push_back(std::move(row));
    if (workload.invalid.empty() && workload.cpu_ratio.ratio > 0) {
      table.rows.push_back(
          {"CPU/op",
           {MicrosCell(workload.baseline_cpu_us), MicrosCell(workload.candidate_cpu_us),
            RatioCell(workload.cpu_ratio), "",
            std::string(NameOf(workload.cpu_verdict)) + NoiseWords(workload)},
           true,
           "",
           ComparedOf(comparison, workload, "CPU/op", workload.cpu_ratio, workload.cpu_verdict)});
    }
  }
  return table;
}

// p50, p99 and p99.9 of each workload that has any.
std::optional<Table> LatenciesOf(const Comparison& comparison, double margin) {
  Table table{.title = fmt::format("Latencies of {} against {}", Printable(comparison.candidate),
                                   Printable(comparison.baseline)),
              .columns = {{.head = "baseline", .width = 9},
                          {.head = "candidate", .width = 9},
                          {.head = "times as fast", .is_left = true, .width = 20},
                          {.head = "verdict", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "workload",
              .margin = margin};
  for (const ComparedWorkload& workload : comparison.workloads) {
    for (const ComparedPercentile& one : workload.percentiles) {
      ComparedFigure compared = ComparedOf(comparison, workload, one.name, one.ratio, one.verdict);
      compared.noise = 0;  // --noise is about rates.
      table.rows.push_back(
          {fmt::format("{}, {}", Printable(workload.workload), one.name),
           {LatencyCell(Whole(one.baseline_ns)), LatencyCell(Whole(one.candidate_ns)),
            RatioCell(one.ratio), std::string(NameOf(one.verdict))},
           false,
           "",
           std::move(compared)});
    }
  }
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

std::string NoiseText(const std::vector<std::string>& without, const std::string& engine,
                      size_t rows, bool has_noise) {
  if (!has_noise) {
    return fmt::format(
        "Noise is not measured, so small differences may be this machine's: measure it with\n"
        "`levelfield noise {}`. --noise=<its result> lets nothing smaller be claimed.",
        ShellWord("--engine=" + engine));
  }
  return fmt::format(
      "The result of --noise has no figure of {}: small differences there may be this "
      "machine's.",
      without.size() == rows ? "these workloads" : fmt::format("{}", fmt::join(without, ", ")));
}

// What the rows of all comparisons have in common, of those that compare anything.
struct RowsTogether {
  size_t rows = 0;
  size_t in_slices = 0;
  bool is_indicative = false;  // Any row is, and so on.
  bool is_by_yardstick = false;
  bool has_noise = false;
  bool has_cpu = false;
  std::vector<std::string> without_noise;
};
RowsTogether TogetherOf(const std::vector<Comparison>& comparisons) {
  RowsTogether all;
  for (const Comparison& comparison : comparisons) {
    all.has_noise = all.has_noise || comparison.has_noise;
    all.is_by_yardstick = all.is_by_yardstick || !comparison.yardstick.empty();
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) continue;
      ++all.rows;
      all.in_slices += workload.in_slices ? 1 : 0;
      all.has_cpu = all.has_cpu || workload.cpu_ratio.ratio > 0;
      all.is_indicative = all.is_indicative || workload.verdict == Verdict::kIndicative;
      if (workload.noise == 0) AddOnce(all.without_noise, Printable(workload.workload));
    }
  }
  return all;
}

// What is said below all of them; a line break is where a terminal has one.
std::vector<std::string> Footer(const std::vector<Comparison>& comparisons, double margin,
                                bool has_latencies) {
  const RowsTogether all = TogetherOf(comparisons);
  const auto& [rows, in_slices, is_indicative, is_by_yardstick, has_noise, has_cpu, without_noise] =
      all;
  std::vector<std::string> footer = {fmt::format(
      "ops/s, geometric means of the rounds; the ratio is their quotient, in brackets the\n"
      "interval that holds with 95 %. Equivalent: within {:.1f} %.",
      100 * margin)};
  if (has_cpu) {
    footer.emplace_back(
        "CPU/op is the processor time of an operation; its ratio is of operations to a second of "
        "it.");
  }
  if (rows > 1) {
    footer.push_back(fmt::format(
        "Faster, slower and equivalent are said where all {} rows{}{}\ntogether hold with 95 %.",
        rows, has_cpu ? " with their CPU/op" : "", has_latencies ? ", and all latencies," : ""));
  }
  if (in_slices > 0) {
    footer.push_back(fmt::format(
        "In slices: both lived at once and took turns of some milliseconds; each round is one pair "
        "of\nprocesses.{}",
        in_slices < rows ? " In whole rounds: one ran after the other." : ""));
  }
  if (is_by_yardstick) {
    footer.emplace_back(
        "By a yardstick: each rate is a multiple of the yardstick's, which took turns with it in "
        "slices. The\nratio is the one of both multiples.");
  }
  if (!without_noise.empty()) {
    footer.push_back(NoiseText(without_noise, comparisons.front().engine, rows, has_noise));
  }
  if (is_indicative) {
    const bool is_paired_by_process = is_by_yardstick || (in_slices > 0 && in_slices == rows);
    const size_t least = is_paired_by_process ? kLeastProcessPairs : kLeastRepetitions;
    footer.push_back(fmt::format("Fewer than {} rounds are too few for a verdict: use --repeat={}.",
                                 least, least));
  }
  return footer;
}

}  // namespace

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin,
                        bool has_latencies) {
  Report report;
  const bool is_any_in_slices = std::ranges::any_of(comparisons, [](const Comparison& one) {
    return std::ranges::any_of(one.workloads, &ComparedWorkload::in_slices);
  });
  for (const Comparison& comparison : comparisons) {
    report.Add(TableOf(comparison, is_any_in_slices, margin));
    if (!has_latencies) continue;
    if (std::optional<Table> latencies = LatenciesOf(comparison, margin)) {
      report.Add(std::move(*latencies));
    }
  }
  for (const Remark& build : BuildsIn(comparisons)) report.AddRemark(build, ScreenWords(build), 0);
  for (std::string& words : Footer(comparisons, margin, has_latencies)) {
    report.AddLine(std::move(words));
  }
  std::set<std::string> said;
  for (const Remark& remark : RemarksOnRows(comparisons)) {
    const std::string words = ReportWords(remark) + ".";
    if (said.insert(words).second) report.AddRemark(remark, words, 0);
  }
  return report;
}

std::string RenderNoise(const std::string& engine,
                        const std::vector<std::pair<std::string, double>>& noise) {
  std::string text =
      fmt::format("{} against itself: smaller differences are noise here\n\n", Printable(engine));
  for (const auto& [workload, share] : noise) {
    text += fmt::format("{:24}  {:.1f} %\n", Printable(workload), 100 * share);
  }
  return text;
}

}  // namespace levelfield
