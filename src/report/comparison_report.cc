#include "report/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "report/markdown.h"
#include "report/number.h"
#include "stats/slice_ratio.h"

namespace levelfield {
namespace {

// The difference that --noise lets nobody claim.
std::string NoiseWords(const ComparedWorkload& workload) {
  return workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "";
}

std::string VerdictText(const ComparedWorkload& workload, bool is_any_in_slices) {
  if (!workload.not_comparable.empty() && workload.verdict == Verdict::kUnresolved) {
    return fmt::format("unresolved: sessions not comparable: {}", workload.not_comparable);
  }
  return fmt::format("{}{}{}{}{}", VerdictName(workload.verdict), NoiseWords(workload),
                     workload.in_slices ? ", in slices"
                     : is_any_in_slices ? ", in whole rounds"
                                        : "",
                     workload.turns.empty() ? "" : ", ", Printable(workload.turns));
}

Cell MarkedRatio(const ComparedWorkload& workload) {
  Cell cell = RatioCell(workload.ratio);
  if (workload.is_disturbed) cell.text += "!";
  return cell;
}

// What the mark means, and how many rows have it. Empty: none has.
std::string BusyWords(size_t disturbed, size_t rows) {
  return disturbed == 0 ? ""
                        : fmt::format("!: the machine was busy with other work, in {} of {}",
                                      disturbed, Plural(rows, "row"));
}

Cell MicrosCell(double us) { return LatencyCell(Whole(us * 1e3)); }

// "0.75 us, then 3.22 us: slower", of processor time.
std::string CpuText(const ComparedWorkload& workload) {
  if (workload.cpu_ratio.ratio <= 0) return "n/a";
  return fmt::format("{}, then {}: {}", MicrosCell(workload.baseline_cpu_us).text,
                     MicrosCell(workload.candidate_cpu_us).text, VerdictName(workload.cpu_verdict));
}

std::string Pair(const Comparison& comparison) {
  return fmt::format("{} against {}", Printable(comparison.candidate),
                     Printable(comparison.baseline));
}

std::string Title(const Comparison& comparison) {
  const std::string by = comparison.yardstick.empty()
                             ? "not interleaved: what the machine did between the two is in the "
                               "ratio"
                             : "by the yardstick " + Printable(comparison.yardstick);
  return Pair(comparison) + (comparison.paired ? "" : ", " + by);
}

// Warnings about the builds of the compared engines, once each.
std::vector<std::string> BuildWarningsOf(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> warnings;
  for (const Comparison& comparison : comparisons) {
    for (const std::string& warning : comparison.build_warnings) {
      AddOnce(warnings, Printable(warning));
    }
  }
  return warnings;
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

ComparedFigure ComparedOf(const Comparison& comparison, const ComparedWorkload& workload,
                          std::string figure, const RateRatio& ratio, Verdict verdict) {
  ComparedFigure compared{.workload = Printable(workload.workload),
                          .figure = std::move(figure),
                          .baseline = Printable(comparison.baseline),
                          .candidate = Printable(comparison.candidate),
                          .verdict = std::string(workload.WordForNothing()),
                          .reason = Printable(workload.invalid)};
  if (!workload.invalid.empty()) return compared;
  compared.verdict = verdict == Verdict::kNotRanked ? "not_ranked" : VerdictName(verdict);
  compared.reason = Printable(verdict == Verdict::kNotRanked ? comparison.not_ranked
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
    } else {
      row.remark = fmt::format("{}: {}", workload.WordForNothing(), Printable(workload.invalid));
    }
    table.rows.push_back(std::move(row));
    if (workload.invalid.empty() && workload.cpu_ratio.ratio > 0) {
      table.rows.push_back(
          {"CPU/op",
           {MicrosCell(workload.baseline_cpu_us), MicrosCell(workload.candidate_cpu_us),
            RatioCell(workload.cpu_ratio), "",
            std::string(VerdictName(workload.cpu_verdict)) + NoiseWords(workload)},
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
            RatioCell(one.ratio), std::string(VerdictName(one.verdict))},
           false,
           "",
           std::move(compared)});
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

// What the rows of all comparisons have in common, of those that compare anything.
struct RowsTogether {
  size_t rows = 0;
  size_t in_slices = 0;
  size_t disturbed = 0;
  bool is_indicative = false;  // Any row is, and so on.
  bool is_by_yardstick = false;
  bool is_not_comparable = false;
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
      all.disturbed += workload.is_disturbed ? 1 : 0;
      all.has_cpu = all.has_cpu || workload.cpu_ratio.ratio > 0;
      all.is_indicative = all.is_indicative || workload.verdict == Verdict::kIndicative;
      all.is_not_comparable = all.is_not_comparable || !workload.not_comparable.empty();
      if (workload.noise == 0) AddOnce(all.without_noise, Printable(workload.workload));
    }
  }
  return all;
}

// Whether readers who divide one rate by the other get another ratio: rates are medians of the
// rounds, and have three digits.
bool IsNoQuotient(const ComparedWorkload& workload) {
  constexpr double kVisible = 0.005;
  if (!workload.invalid.empty() || workload.baseline <= 0 || workload.ratio.ratio <= 0)
    return false;
  const double quotient = workload.candidate / workload.baseline;
  return std::abs(quotient / workload.ratio.ratio - 1) > kVisible;
}

// Why the ratio is not that of the two rates. Empty if it is one, or by a yardstick.
std::string QuotientWords(const std::vector<Comparison>& comparisons) {
  bool is_any = false;
  bool in_slices = false;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.paired) continue;
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!IsNoQuotient(workload)) continue;
      is_any = true;
      in_slices = in_slices || workload.in_slices;
    }
  }
  if (!is_any) return "";
  return fmt::format(
      "The ratio need not be the quotient of the two rates: those are medians, and it is the mean "
      "of the rounds' ratios.{}",
      in_slices ? " In slices it leaves out waiting for a processor, and the highest and lowest "
                  "fifth of the blocks."
                : "");
}

