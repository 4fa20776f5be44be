#include "report/comparison_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/findings/of_comparisons.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/comparison_words.h"
#include "report/markdown.h"

namespace levelfield {
namespace {

// "0.75 us, then 3.22 us: slower", of processor time.
std::string CpuText(const ComparedWorkload& workload) {
  if (workload.cpu_ratio.ratio <= 0) return "n/a";
  return fmt::format("{}, then {}: {}", MicrosCell(workload.baseline_cpu_us).text,
                     MicrosCell(workload.candidate_cpu_us).text, NameOf(workload.cpu_verdict));
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
                                  : std::string(NameOf(workload.verdict));
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
  return !workload.invalid.empty() || workload.verdict == Verdict::kSlower ||
                 workload.IsSlowerByCpu()
             ? Tone::kWarning
         : workload.verdict == Verdict::kFaster     ? Tone::kBest
         : workload.verdict == Verdict::kEquivalent ? Tone::kTied
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
              (workload.turns.empty() ? "" : ", " + Printable(workload.turns)) +
              StallWords(workload));
    word.tone = ToneOf(workload);
    table.rows.push_back({Printable(workload.workload),
                          {workload.invalid.empty() ? MarkedRatio(workload) : Cell("-"), word}});
  }
  return table;
}

std::string FirstOf(const std::string& sentence) { return sentence.empty() ? "" : sentence + ". "; }

struct SignsShown {
  std::set<std::string> words;
  bool has_interval = false;
  size_t rows = 0;
};

SignsShown ShownIn(const std::vector<Comparison>& comparisons, bool is_matrix) {
  SignsShown shown;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      shown.words.insert(WordOf(workload));
      const bool is_open = workload.invalid.empty() && workload.verdict == Verdict::kUnresolved;
      if (is_matrix && is_open) shown.words.insert("unresolved");  // Its rate, whatever its word.
      shown.has_interval = shown.has_interval || workload.ratio.interval;
      shown.rows += workload.invalid.empty() ? 1 : 0;
    }
  }
  return shown;
}

// Every sign and word of the screen's tables.
std::string SignsOf(const std::vector<Comparison>& comparisons, bool is_matrix, double margin) {
  const SignsShown shown = ShownIn(comparisons, is_matrix);
  const bool is_paired = std::ranges::all_of(comparisons, &Comparison::paired);
  const bool is_by_yardstick =
      std::ranges::any_of(comparisons, [](const auto& one) { return !one.yardstick.empty(); });
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
  if (shown.rows > 1) signs += "; verdicts hold with 95 % for all rows together";
  for (const Remark& remark : RemarksOnRows(comparisons)) {
    // A matrix has no room for the numbers of stalls.
    if (is_matrix && remark.kind == RemarkKind::kRowsWithStalls) continue;
    signs += "; " + ScreenWords(remark);
  }
  return signs + ".";
}

}  // namespace

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
  for (const Remark& build : BuildsIn(comparisons)) report.AddRemark(build, ScreenWords(build), 2);
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
  for (const Remark& build : BuildsIn(comparisons)) {
    warnings += InMarkdown(ScreenWords(build)) + "\n";
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

}  // namespace levelfield
