#include "report/choice_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "report/model.h"
#include "report/number.h"
#include "report/terminal.h"

namespace levelfield {
namespace {

// "a, b and c"
std::string Listed(const std::vector<std::string>& engines) {
  std::string text;
  for (size_t i = 0; i < engines.size(); ++i) {
    if (i != 0) text += i + 1 == engines.size() ? " and " : ", ";
    text += Printable(engines[i]);
  }
  return text;
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
  if (!choice.is_ranked()) {
    return fmt::format(
        "{} is ahead, {:.2f} times {}; {} round{} of {} engines {} indicative and rank nothing: "
        "--repeat={} does\n",
        best.engine, 1 / next.to_best.ratio, next.engine, choice.rounds,
        choice.rounds == 1 ? "" : "s", able.size(), choice.rounds == 1 ? "is" : "are",
        choice.needed_rounds);
  }
  if (tied.size() > 1) {
    return fmt::format("{} are not told apart by {} rounds: take either, or give --repeat more.\n",
                       Listed(tied), choice.rounds);
  }
  return fmt::format("{} fits best: {:.2f} times {}, the next{}.\n", best.engine,
                     1 / next.to_best.ratio, next.engine,
                     next.to_best.interval
                         ? fmt::format(" ({:.2f} to {:.2f})", 1 / next.to_best.interval->high,
                                       1 / next.to_best.interval->low)
                         : "");
}

// Of engines that are not told apart all are the answer; where nothing is ranked, the one ahead is.
std::vector<std::string> StatedAnswer(const Choice& stated) {
  if (!stated.has_answer()) return {};
  if (stated.is_ranked()) return stated.Best();
  return {stated.candidates.front().engine};
}

// None of these was an answer to the question that was stated.
bool IsAnother(const std::vector<std::string>& leaders, const std::vector<std::string>& stated) {
  if (leaders.empty()) return !stated.empty();
  return std::ranges::none_of(leaders, [&](const std::string& engine) {
    return std::ranges::find(stated, engine) != stated.end();
  });
}

std::string WhatIfAnswer(const Choice& choice, const std::vector<std::string>& leaders,
                         const std::vector<std::string>& stated) {
  if (leaders.empty()) {
    std::string answer = "no engine does it";
    if (!choice.candidates.empty()) {
      const Candidate& first = choice.candidates.front();
      answer += fmt::format("; {}: {}", Printable(first.engine), Printable(first.why_not));
    }
    return answer;
  }
  const bool is_same = std::ranges::is_permutation(leaders, stated);
  const bool is_tie = leaders.size() > 1;
  const std::string answer =
      fmt::format("{}{}{}", Listed(leaders), is_tie ? " tie" : "", is_same ? " still" : "");
  const std::vector<Candidate>& candidates = choice.candidates;
  const bool has_next = candidates.size() > 1 && candidates[1].why_not.empty();
  if (!has_next) return answer + ", the only one that does it";
  const std::string ahead =
      fmt::format("{:.2f} times {}", candidates[0].median / candidates[1].median,
                  Printable(candidates[1].engine));
  return is_tie ? fmt::format("{} ({} {})", answer, Printable(candidates[0].engine), ahead)
                : answer + ", " + ahead;
}

}  // namespace

std::string RenderChoice(const Choice& choice, const std::string& asked,
                         const std::string& objective) {
  Table table{
      .title = "engine",
      .columns = {{objective.empty() ? "ops/s" : "keeps " + Printable(objective) + " up to"},
                  {"of the best"},
                  {""}}};
  std::vector<std::string> reasons;
  for (const Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) {
      table.rows.push_back({Printable(candidate.engine), {"-", "", "cannot be chosen"}});
      reasons.push_back(
          fmt::format("{}: {}", Printable(candidate.engine), Printable(candidate.why_not)));
      continue;
    }
    const bool is_best = &candidate == &choice.candidates.front();
    table.rows.push_back({Printable(candidate.engine),
                          {RateCell(candidate.median, candidate.interval),
                           is_best ? Cell() : RatioCell(candidate.to_best),
                           is_best ? "best" : std::string(VerdictName(candidate.verdict))}});
  }
  Report report;
  report.Add(Gap{});
  report.AddLine(Printable(asked));
  report.Add(std::move(table));
  report.Add(Gap{});
  for (const std::string& reason : reasons) report.AddLine(reason);
  if (!reasons.empty()) report.Add(Gap{});
  return WriteTerminal(report) + AnswerText(choice);
}

std::string RenderWhatIfs(const Choice& stated, const std::vector<WhatIf>& what_ifs) {
  std::string text = "\nWhat would change the answer (one round each: indicative)\n";
  size_t width = 0;
  for (const WhatIf& what_if : what_ifs) width = std::max(width, what_if.question.size());
  bool has_change = false;
  bool has_tie = false;
  for (const WhatIf& what_if : what_ifs) {
    if (!what_if.why_not.empty()) {
      text += fmt::format("    {:{}}  not tried: {}\n", what_if.question, width,
                          Printable(what_if.why_not));
      continue;
    }
    const std::vector<std::string> leaders = Leaders(what_if.choice, stated);
    const bool is_change = IsAnother(leaders, StatedAnswer(stated));
    has_change = has_change || is_change;
    has_tie = has_tie || leaders.size() > 1;
    text += fmt::format("  {} {:{}}  {}\n", is_change ? "*" : " ", what_if.question, width,
                        WhatIfAnswer(what_if.choice, leaders, StatedAnswer(stated)));
  }
  if (has_change) text += "  * another answer than the one above\n";
  if (has_tie) {
    text += "  a tie: they differ by no more than rounds of the question above do\n";
  }
  return text;
}

}  // namespace levelfield