// What is said below all of them; a line break is where a terminal has one.
std::vector<std::string> Footer(const std::vector<Comparison>& comparisons, double margin,
                                bool has_latencies) {
  const RowsTogether all = TogetherOf(comparisons);
  const auto& [rows, in_slices, disturbed, is_indicative, is_by_yardstick, is_not_comparable,
               has_noise, has_cpu, without_noise] = all;
  std::vector<std::string> footer = {fmt::format(
      "ops/s, medians of the rounds; the ratio is the mean of {}, in brackets the\ninterval that "
      "holds with 95 %. Equivalent: within {:.1f} %.",
      in_slices > 0 ? "the rounds' ratios in slices" : "the rounds' ratios", 100 * margin)};
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
  if (disturbed > 0) footer.push_back(BusyWords(disturbed, rows) + ".");
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
  if (!without_noise.empty()) footer.push_back(NoiseText(without_noise, rows, has_noise));
  if (is_indicative) {
    const bool is_paired_by_process = is_by_yardstick || (in_slices > 0 && in_slices == rows);
    const size_t least = is_paired_by_process ? kLeastProcessPairs : kLeastRepetitions;
    footer.push_back(fmt::format(
        "Fewer than {} rounds are indicative and rank nothing: --repeat={}.", least, least));
  }
  return footer;
}

// The screen's words, the worst first.
constexpr std::string_view kWords[] = {"slower",     "slower by processor time",
                                       "invalid",    "not ranked",
                                       "faster",     "equivalent",
                                       "unresolved", "indicative",
                                       "unsupported"};

std::string WordOf(const ComparedWorkload& workload) {
  if (!workload.invalid.empty()) return std::string(workload.WordForNothing());
  return workload.IsSlowerByCpu() ? "slower by processor time"
                                  : std::string(VerdictName(workload.verdict));
}

// Several with the same workloads, of which each column says by its name what it is.
bool IsMatrix(const std::vector<Comparison>& comparisons) {
  if (comparisons.size() < 2) return false;
  const Comparison& first = comparisons.front();
  return std::ranges::all_of(comparisons, [&](const Comparison& one) {
    const bool is_clear = one.baseline == first.baseline || one.baseline == one.candidate;
    return is_clear && std::ranges::equal(one.workloads, first.workloads, {},
                                          &ComparedWorkload::workload, &ComparedWorkload::workload);
  });
}

// "new against old: slower in fillrandom; unresolved in readrandom and overwrite."
std::string VerdictsOf(const Comparison& comparison) {
  std::map<std::string, std::vector<std::string>> by_word;
  for (const ComparedWorkload& workload : comparison.workloads) {
    by_word[WordOf(workload)].push_back(Printable(workload.workload));
  }
  std::string words;
  for (const std::string_view word : kWords) {
    const auto it = by_word.find(std::string(word));
    if (it == by_word.end()) continue;
    const bool is_all = by_word.size() == 1 && it->second.size() > 1;
    words +=
        fmt::format("{} {} in {}", words.empty() ? "" : ";", word,
                    !is_all                  ? Listed(it->second)
                    : it->second.size() == 2 ? "both workloads"
                                             : fmt::format("all {} workloads", it->second.size()));
  }
  return Pair(comparison) + ":" + words + ".";
}

