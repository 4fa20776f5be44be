#include "report/choice_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quote.h"
#include "report/number.h"
#include "report/text_table.h"

namespace levelfield {
namespace {

std::string Range(const std::optional<Interval>& interval) {
  return interval ? fmt::format(" [{} .. {}]", Rate(interval->low), Rate(interval->high)) : "";
}

std::string RatioText(const RateRatio& ratio) {
  if (!ratio.interval) return fmt::format("{:.3f}", ratio.ratio);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.ratio, ratio.interval->low,
                     ratio.interval->high);
}

// The margin: the best over the next.
std::string AnswerText(const Choice& choice) {
  if (!choice.has_answer()) return "No engine does it.\n";
  const Candidate& best = choice.candidates.front();
  std::vector<const Candidate*> able;
  for (const Candidate& candidate : choice.candidates) {
    if (candidate.why_not.empty()) able.push_back(&candidate);
  }
  if (able.size() == 1) return fmt::format("{} is the only one that does it.\n", best.engine);
  const Candidate& next = *able[1];
  const std::vector<std::string> tied = choice.Best();
  if (next.verdict == Verdict::kIndicative) {
    return fmt::format(
        "{} is ahead, {:.2f} times {}; {} round{} are indicative and rank nothing: --repeat={}\n",
        best.engine, 1 / next.to_best.ratio, next.engine, choice.rounds,
        choice.rounds == 1 ? "" : "s", kLeastRepetitions);
  }
  if (tied.size() > 1) {
    return fmt::format("{} are not told apart by {} rounds: take either, or give --repeat more.\n",
                       fmt::join(tied, " and "), choice.rounds);
  }
  return fmt::format("{} fits best: {:.2f} times {}, the next{}.\n", best.engine,
                     1 / next.to_best.ratio, next.engine,
                     next.to_best.interval
                         ? fmt::format(" ({:.2f} to {:.2f})", 1 / next.to_best.interval->high,
                                       1 / next.to_best.interval->low)
                         : "");
}

}  // namespace

std::string RenderChoice(const Choice& choice, const std::string& asked,
                         const std::string& objective) {
  Table table{.title = "engine",
              .heads = {objective.empty() ? "ops/s" : "keeps " + Printable(objective) + " up to",
                        "of the best", ""},
              .rows = {}};
  std::string reasons;
  for (const Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) {
      table.rows.push_back({Printable(candidate.engine), {"-", "", "cannot be chosen"}});
      reasons += fmt::format("{}: {}\n", Printable(candidate.engine), Printable(candidate.why_not));
      continue;
    }
    const bool is_best = &candidate == &choice.candidates.front();
    table.rows.push_back({Printable(candidate.engine),
                          {Rate(candidate.median) + Range(candidate.interval),
                           is_best ? "" : RatioText(candidate.to_best),
                           is_best ? "best" : std::string(VerdictName(candidate.verdict))}});
  }
  return fmt::format("\n{}\n{}\n{}{}", Printable(asked), Draw(table, 120),
                     reasons.empty() ? "" : reasons + "\n", AnswerText(choice));
}

std::string RenderWhatIfs(const Choice& stated, const std::vector<WhatIf>& what_ifs) {
  std::string text = "\nWhat would change the answer (one round each: indicative)\n";
  size_t width = 0;
  for (const WhatIf& what_if : what_ifs) width = std::max(width, what_if.question.size());
  const std::vector<std::string> best = stated.Best();
  for (const WhatIf& what_if : what_ifs) {
    if (!what_if.why_not.empty()) {
      text += fmt::format("    {:{}}  not tried: {}\n", what_if.question, width,
                          Printable(what_if.why_not));
      continue;
    }
    std::string answer = "no engine does it";
    bool is_same = false;
    if (what_if.choice.has_answer()) {
      const std::vector<Candidate>& candidates = what_if.choice.candidates;
      const Candidate& first = candidates.front();
      is_same = std::ranges::find(best, first.engine) != best.end();
      answer = first.engine + (is_same ? " still" : "");
      if (candidates.size() > 1 && candidates[1].why_not.empty() && candidates[1].median > 0) {
        answer += fmt::format(", {:.2f} times {}", first.median / candidates[1].median,
                              candidates[1].engine);
      }
    }
    text += fmt::format("  {} {:{}}  {}\n", is_same ? " " : "*", what_if.question, width, answer);
  }
  return text + "  * another answer than the one above\n";
}

}  // namespace levelfield
