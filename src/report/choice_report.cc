#include "report/choice_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

// "keeps p99<1ms"; without an objective, "has a figure".
std::string DoesIt(const std::string& objective) {
  return objective.empty() ? "has a figure" : "keeps " + Printable(objective);
}

std::vector<std::string> NotMeasured(const Choice& choice) {
  std::vector<std::string> engines;
  for (const Candidate& candidate : choice.candidates) {
    if (candidate.is_unknown) engines.push_back(Printable(candidate.engine));
  }
  return engines;
}

// " No difference between treedb and it was found, but it keeps less than it claims."
std::string DeviatingWords(const std::vector<std::string>& engines, bool is_from_one) {
  if (engines.empty()) return "";
  const bool is_one = engines.size() == 1;
  return fmt::format(" No difference between {} and {} was found, but {} less than {} claim{}.",
                     Printable(Listed(engines)), is_from_one ? "it" : "them",
                     is_one ? "it keeps" : "they keep", is_one ? "it" : "they", is_one ? "s" : "");
}

// The answer with its margin: the best over the next.
std::string AnswerText(const Choice& choice, const std::string& objective) {
  if (!choice.has_answer() && choice.is_cut_off) {
    return "No answer: the run was ended before an engine had a figure.";
  }
  if (!choice.has_answer()) {
    return NotMeasured(choice).empty()
               ? fmt::format("No engine {}.", DoesIt(objective))
               : "No answer: it could not be measured. Below is why, and what to do.";
  }
  const Candidate& best = choice.candidates.front();
  const Candidate* const nearest = choice.Next();
  if (choice.candidates.size() == 1) {
    return fmt::format("{} was measured alone: --engine=all compares it with the others.",
                       best.engine);
  }
  if (nearest == nullptr) {
    const std::vector<std::string> unknown = NotMeasured(choice);
    if (unknown.empty()) {
      return fmt::format("{} is the only one that {}.", best.engine, DoesIt(objective));
    }
    return fmt::format("{} {}; {} could not be measured.", best.engine, DoesIt(objective),
                       Listed(unknown));
  }
  const Candidate& next = *nearest;
  const std::vector<std::string> tied = choice.Best();
  if (!choice.is_ranked()) {
    const std::string lead = IsBehind(next)
                                 ? fmt::format("{} is ahead, {:.2f} times {}", best.engine,
                                               1 / next.to_best.ratio, next.engine)
                                 : fmt::format("{} and {} are level", best.engine, next.engine);
    const bool is_one = choice.rounds == 1;
    return fmt::format("{}; {} {} of {} engines {} too few to rank them: use --repeat={}.", lead,
                       choice.rounds, is_one ? "round" : "rounds",
                       std::ranges::count(choice.candidates, "", &Candidate::why_not),
                       is_one ? "is" : "are", choice.needed_rounds);
  }
  if (tied.size() > 1) {
    const Fitting fitting = FittingOf(choice);
    if (fitting.engines.size() == 1) {
      return fmt::format("{} fits best.{}", fitting.engines.front(),
                         DeviatingWords(fitting.deviating, true));
    }
    return fmt::format("{} rounds do not separate {}. More may (--repeat, without --quick).{}",
                       choice.rounds, Printable(Listed(fitting.engines)),
                       DeviatingWords(fitting.deviating, false));
  }
  return fmt::format("{} fits best: {}{:.2f} times {}, the next{}.", best.engine,
                     best.is_at_least ? "at least " : "", 1 / next.to_best.ratio, next.engine,
                     next.to_best.interval
                         ? fmt::format(" ({:.2f} to {:.2f})", 1 / next.to_best.interval->high,
                                       1 / next.to_best.interval->low)
                         : "");
}

// What the figures are, and what makes them doubtful.
std::vector<Paragraph> NotesOf(const Choice& choice, const std::string& objective) {
  std::vector<Paragraph> notes;
  const auto add = [&](std::string words) { notes.push_back({std::move(words), 2}); };
  if (choice.rounds > 1) {
    add(fmt::format("{}: the geometric mean of {} rounds{}{}.",
                    objective.empty() ? "ops/s" : "up to", choice.rounds,
                    objective.empty() ? "" : ", operations a second",
                    choice.is_ranked() ? "; in brackets its 95 % interval" : ""));
  }
  if (std::ranges::any_of(choice.candidates, &Candidate::is_at_least)) {
    add("at least: higher rates could not be measured, because the load generator was late or a "
        "step had too few operations, so it is not ranked behind the best.");
  }
  const bool has_open = std::ranges::any_of(choice.candidates, [](const Candidate& candidate) {
    const std::optional<Interval>& ratio = candidate.to_best.interval;
    return candidate.verdict == Verdict::kUnresolved && ratio && ratio->high < 1;
  });
  if (has_open) {
    add("unresolved below 1: an interval holds for its row alone with 95 %, verdicts for all rows "
        "together, which takes more rounds.");
  }
  if (!choice.floors.empty()) {
    add(fmt::format("{} {} no store, and cannot be chosen: `levelfield report -v` has {} figures.",
                    Printable(Listed(choice.floors)), choice.floors.size() == 1 ? "is" : "are",
                    choice.floors.size() == 1 ? "its" : "their"));
  }
  if (choice.in_slices) add("In slices: all lived at once and took turns of some milliseconds.");
  if (choice.disturbed != 0) {
    add(
        fmt::format("! the machine was busy with other work for {} of {}: run again on an idle "
                    "machine.",
                    choice.disturbed, Plural(choice.candidates.size(), "engine")));
    notes.back().tone = Tone::kWarning;
  }
  return notes;
}

