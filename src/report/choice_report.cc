#include "report/choice_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/comparison.h"
#include "analysis/durability.h"
#include "analysis/equal_stores.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

const PhaseResult* PhaseOf(const RunResult& run, const std::string& workload) {
  const auto it = std::ranges::find_if(run.phases, [&](const PhaseResult& phase) {
    return phase.workload == workload && !phase.implicit;
  });
  return it == run.phases.end() ? nullptr : &*it;
}

// The figure to compare: the highest rate that kept the objective if there is one, otherwise the
// rate.
std::optional<double> FigureOf(const RunResult& run, const std::string& workload) {
  const PhaseResult* const phase = PhaseOf(run, workload);
  if (phase == nullptr || phase->outcome != Outcome::kOk) return std::nullopt;
  if (phase->slo) return static_cast<double>(phase->slo->rate);
  return RateOf(*phase);
}

std::vector<std::optional<double>> FiguresOf(const Series& series, const std::string& workload) {
  std::vector<std::optional<double>> figures;
  for (const RunResult* const run : series.rounds) figures.push_back(FigureOf(*run, workload));
  return figures;
}

std::string WhyNot(const Series& series, const std::string& workload,
                   const std::vector<double>& figures) {
  if (!figures.empty() && figures.size() == series.rounds.size()) {
    const bool keeps = std::ranges::all_of(figures, [](double figure) { return figure > 0; });
    return keeps ? "" : "keeps the objective at no rate that was tried";
  }
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    const std::string& message = phase != nullptr ? phase->message : run->message;
    if (!message.empty()) return message;
  }
  return "did not run to its end";
}

// The largest distance of a round's ratio of two engines from the median ratio, as a logarithm.
// Nothing if fewer than two rounds have both.
std::optional<double> ScatterOf(const Candidate& one, const Candidate& other) {
  const PairedValues pairs = Paired(one.figures, other.figures);
  std::vector<double> logarithms;
  for (size_t i = 0; i < pairs.first.size(); ++i) {
    if (pairs.first[i] <= 0 || pairs.second[i] <= 0) continue;
    logarithms.push_back(std::log(pairs.first[i] / pairs.second[i]));
  }
  if (logarithms.size() < 2) return std::nullopt;
  const double median = Median(logarithms);
  double most = 0;
  for (const double value : logarithms) most = std::max(most, std::abs(value - median));
  return most;
}

const Candidate* FindCandidate(const Choice& choice, const std::string& engine) {
  const auto it = std::ranges::find(choice.candidates, engine, &Candidate::engine);
  return it == choice.candidates.end() ? nullptr : &*it;
}

// The scatter of two engines. If these rounds lack one of them, the largest of any two.
double ScatterIn(const Choice& stated, const std::string& one, const std::string& other) {
  const Candidate* const first = FindCandidate(stated, one);
  const Candidate* const second = FindCandidate(stated, other);
  if (first != nullptr && second != nullptr) {
    if (const auto scatter = ScatterOf(*first, *second)) return *scatter;
  }
  double most = 0;
  for (const Candidate& a : stated.candidates) {
    for (const Candidate& b : stated.candidates) {
      most = std::max(most, ScatterOf(a, b).value_or(0));
    }
  }
  return most;
}

// The nearest to the best of those that can be chosen; null: there is no other.
const Candidate* NextOf(const Choice& choice) {
  const Candidate* next = nullptr;
  for (const Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty() || &candidate == &choice.candidates.front()) continue;
    if (next == nullptr || candidate.to_best.ratio > next->to_best.ratio) next = &candidate;
  }
  return next;
}

bool IsAhead(const Candidate& next) { return 1 / next.to_best.ratio >= 1.005; }

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
  const Candidate* const nearest = NextOf(choice);
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
    const std::string lead = IsAhead(next)
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
    std::vector<std::string> sound;
    std::vector<std::string> deviating;
    for (const std::string& engine : tied) {
      (FindCandidate(choice, engine)->deviation.empty() ? sound : deviating).push_back(engine);
    }
    if (sound.empty()) sound.swap(deviating);
    if (sound.size() == 1) {
      return fmt::format("{} fits best.{}", sound.front(), DeviatingWords(deviating, true));
    }
    return fmt::format(
        "{} rounds find no difference between {}. More rounds may separate them (--repeat).{}",
        choice.rounds, Printable(Listed(sound)), DeviatingWords(deviating, false));
  }
  return fmt::format("{} fits best: {}{:.2f} times {}, the next{}.", best.engine,
                     best.is_at_least ? "at least " : "", 1 / next.to_best.ratio, next.engine,
                     next.to_best.interval
                         ? fmt::format(" ({:.2f} to {:.2f})", 1 / next.to_best.interval->high,
                                       1 / next.to_best.interval->low)
                         : "");
}