Tone ToneOf(const ComparedWorkload& workload) {
  if (workload.is_unsupported) return Tone::kPlain;
  return !workload.invalid.empty() || WordOf(workload).starts_with("slower") ? Tone::kWarning
         : workload.verdict == Verdict::kFaster                              ? Tone::kBest
         : workload.verdict == Verdict::kEquivalent                          ? Tone::kTied
                                                                             : Tone::kPlain;
}

Table MatrixOf(const std::vector<Comparison>& comparisons) {
  Table table{.title = "times as fast"};
  for (const ComparedWorkload& workload : comparisons.front().workloads) {
    table.rows.push_back({Printable(workload.workload)});
  }
  for (const Comparison& comparison : comparisons) {
    table.columns.push_back({.head = Printable(comparison.candidate)});
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const ComparedWorkload& workload = comparison.workloads[i];
      Cell cell(workload.invalid.empty()
                    ? fmt::format("{}{}", Times(workload.ratio.ratio),
                                  workload.verdict == Verdict::kEquivalent   ? "="
                                  : workload.verdict == Verdict::kUnresolved ? "?"
                                                                             : "") +
                          (workload.is_disturbed ? "!" : "")
                    : std::string(workload.WordForNothing()));
      cell.tone = ToneOf(workload);
      table.rows[i].cells.push_back(std::move(cell));
    }
  }
  return table;
}

Table ListOf(const Comparison& comparison) {
  Table table{.title = "workload",
              .columns = {{.head = "times as fast", .is_left = true},
                          {.head = "verdict", .is_left = true}}};
  const bool is_any_in_slices =
      std::ranges::any_of(comparison.workloads, &ComparedWorkload::in_slices);
  for (const ComparedWorkload& workload : comparison.workloads) {
    const bool is_in_rounds = is_any_in_slices && !workload.in_slices && workload.invalid.empty();
    Cell word(WordOf(workload) + NoiseWords(workload) + (is_in_rounds ? ", in whole rounds" : "") +
              (workload.turns.empty() ? "" : ", " + Printable(workload.turns)));
    word.tone = ToneOf(workload);
    table.rows.push_back({Printable(workload.workload),
                          {workload.invalid.empty() ? MarkedRatio(workload) : Cell("-"), word}});
  }
  return table;
}

std::string FirstOf(const std::string& sentence) { return sentence.empty() ? "" : sentence + ". "; }

struct SignsShown {
  std::set<std::string> words;
  std::set<std::string> not_comparable;  // Reasons.
  bool has_interval = false;
  size_t rows = 0;
  size_t disturbed = 0;
};

SignsShown ShownIn(const std::vector<Comparison>& comparisons, bool is_matrix) {
  SignsShown shown;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      shown.words.insert(WordOf(workload));
      const bool is_open = workload.invalid.empty() && workload.verdict == Verdict::kUnresolved;
      if (is_matrix && is_open) shown.words.insert("unresolved");  // Its rate, whatever its word.
      if (!workload.not_comparable.empty()) shown.not_comparable.insert(workload.not_comparable);
      shown.has_interval = shown.has_interval || workload.ratio.interval;
      shown.rows += workload.invalid.empty() ? 1 : 0;
      shown.disturbed += workload.invalid.empty() && workload.is_disturbed ? 1 : 0;
    }
  }
  return shown;
}

// Every sign and word of the screen's tables.
std::string SignsOf(const std::vector<Comparison>& comparisons, bool is_matrix, double margin) {
  const SignsShown shown = ShownIn(comparisons, is_matrix);
  const bool is_paired = std::ranges::all_of(comparisons, &Comparison::paired);
  const bool is_by_yardstick = TogetherOf(comparisons).is_by_yardstick;
  std::string signs = fmt::format("times as fast{}: operations a second over the baseline's",
                                  is_matrix ? " (0.50x: half)" : "");
  if (shown.has_interval && !is_matrix) signs += ", in brackets where that lies with 95 % or more";
  const auto add = [&](const char* word, const std::string& meaning) {
    if (shown.words.contains(word)) signs += "; " + meaning;
  };
  add("slower by processor time",
      "slower by processor time: an operation costs more of it, and the rate is unresolved");
  add("equivalent",
      fmt::format("{}: within {:.1f} %", is_matrix ? "=, equivalent" : "equivalent", 100 * margin));
  add("unresolved", fmt::format("{}: these rounds do not tell which is faster",
                                is_matrix ? "?, unresolved" : "unresolved"));
  add("indicative", "indicative: too few rounds for a verdict, --repeat asks for more");
  if (!is_paired && is_by_yardstick) {
    signs += "; by a yardstick: as multiples of its rate in either session";
  } else if (!is_paired) {
    signs += "; not interleaved: what the machine did between the two is in the ratio";
  }
  for (const std::string& reason : shown.not_comparable) {
    signs += "; sessions not comparable: " + reason;
  }
  if (shown.rows > 1) signs += "; verdicts hold with 95 % for all rows together";
  if (shown.disturbed > 0) signs += "; " + BusyWords(shown.disturbed, shown.rows);
  const std::string quotient = QuotientWords(comparisons);
  return signs + "." + (quotient.empty() ? "" : " ") + quotient;
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
  for (std::string& warning : BuildWarningsOf(comparisons)) {
    report.Add(Paragraph{std::move(warning)});
  }
  for (std::string& words : Footer(comparisons, margin, has_latencies)) {
    report.AddLine(std::move(words));
  }
  if (std::string words = QuotientWords(comparisons); !words.empty()) {
    report.Add(Paragraph{std::move(words)});
  }
  return report;
}