// "0.65 times leveldb (0.59 to 0.71)"
std::string TimesTheBest(const Choice& choice, const Candidate& candidate) {
  const RateRatio& ratio = candidate.to_best;
  return fmt::format(
      "{:.2f} times {}{}", ratio.ratio, Printable(choice.candidates.front().engine),
      ratio.interval ? fmt::format(" ({:.2f} to {:.2f})", ratio.interval->low, ratio.interval->high)
                     : "");
}

// Why it was chosen, or was not, in a line.
std::string WhyOf(const Choice& choice, const Candidate& candidate, bool is_chosen) {
  if (!candidate.why_not.empty()) {
    return fmt::format("{}: {}", candidate.is_unknown ? "not measured" : "cannot be chosen",
                       Printable(candidate.why_not));
  }
  const bool is_best = &candidate == &choice.candidates.front();
  const std::string less = candidate.deviation.empty()
                               ? ""
                               : "it keeps less than it claims: " + Printable(candidate.deviation);
  std::string why;
  if (is_best) {
    why = is_chosen ? "the best" : "the fastest";
  } else if (!choice.is_ranked()) {
    why = fmt::format("{} this time; {} rounds or more rank engines",
                      TimesTheBest(choice, candidate), choice.needed_rounds);
  } else if (candidate.verdict == Verdict::kSlower) {
    why = "slower: " + TimesTheBest(choice, candidate);
  } else {
    why =
        "unresolved, its rate is not told apart from the best: " + TimesTheBest(choice, candidate);
  }
  return less.empty() ? why : fmt::format("{}; {}", why, less);
}

// Whether none of these was an answer to the stated question.
bool IsAnother(const std::vector<std::string>& leaders, const std::vector<std::string>& stated) {
  if (leaders.empty()) return !stated.empty();
  return std::ranges::none_of(leaders, [&](const std::string& engine) {
    return std::ranges::find(stated, engine) != stated.end();
  });
}

std::string WhatIfAnswer(const Choice& choice, const std::vector<std::string>& leaders,
                         const std::vector<std::string>& stated) {
  if (leaders.empty()) {
    std::string answer = "no engine has a figure";
    if (!choice.candidates.empty()) {
      const Candidate& first = choice.candidates.front();
      answer += fmt::format("; {}: {}", Printable(first.engine), Printable(first.why_not));
    }
    return answer;
  }
  const bool is_same = std::ranges::is_permutation(leaders, stated);
  const bool is_tie = leaders.size() > 1;
  const std::string answer = fmt::format("{}{}{}", Printable(Listed(leaders)), is_tie ? " tie" : "",
                                         is_same ? " still" : "");
  const std::vector<Candidate>& candidates = choice.candidates;
  const bool has_next = candidates.size() > 1 && candidates[1].why_not.empty();
  const std::string rate = Rate(candidates[0].rate) + " ops/s";
  if (!has_next) return candidates.size() == 1 ? rate : answer + ", the only one, " + rate;
  const Candidate& next = candidates[is_tie ? leaders.size() - 1 : 1];
  const std::string ahead =
      fmt::format("{:.2f} times {}", candidates[0].rate / next.rate, Printable(next.engine));
  return is_tie ? fmt::format("{} ({} {})", answer, Printable(candidates[0].engine), ahead)
                : answer + ", " + ahead;
}

// What one round of another question says of the answer.
AnsweredChange ChangeOf(const WhatIf& what_if, const std::vector<std::string>& leaders,
                        const Choice& stated) {
  const std::vector<std::string> answer = StatedAnswer(stated);
  const bool is_another = IsAnother(leaders, answer);
  const bool is_disturbed = what_if.choice.disturbed != 0;
  return {.question = what_if.question,
          .answer = WhatIfAnswer(what_if.choice, leaders, answer),
          .is_tried = true,
          .changes_answer = is_another && !is_disturbed,
          .is_doubtful = is_another && is_disturbed};
}

}  // namespace

