// Whether the rounds agree: which are out of line or disturbed, which figures are unstable, and why
// there were so many rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analysis/findings/findings.h"
#include "analysis/findings/round_marks.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

// If --precision decided the number of rounds: whether the precision was reached.
void FindWhyItStopped(const Findings& of, Remarks& remarks) {
  const auto number = [&](const char* name) {
    return std::strtod(SettingOf(of.result, name).c_str(), nullptr);
  };
  const double precision = number("precision");
  if (precision <= 0) return;
  size_t rounds = 0;
  bool is_precise = true;
  for (const Series& series : of.series) {
    rounds = std::max(rounds, series.rounds.size());
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const std::vector<double> rates = Present(series.Rates(i));
      if (series.sum.phases[i].implicit || rates.empty()) continue;
      is_precise = is_precise && IsPrecise(rates, precision);
    }
  }
  const bool is_used_up = static_cast<double>(rounds) >= number("repeat_most");
  remarks.push_back({.kind = is_precise   ? RemarkKind::kPrecisionReached
                             : is_used_up ? RemarkKind::kRoundsUsedUp
                                          : RemarkKind::kStoppedEarly,
                     .numbers = {{"rounds", static_cast<double>(rounds), RemarkUnit::kRounds},
                                 {"precision", precision, RemarkUnit::kShare}}});
}

std::string MarksText(const std::vector<RoundMark>& marks, const Series& series) {
  std::vector<std::string> texts;
  for (const RoundMark& mark : marks) {
    texts.push_back(fmt::format("round {} ({})", series.rounds[mark.place]->round, mark.why));
  }
  return Joined(texts, ", ");
}

// Rounds that are out of line, and rounds that something else on the machine disturbed.
std::vector<RoundMark> MarksOf(const Series& series, size_t phase, RoundRates rates) {
  std::vector<RoundMark> marks = OutOfLine(rates);
  if (!MedianError(rates)) return marks;  // Too few rounds to mark any.
  for (size_t place = 0; place < series.rounds.size(); ++place) {
    const PhaseResult* const round = PhaseAt(*series.rounds[place], phase);
    const bool is_marked = std::ranges::find(marks, place, &RoundMark::place) != marks.end();
    if (is_marked || !rates[place] || round == nullptr || DisturbancesOf(*round).empty()) continue;
    marks.push_back({.place = place, .why = "disturbed"});
  }
  std::ranges::sort(marks, {}, &RoundMark::place);
  return marks;
}

// A figure with marked rounds.
struct Marked {
  std::string workload;
  std::vector<RoundMark> marks;
  UnmarkedRounds without;
  double change = 0;  // The change of the median without them, as a share.
};

Remark MarkedRounds(const Series& series, const Findings& of, const std::vector<Marked>& marked) {
  const Marked& most = *std::ranges::max_element(marked, {}, &Marked::change);
  Remark remark{.kind = RemarkKind::kMarkedRounds,
                .texts = {{"most", Printable(most.workload)},
                          {"which", Printable(MarksText(most.marks, series))}}};
  size_t rounds = 0;
  for (const Marked& figure : marked) {
    rounds += figure.marks.size();
    remark.cases.push_back(
        {.engine = of.NameOf(series.sum),
         .workload = Printable(figure.workload),
         .numbers = {{"rounds", static_cast<double>(figure.marks.size()), RemarkUnit::kRounds},
                     {"change", figure.change, RemarkUnit::kShare}}});
  }
  remark.numbers = {{"marked", static_cast<double>(rounds), RemarkUnit::kRounds},
                    {"median", most.without.median, RemarkUnit::kPerSecond},
                    {"of", static_cast<double>(most.without.rounds), RemarkUnit::kCount}};
  if (const std::optional<Interval>& interval = most.without.interval) {
    remark.numbers.push_back({"low", interval->low, RemarkUnit::kPerSecond});
    remark.numbers.push_back({"high", interval->high, RemarkUnit::kPerSecond});
  }
  return remark;
}

// On all figures of an engine: a remark for each kind.
void FindUnsteady(const Series& series, const Findings& of, Remarks& remarks) {
  std::vector<Marked> marked;
  Remark unstable{.kind = RemarkKind::kUnstable};
  for (size_t i = 0; i < series.sum.phases.size(); ++i) {
    const PhaseResult& phase = series.sum.phases[i];
    if (phase.implicit || phase.outcome != Outcome::kOk) continue;
    const std::vector<std::optional<double>> rates = series.Rates(i);
    std::vector<RoundMark> marks = MarksOf(series, i, rates);
    if (const auto without = WithoutMarked(rates, marks)) {
      marked.push_back({.workload = phase.workload,
                        .marks = std::move(marks),
                        .without = *without,
                        .change = std::abs(without->median / Median(Present(rates)) - 1)});
    }
    const std::optional<double> error = MedianError(rates);
    if (!error || *error < kUnstable) continue;
    unstable.cases.push_back({.engine = of.NameOf(series.sum),
                              .workload = Printable(phase.workload),
                              .numbers = {{"error", *error, RemarkUnit::kShare}}});
  }
  if (!marked.empty()) remarks.push_back(MarkedRounds(series, of, marked));
  AddIfAny(std::move(unstable), remarks);
}

// In how many measurements the machine was busy, and the worst of them.
void FindDisturbedRounds(const Series& series, const Findings& of, Remarks& remarks) {
  constexpr size_t kMostNamed = 8;
  Disturbed all;
  for (const RunResult* const run : series.rounds) all.Add(*run);
  if (all.disturbed == 0) return;
  auto& [measurements, disturbed, workloads, worst] = all;
  const size_t more = workloads.size() - std::min(workloads.size(), kMostNamed);
  Remark remark{.kind = RemarkKind::kDisturbedRounds,
                .numbers = {{"disturbed", static_cast<double>(disturbed)},
                            {"measurements", static_cast<double>(measurements)}},
                .texts = {{"worst", Printable(Joined(worst, "; "))}}};
  workloads.resize(workloads.size() - more);
  for (const std::string& workload : workloads) {
    remark.cases.push_back({.engine = of.NameOf(series.sum), .workload = Printable(workload)});
  }
  if (more != 0) remark.numbers.push_back({"more", static_cast<double>(more)});
  remarks.push_back(std::move(remark));
}

}  // namespace

void FindWhetherRoundsAgree(const Findings& of, Remarks& remarks) {
  FindWhyItStopped(of, remarks);
  for (const Series& series : of.series) {
    if (series.sum.is_baseline_engine) continue;
    FindUnsteady(series, of, remarks);
    FindDisturbedRounds(series, of, remarks);
  }
}

}  // namespace levelfield
