#include "report/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "report/markdown_paper.h"
#include "report/number.h"

namespace levelfield {
namespace {

std::string RatioText(const ComparedWorkload& workload) {
  const std::string ratio = fmt::format("{:.3f}", workload.ratio.ratio);
  if (!workload.ratio.interval) return ratio;
  return fmt::format("{} [{:.3f}, {:.3f}]", ratio, workload.ratio.interval->low,
                     workload.ratio.interval->high);
}

std::string VerdictText(const ComparedWorkload& workload) {
  return fmt::format(
      "{}{}", VerdictName(workload.verdict),
      workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "");
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

std::string Lines(const Comparison& comparison) {
  size_t width = 8;
  for (const ComparedWorkload& workload : comparison.workloads) {
    width = std::max(width, Printable(workload.workload).size());
  }
  std::string text =
      fmt::format("\n{}\n{:{}}  {:>10}  {:>10}  {:24}  {:>6}  {}\n", Title(comparison), "workload",
                  width, "baseline", "candidate", "ratio of rates", "rounds", "verdict");
  for (const ComparedWorkload& workload : comparison.workloads) {
    if (!workload.invalid.empty()) {
      text += fmt::format("{:{}}  invalid: {}\n", Printable(workload.workload), width,
                          Printable(workload.invalid));
      continue;
    }
    text += fmt::format("{:{}}  {:>10}  {:>10}  {:24}  {:>6}  {}\n", Printable(workload.workload),
                        width, Rate(workload.baseline), Rate(workload.candidate),
                        RatioText(workload), workload.rounds, VerdictText(workload));
  }
  for (const std::string& note : NotesOf(comparison)) text += note + "\n";
  return text;
}

// What is said below all of them; a line break is where a terminal has one.
std::vector<std::string> Footer(const std::vector<Comparison>& comparisons, double margin) {
  bool is_indicative = false;
  bool is_noise_known = true;
  double confidence = ConfidenceOfEach(1);
  for (const Comparison& comparison : comparisons) {
    confidence = std::max(confidence, comparison.confidence);
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) continue;
      is_indicative = is_indicative || workload.verdict == Verdict::kIndicative;
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
  if (!is_noise_known) {
    footer.emplace_back(
        "Noise is not measured: small differences may be this machine's. `levelfield noise` "
        "measures it,\nand --noise=<its result> lets nothing smaller be claimed.");
  }
  if (is_indicative) {
    const size_t least = LeastRepetitions(confidence);
    footer.push_back(fmt::format(
        "Fewer than {} rounds are indicative and rank nothing: --repeat={}.", least, least));
  }
  return footer;
}

std::string InOneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string RenderComparisons(const std::vector<Comparison>& comparisons, double margin) {
  std::string text;
  for (const Comparison& comparison : comparisons) text += Lines(comparison);
  text += "\n";
  for (const std::string& words : Footer(comparisons, margin)) text += words + "\n";
  return text;
}

std::string MarkdownOfComparisons(const std::vector<Comparison>& comparisons, double margin) {
  const MarkdownPaper paper;
  std::string text;
  for (const Comparison& comparison : comparisons) {
    std::vector<std::vector<std::string>> rows;
    for (const ComparedWorkload& workload : comparison.workloads) {
      const std::string name = Printable(workload.workload);
      if (!workload.invalid.empty()) {
        rows.push_back({name, "", "", "", "", "invalid: " + Printable(workload.invalid)});
        continue;
      }
      rows.push_back({name, Rate(workload.baseline), Rate(workload.candidate), RatioText(workload),
                      std::to_string(workload.rounds), VerdictText(workload)});
    }
    text += "\n### " + InMarkdown(Title(comparison)) + "\n" +
            MarkdownTable({"workload", "baseline, ops/s", "candidate, ops/s", "ratio of rates",
                           "rounds", "verdict"},
                          "lrrrrl", rows);
    if (const auto notes = NotesOf(comparison); !notes.empty()) {
      text += paper.Gap();
      for (const std::string& note : notes) text += paper.Paragraph(note, 4);
    }
  }
  for (const std::string& words : Footer(comparisons, margin)) {
    text += paper.Paragraph(InOneLine(words), 0);
  }
  return text;
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