Report ChoiceReport(const Choice& choice, const std::string& asked, const std::string& objective) {
  Table table{
      .title = "engine",
      .columns = {{objective.empty() ? "ops/s" : "keeps " + Printable(objective) + " up to"},
                  {"of the best"},
                  {""}}};
  std::vector<std::string> reasons;
  for (const Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) {
      table.rows.push_back({Printable(candidate.engine),
                            {"-", "", candidate.is_unknown ? "not measured" : "cannot be chosen"}});
      reasons.push_back(
          fmt::format("{}: {}", Printable(candidate.engine), Printable(candidate.why_not)));
      continue;
    }
    const bool is_best = &candidate == &choice.candidates.front();
    Cell rate = RateCell(candidate.rate, candidate.interval);
    if (candidate.is_at_least) rate.text = "at least " + rate.text;
    table.rows.push_back({Printable(candidate.engine),
                          {std::move(rate), is_best ? Cell() : RatioCell(candidate.to_best),
                           is_best ? "best" : std::string(NameOf(candidate.verdict))}});
    if (candidate.deviation.empty()) continue;
    reasons.push_back(fmt::format("{} keeps less than it claims: {}", Printable(candidate.engine),
                                  Printable(candidate.deviation)));
  }
  Report report;
  report.Add(Paragraph{AnswerText(choice, objective), 2, true, Tone::kBest});
  report.Add(Paragraph{Printable(asked), 2});
  report.Add(std::move(table));
  if (!reasons.empty()) report.Add(Gap{});
  for (const std::string& reason : reasons) report.Add(Paragraph{reason, 2});
  for (Paragraph& note : NotesOf(choice, objective)) report.Add(std::move(note));
  return report;
}

Report WhatIfReport(const Choice& stated, const std::vector<WhatIf>& what_ifs) {
  Report report;
  report.Add(Gap{});
  report.Add(
      Paragraph{"What would change the answer (one round each, so only large differences count)"});
  size_t width = 0;
  for (const WhatIf& what_if : what_ifs) width = std::max(width, what_if.question.size());
  bool has_change = false;
  bool has_answers = false;
  bool has_doubt = false;
  bool has_tie = false;
  std::map<std::string, std::vector<std::string>> not_tried;  // By the reason.
  for (const WhatIf& what_if : what_ifs) {
    if (!what_if.why_not.empty()) {
      not_tried[Printable(what_if.why_not)].push_back(what_if.question);
      continue;
    }
    const std::vector<std::string> leaders = Leaders(what_if.choice, stated);
    const AnsweredChange change = ChangeOf(what_if, leaders, stated);
    has_tie = has_tie || leaders.size() > 1;
    has_change = has_change || change.changes_answer;
    has_doubt = has_doubt || change.is_doubtful;
    has_answers = true;
    const char* const mark = change.changes_answer ? "*" : change.is_doubtful ? "?" : " ";
    report.Add(
        Paragraph{fmt::format("  {} {:{}}  {}", mark, what_if.question, width, change.answer), 6});
  }
  for (const auto& [why_not, questions] : not_tried) {
    report.Add(Paragraph{fmt::format("    not tried ({}): {}", why_not, Listed(questions)), 6});
  }
  if (has_change) {
    report.Add(Paragraph{"  * no engine that was best above is among the best here", 4});
  } else if (has_answers && !has_doubt) {
    report.Add(
        Paragraph{"  In each that was tried, an engine of the answer above is among the best.", 4});
  }
  if (has_doubt) {
    report.Add(Paragraph{
        "  ? the same, but the machine was busy in that round: ask this alone to know", 4});
  }
  if (has_tie) {
    report.Add(
        Paragraph{"  tie: they differ by no more than two rounds of the question above did", 4});
  }
  return report;
}

ChoiceAnswer AnswerOf(const Choice& choice, const std::string& asked, const std::string& objective,
                      const std::vector<WhatIf>& what_ifs) {
  ChoiceAnswer answer{.answer = AnswerText(choice, objective),
                      .asked = Printable(asked),
                      .figure = objective.empty() ? "ops/s" : "ops/s that keep " + objective};
  const std::vector<std::string> chosen =
      choice.is_ranked() ? FittingOf(choice).engines : StatedAnswer(choice);
  for (const Candidate& candidate : choice.candidates) {
    AnsweredEngine& engine = answer.engines.emplace_back();
    engine.engine = candidate.engine;
    engine.is_chosen =
        candidate.why_not.empty() && std::ranges::find(chosen, candidate.engine) != chosen.end();
    engine.why = WhyOf(choice, candidate, engine.is_chosen);
    if (!candidate.why_not.empty()) continue;
    engine.rate = candidate.rate;
    engine.is_at_least = candidate.is_at_least;
    engine.ratio = candidate.to_best.ratio;
    if (candidate.interval) {
      engine.low = candidate.interval->low;
      engine.high = candidate.interval->high;
    }
    if (candidate.to_best.interval) {
      engine.ratio_low = candidate.to_best.interval->low;
      engine.ratio_high = candidate.to_best.interval->high;
    }
  }
  for (const Paragraph& note : NotesOf(choice, objective)) answer.notes.push_back(note.words);
  for (const WhatIf& what_if : what_ifs) {
    answer.changes.push_back(
        what_if.why_not.empty()
            ? ChangeOf(what_if, Leaders(what_if.choice, choice), choice)
            : AnsweredChange{.question = what_if.question, .answer = Printable(what_if.why_not)});
  }
  return answer;
}

}  // namespace levelfield