// All engines that are not told apart. If nothing is ranked, the one ahead, or both of two that are
// level.
std::vector<std::string> StatedAnswer(const Choice& stated) {
  if (!stated.has_answer()) return {};
  if (stated.is_ranked()) return stated.Best();
  std::vector<std::string> answer = {stated.candidates.front().engine};
  const Candidate* const next = NextOf(stated);
  if (next != nullptr && !IsAhead(*next)) answer.push_back(next->engine);
  return answer;
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
  const std::string ahead =
      fmt::format("{:.2f} times {}", candidates[0].rate / candidates[1].rate,
                  Printable(candidates[1].engine));
  return is_tie ? fmt::format("{} ({} {})", answer, Printable(candidates[0].engine), ahead)
                : answer + ", " + ahead;
}

// Compares each able candidate with the best by the highest rate that keeps the objective. The best
// is found from the same figures, so all pairs are one family.
void CompareKept(Choice& choice, double margin) {
  std::vector<Claim> claims;
  for (Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) continue;
    const PairedValues pairs = Paired(choice.candidates.front().figures, candidate.figures);
    candidate.to_best = ComparePaired(pairs.first, pairs.second);
    candidate.verdict = Judge(candidate.to_best, margin, 0);
    // It may keep more than the best does.
    const bool is_bound = candidate.is_at_least && &candidate != &choice.candidates.front();
    if (is_bound && candidate.to_best.interval) candidate.verdict = Verdict::kUnresolved;
    if (&candidate != &choice.candidates.front()) {
      claims.push_back({&candidate.to_best, 0, &candidate.verdict});
    }
  }
  HoldTogether(claims, margin, claims.size() * (claims.size() + 1) / 2);
}

// The same by their rates, in slices if they ran so.
void CompareRates(const Result& result, const std::string& workload, double margin,
                  Choice& choice) {
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<Comparison> pairs = CompareAllPairs(StoresOf(all), {.margin = margin});
  const std::string& best = choice.candidates.front().engine;
  choice.candidates.front().to_best = {.ratio = 1};
  for (const Comparison& pair : pairs) {
    if (pair.baseline != best) continue;
    const auto candidate = std::ranges::find(choice.candidates, pair.candidate, &Candidate::engine);
    const auto row = std::ranges::find(pair.workloads, workload, &ComparedWorkload::workload);
    if (candidate == choice.candidates.end() || row == pair.workloads.end()) continue;
    if (!candidate->why_not.empty()) continue;
    candidate->to_best = row->ratio;
    candidate->verdict = row->verdict;
    choice.in_slices = choice.in_slices || row->in_slices;
  }
  if (choice.in_slices) choice.needed_rounds = kLeastProcessPairs;
}

}  // namespace

namespace {

// The workload's phase in each store's series.
std::vector<PhaseOfSeries> PhasesOf(const std::vector<Series>& all, const std::string& workload) {
  std::vector<PhaseOfSeries> phases;
  for (const Series* const series : StoresOf(all)) {
    const auto& of = series->sum.phases;
    for (size_t i = 0; i < of.size(); ++i) {
      if (of[i].workload == workload && !of[i].implicit) phases.push_back({series, i});
    }
  }
  return phases;
}

Candidate CandidateOf(const Series& series, const std::string& workload) {
  Candidate candidate;
  candidate.engine = series.sum.engine;
  candidate.figures = FiguresOf(series, workload);
  const std::vector<double> figures = Present(candidate.figures);
  candidate.why_not = WhyNot(series, workload, figures);
  candidate.is_unknown = std::ranges::any_of(series.rounds, [&](const RunResult* run) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    return phase != nullptr && phase->outcome == Outcome::kInvalid;
  });
  candidate.is_at_least = std::ranges::any_of(series.rounds, [&](const RunResult* run) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    return phase != nullptr && phase->slo && phase->slo->is_at_least;
  });
  if (candidate.why_not.empty()) {
    for (const PhaseResult& phase : series.sum.phases) {
      if (phase.workload != workload || !candidate.deviation.empty()) continue;
      candidate.deviation = DurabilityOf(series.sum, phase).known_deviation;
    }
    candidate.rate = GeometricMean(figures);
    candidate.interval = GeometricMeanInterval(figures);
  }
  return candidate;
}

}  // namespace

std::vector<std::string> Leaders(const Choice& what_if, const Choice& stated) {
  std::vector<std::string> leaders;
  if (!what_if.has_answer()) return leaders;
  const Candidate& first = what_if.candidates.front();
  for (const Candidate& candidate : what_if.candidates) {
    if (!candidate.why_not.empty()) continue;
    const double behind = std::log(first.rate / candidate.rate);
    const bool is_first = &candidate == &first;
    if (is_first || behind <= ScatterIn(stated, first.engine, candidate.engine)) {
      leaders.push_back(candidate.engine);
    }
  }
  return leaders;
}

