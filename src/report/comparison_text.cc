#include "report/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "report/number.h"

namespace levelfield {
namespace {

std::string RatioText(const ComparedWorkload& workload) {
  const std::string ratio = fmt::format("{:.3f}", workload.ratio.ratio);
  if (!workload.ratio.interval) return ratio;
  return fmt::format("{} [{:.3f}, {:.3f}]", ratio, workload.ratio.interval->low,
                     workload.ratio.interval->high);
}

std::string Lines(const Comparison& comparison) {
  size_t width = 8;
  for (const ComparedWorkload& workload : comparison.workloads) {
    width = std::max(width, Printable(workload.workload).size());
  }
  const std::string title =
      fmt::format("{} against {}", Printable(comparison.candidate), Printable(comparison.baseline));
  std::string text = fmt::format(
      "\n{}{}\n{:{}}  {:>10}  {:>10}  {:24}  {:>6}  {}\n", title,
      comparison.together ? ", at the same moment: over the time that both ran"
      : comparison.paired ? ""
                          : ", not interleaved: what the machine did between the two "
                            "is in the ratio",
      "workload", width, "baseline", "candidate", "ratio of rates", "rounds", "verdict");
  for (const ComparedWorkload& workload : comparison.workloads) {
    if (!workload.invalid.empty()) {
      text += fmt::format("{:{}}  invalid: {}\n", Printable(workload.workload), width,
                          Printable(workload.invalid));
      continue;
    }
    text += fmt::format(
        "{:{}}  {:>10}  {:>10}  {:24}  {:>6}  {}{}\n", Printable(workload.workload), width,
        Rate(workload.baseline), Rate(workload.candidate), RatioText(workload), workload.rounds,
        VerdictName(workload.verdict),
        workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "");
  }
  if (!comparison.not_ranked.empty()) {
    text += "not ranked: " + Printable(comparison.not_ranked) + "\n";
  }
  for (const std::string& note : comparison.notes) text += "note: " + Printable(note) + "\n";
  return text;
}

}  // namespace

std::string RenderComparisons(const std::vector<Comparison>& comparisons, double margin) {
  std::string text;
  bool is_indicative = false;
  bool is_noise_known = true;
  double confidence = ConfidenceOfEach(1);
  for (const Comparison& comparison : comparisons) {
    text += Lines(comparison);
    confidence = std::max(confidence, comparison.confidence);
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!workload.invalid.empty()) continue;
      is_indicative = is_indicative || workload.verdict == Verdict::kIndicative;
      is_noise_known = is_noise_known && workload.noise > 0;
    }
  }
  text += fmt::format(
      "\nops/s, medians of the rounds; the ratio is the median of the rounds' ratios, in brackets "
      "the\ninterval that holds with {:.3g} %{}. Equivalent: within {:.1f} %.\n",
      100 * confidence,
      comparisons.size() > 1 && confidence > ConfidenceOfEach(1)
          ? fmt::format(", so that all {} together hold with 95 %", comparisons.size())
          : "",
      100 * margin);
  if (!is_noise_known) {
    text +=
        "Noise is not measured: small differences may be this machine's. `levelfield noise` "
        "measures "
        "it,\nand --noise=<its result> lets nothing smaller be claimed.\n";
  }
  if (is_indicative) {
    const size_t least = LeastRepetitions(confidence);
    text += fmt::format("Fewer than {} rounds are indicative and rank nothing: --repeat={}.\n",
                        least, least);
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