Report VerdictsReport(const std::vector<Comparison>& comparisons) {
  Report report;
  for (const Comparison& comparison : comparisons) {
    report.Add(Paragraph{VerdictsOf(comparison), 2, true, Tone::kBest});
  }
  return report;
}

Report ComparisonScreen(const std::vector<Comparison>& comparisons, double margin,
                        const std::string& conditions, const std::string& command) {
  Report report = VerdictsReport(comparisons);
  for (std::string& warning : BuildWarningsOf(comparisons)) {
    report.Add(Paragraph{std::move(warning), 2, true, Tone::kWarning});
  }
  const bool is_matrix = IsMatrix(comparisons);
  if (is_matrix) {
    report.Add(MatrixOf(comparisons));
  } else {
    for (const Comparison& comparison : comparisons) report.Add(ListOf(comparison));
  }
  report.Add(Gap{});
  report.Add(Paragraph{FirstOf(conditions) + SignsOf(comparisons, is_matrix, margin), 2});
  std::vector<std::string> notes;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) {
        notes.push_back(fmt::format("{}: {}: {}", workload.WordForNothing(),
                                    Printable(workload.workload), Printable(workload.invalid)));
      }
    }
    for (std::string& note : NotesOf(comparison)) notes.push_back(std::move(note));
  }
  constexpr size_t kMostNotes = 4;
  std::set<std::string> said;
  for (const std::string& note : notes) {
    if (said.size() >= kMostNotes || !said.insert(note).second) continue;
    report.Add(Paragraph{note, 2, true, Tone::kWarning});
  }
  report.Add(Gap{});
  report.AddLine("all figures and notes: " + Printable(command));
  return report;
}

std::string ComparisonMarkdown(const std::vector<Comparison>& comparisons, double margin,
                               const std::string& conditions, const std::string& details) {
  constexpr size_t kMostVerdicts = 4;
  constexpr size_t kMostRows = 10;
  std::string text;
  for (size_t i = 0; i < std::min(comparisons.size(), kMostVerdicts); ++i) {
    text += "**" + InMarkdown(VerdictsOf(comparisons[i])) + "**\n\n";
  }
  // In one paragraph, of which GitHub keeps the line breaks.
  std::string warnings;
  for (const std::string& warning : BuildWarningsOf(comparisons)) {
    warnings += InMarkdown(warning) + "\n";
  }
  if (!warnings.empty()) text += warnings + "\n";
  Table table{.title = "",
              .columns = {{.head = "times as fast"},
                          {.head = "verdict", .is_left = true},
                          {.head = "CPU of an operation", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "workload"};
  size_t rows = 0;
  for (const std::string_view word : kWords) {
    for (const Comparison& comparison : comparisons) {
      for (const ComparedWorkload& workload : comparison.workloads) {
        if (WordOf(workload) != word || ++rows > kMostRows) continue;
        const bool is_valid = workload.invalid.empty();
        table.rows.push_back(
            {(comparisons.size() > 1 ? Printable(comparison.candidate) + ", " : "") +
                 Printable(workload.workload),
             {is_valid ? MarkedRatio(workload) : Cell("-"),
              (is_valid ? std::string(word)
                        : fmt::format("{}: {}", word, Printable(workload.invalid))) +
                  NoiseWords(workload),
              is_valid ? CpuText(workload) : "-"}});
      }
    }
  }
  text += MarkdownRows(table);
  if (rows > kMostRows || comparisons.size() > kMostVerdicts) {
    text += fmt::format("\nAll {} rows are below.\n", rows);
  }
  text += "\n" + InMarkdown(FirstOf(conditions) + SignsOf(comparisons, false, margin)) + "\n";
  return text + "\n<details><summary>All figures</summary>\n\n" + details + "\n</details>\n";
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
