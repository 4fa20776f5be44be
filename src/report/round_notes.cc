#include "report/round_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/quote.h"
#include "report/number.h"
#include "result/suspicious_rounds.h"

namespace levelfield {
namespace {

// Where --precision decided how many rounds there were, whether it was reached.
std::string WhyItStopped(const Result& result, const std::vector<Series>& all) {
  const auto number = [&](const char* name) {
    const auto it =
        std::ranges::find(result.settings, name, &std::pair<std::string, std::string>::first);
    return it == result.settings.end() ? 0.0 : std::strtod(it->second.c_str(), nullptr);
  };
  const double precision = number("precision");
  if (precision <= 0) return "";
  size_t rounds = 0;
  bool is_precise = true;
  for (const Series& series : all) {
    rounds = std::max(rounds, series.rounds.size());
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const std::vector<double> rates = Present(series.Rates(i));
      if (series.sum.phases[i].implicit || rates.empty()) continue;
      is_precise = is_precise && IsPrecise(rates, precision);
    }
  }
  if (is_precise) {
    return fmt::format("stopped after {} rounds: every median is known to {:.3g} %", rounds,
                       100 * precision);
  }
  return fmt::format("stopped {} {} rounds: not every median is known to {:.3g} %",
                     static_cast<double>(rounds) >= number("repeat_most")
                         ? "at --repeat_most, after"
                         : "early, after",
                     rounds, 100 * precision);
}

std::string MarksText(const std::vector<RoundMark>& marks, const Series& series) {
  std::string text;
  for (const RoundMark& mark : marks) {
    text += fmt::format("{}round {} ({})", text.empty() ? "" : ", ",
                        series.rounds[mark.place]->round, mark.why);
  }
  return text;
}

// Those out of line, and those that something else on the machine disturbed.
std::vector<RoundMark> MarksOf(const Series& series, size_t phase, RoundRates rates) {
  std::vector<RoundMark> marks = OutOfLine(rates);
  if (!MedianError(rates)) return marks;  // Too few to look at any.
  for (size_t place = 0; place < series.rounds.size(); ++place) {
    const std::vector<PhaseResult>& phases = series.rounds[place]->phases;
    const bool is_marked = std::ranges::find(marks, place, &RoundMark::place) != marks.end();
    if (is_marked || !rates[place] || phase >= phases.size()) continue;
    if (!phases[phase].conditions || DisturbancesOf(*phases[phase].conditions).empty()) continue;
    marks.push_back({.place = place, .why = "disturbed"});
  }
  std::ranges::sort(marks, {}, &RoundMark::place);
  return marks;
}

}  // namespace

std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& all) {
  std::vector<std::string> notes;
  if (const std::string why = WhyItStopped(result, all); !why.empty()) notes.push_back(why);
  for (const Series& series : all) {
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult& phase = series.sum.phases[i];
      if (phase.implicit || phase.outcome != Outcome::kOk) continue;
      const std::vector<std::optional<double>> rates = series.Rates(i);
      const std::string name =
          fmt::format("{}, {}", Printable(series.sum.engine), Printable(phase.workload));
      const std::vector<RoundMark> marks = MarksOf(series, i, rates);
      if (const auto without = WithoutMarked(rates, marks)) {
        notes.push_back(fmt::format(
            "{}: marked: {}; they count above, and without marked rounds it is {}{} (of {})", name,
            MarksText(marks, series), Rate(without->median),
            without->interval ? fmt::format(" [{}, {}]", Rate(without->interval->low),
                                            Rate(without->interval->high))
                              : "",
            without->rounds));
      }
      const std::optional<double> error = MedianError(rates);
      if (error && *error >= kUnstable) {
        notes.push_back(fmt::format(
            "{}: unstable: half of its rounds are {:.1f} % or more away from the median", name,
            100 * *error));
      }
    }
  }
  return notes;
}

}  // namespace levelfield