std::vector<std::string> Choice::Best() const {
  std::vector<std::string> best;
  for (const Candidate& candidate : candidates) {
    if (!candidate.why_not.empty()) continue;
    if (best.empty() || candidate.verdict != Verdict::kSlower) best.push_back(candidate.engine);
  }
  return best;
}

Choice Choose(const Result& result, const std::string& workload, double margin) {
  const std::vector<Series> all = SeriesOf(result);
  bool has_objective = false;
  Choice choice{.candidates = {}, .is_cut_off = IsCutOff(result)};
  for (const Series& series : all) {
    if (series.sum.is_baseline_engine) continue;
    choice.candidates.push_back(CandidateOf(series, workload));
    has_objective = has_objective || std::ranges::any_of(series.rounds, [&](const RunResult* run) {
                      const PhaseResult* const phase = PhaseOf(*run, workload);
                      return phase != nullptr && phase->slo.has_value();
                    });
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult& phase = series.sum.phases[i];
      const bool is_asked = phase.workload == workload && !phase.implicit;
      choice.disturbed += is_asked && IsDisturbed(series, i) ? 1 : 0;
    }
    choice.rounds = std::max(choice.rounds, series.rounds.size());
  }
  const std::string unequal = WhyUnequal(PhasesOf(all, workload));
  for (Candidate& candidate : choice.candidates) {
    if (unequal.empty() || !candidate.why_not.empty()) continue;
    candidate.why_not = "not ranked: " + unequal;
    candidate.is_unknown = true;
  }
  std::ranges::stable_sort(choice.candidates, std::greater(), &Candidate::rate);
  if (choice.candidates.empty()) return choice;
  has_objective ? CompareKept(choice, margin) : CompareRates(result, workload, margin, choice);
  return choice;
}

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
  if (choice.rounds > 1) {
    report.Add(Paragraph{fmt::format("{}: the geometric mean of the rounds{}.",
                                     objective.empty() ? "ops/s" : "up to",
                                     objective.empty() ? "" : ", operations a second"),
                         2});
  }
  if (std::ranges::any_of(choice.candidates, &Candidate::is_at_least)) {
    report.Add(Paragraph{"at least: higher rates could not be measured, because the load "
                         "generator was late or a step had too few operations, so it is not ranked "
                         "behind the best.",
                         2});
  }
  const bool has_open = std::ranges::any_of(choice.candidates, [](const Candidate& candidate) {
    const std::optional<Interval>& ratio = candidate.to_best.interval;
    return candidate.verdict == Verdict::kUnresolved && ratio && ratio->high < 1;
  });
  if (has_open) {
    report.Add(
        Paragraph{"unresolved below 1: an interval holds for its row alone with 95 %, "
                  "verdicts for all rows together, which takes more rounds.",
                  2});
  }
  if (choice.in_slices) {
    report.Add(Paragraph{"In slices: all lived at once and took turns of some milliseconds.", 2});
  }
  if (choice.disturbed != 0) {
    report.Add(Paragraph{fmt::format("! the machine was busy with other work for {} of {}: run "
                                     "again on an idle machine.",
                                     choice.disturbed, Plural(choice.candidates.size(), "engine")),
                         2, true, Tone::kWarning});
  }
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
  bool has_tie = false;
  std::map<std::string, std::vector<std::string>> not_tried;  // By the reason.
  for (const WhatIf& what_if : what_ifs) {
    if (!what_if.why_not.empty()) {
      not_tried[Printable(what_if.why_not)].push_back(what_if.question);
      continue;
    }
    const std::vector<std::string> leaders = Leaders(what_if.choice, stated);
    const bool is_change = IsAnother(leaders, StatedAnswer(stated));
    has_tie = has_tie || leaders.size() > 1;
    has_change = has_change || is_change;
    has_answers = true;
    report.Add(
        Paragraph{fmt::format("  {} {:{}}  {}", is_change ? "*" : " ", what_if.question, width,
                              WhatIfAnswer(what_if.choice, leaders, StatedAnswer(stated))),
                  6});
  }
  for (const auto& [why_not, questions] : not_tried) {
    report.Add(Paragraph{fmt::format("    not tried ({}): {}", why_not, Listed(questions)), 6});
  }
  if (has_change) {
    report.Add(Paragraph{"  * no engine that was best above is among the best here", 4});
  } else if (has_answers) {
    report.Add(
        Paragraph{"  In each that was tried, an engine of the answer above is among the best.", 4});
  }
  if (has_tie) {
    report.Add(
        Paragraph{"  tie: no larger difference than between two rounds of the question above", 4});
  }
  return report;
}

}  // namespace levelfield
