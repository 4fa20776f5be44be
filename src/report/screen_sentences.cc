#include "report/screen_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/best_settings.h"
#include "analysis/cost.h"
#include "analysis/durability.h"
#include "base/durability_level.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

constexpr EnumName<DurabilityLevel> kPromises[] = {
    {DurabilityLevel::kD0, "may be lost when the process is killed"},
    {DurabilityLevel::kD1, "survive kill -9, not a power cut"},
    {DurabilityLevel::kD2, "survive kill -9; a power cut may break the store"},
    {DurabilityLevel::kD3, "survive kill -9; a power cut may take the last"},
    {DurabilityLevel::kD4, "survive a power cut"},
};

// Of one level, which not every engine of a class has.
struct Promised {
  std::vector<std::string> engines;
  std::vector<std::string> workloads;
};
using Promises = std::map<DurabilityLevel, Promised>;

void Say(Report& report, const std::string& words, Tone tone = Tone::kPlain) {
  report.Add(Paragraph{words, 2, true, tone});
}

// "settings=best: lmdb.writemap (writemap=1: 1.31x equal); leveldb, rocksdb as equal". Empty if
// nothing was tried.
std::string TriedWords(const Result& result) {
  std::vector<std::string> alternatives;
  std::vector<std::string> as_equal;
  for (const TriedSetting& tried : result.tried) {
    if (!tried.chosen) continue;
    tried.name == kEqual ? as_equal.push_back(Printable(tried.engine))
                         : alternatives.push_back(Printable(
                               fmt::format("{}.{} ({}: {:.2f}x equal)", tried.engine, tried.name,
                                           tried.settings, TimesEqual(result.tried, tried))));
  }
  if (result.tried.empty()) return "";
  return fmt::format("settings=best: {}{}{}{}", fmt::join(alternatives, ", "),
                     alternatives.empty() || as_equal.empty() ? "" : "; ",
                     fmt::join(as_equal, ", "), as_equal.empty() ? "" : " as equal");
}

// The screen has room for so many of what failed.
constexpr size_t kMostFailures = 3;

bool IsFailure(const Remark& remark) { return remark.kind <= RemarkKind::kBuild; }

void AddRemarks(const std::vector<Remark>& remarks, Report& report) {
  size_t failures = 0;
  for (const Remark& remark : remarks) {
    failures += IsFailure(remark) ? 1 : 0;
    if (IsFailure(remark) && failures > kMostFailures) continue;
    report.AddRemark(remark, ScreenWords(remark), 2);
  }
  if (failures > kMostFailures) {
    Say(report, fmt::format("{} more of these: report -v.", failures - kMostFailures));
  }
}

// Who reads faster may do so because the writer beside the readers is slower.
void AddOtherRoles(const std::vector<const Series*>& shown, Report& report) {
  std::map<std::string, std::vector<std::string>> rates;  // By "workload [role]".
  for (const Series* const series : shown) {
    for (size_t i = 0; i < series->sum.phases.size(); ++i) {
      const PhaseResult& phase = series->sum.phases[i];
      if (phase.implicit || StatisticsOf(&phase) == nullptr) continue;
      for (size_t role = 1; role < phase.roles.size(); ++role) {
        const std::optional<double> rate = MedianOfRounds(
            *series, i,
            [&](const PhaseResult& round) { return round.roles[role].OperationsPerSecond(); });
        if (!rate) continue;
        rates[Printable(fmt::format("{} [{}]", phase.workload, phase.roles[role].name))].push_back(
            fmt::format("{} {}", Printable(series->sum.engine), Rate(*rate)));
      }
    }
  }
  for (const auto& [role, of_engines] : rates) {
    Say(report, fmt::format("Beside it, {}: {}.", role, Listed(of_engines)));
  }
}

// What most workloads promise comes first without their names, then the others with theirs, or with
// the engines that keep another level in the same workload.
std::string PromiseWords(const Promises& promises) {
  const auto most = std::ranges::max_element(
      promises, {}, [](const auto& of_level) { return of_level.second.workloads.size(); });
  if (most == promises.end()) return "";
  const auto means = [](DurabilityLevel level) {
    const std::string_view words = NameIn<DurabilityLevel>(kPromises, level);
    return words.empty() ? "are of an unknown class" : std::string(words);
  };
  std::string words = "writes " + means(most->first);
  for (const auto& [level, promised] : promises) {
    if (level == most->first) continue;
    const bool is_of_engines = std::ranges::any_of(promised.workloads, [&](const auto& workload) {
      return std::ranges::find(most->second.workloads, workload) != most->second.workloads.end();
    });
    words +=
        fmt::format("; those of {} {}",
                    Listed(is_of_engines ? promised.engines : promised.workloads), means(level));
  }
  return words;
}

// Who promises it, and of whom it is known that they keep less.
std::string ClaimWords(const Promises& promises, bool is_one, const std::set<std::string>& known) {
  const std::string promise = PromiseWords(promises);
  if (promise.empty()) return "";
  std::string words = fmt::format("The engine{}: {}. ", is_one ? " claims" : "s claim", promise);
  if (known.empty()) return words;
  return words + fmt::format("{} {} known to keep less (report -v says when). ",
                             Listed({known.begin(), known.end()}),
                             known.size() == 1 ? "is" : "are");
}

// Durability and checks, a line each.
void AddPromises(const std::vector<const Series*>& shown, Report& report) {
  Promises promises;
  size_t checked = 0;
  size_t all = 0;
  bool is_wrong = false;
  std::set<std::string> known;
  for (const Series* const series : shown) {
    for (const PhaseResult& phase : series->sum.phases) {
      is_wrong = is_wrong || phase.outcome == Outcome::kWrong;
      if (phase.implicit || phase.outcome != Outcome::kOk || phase.IsText()) continue;
      ++all;
      checked += IsChecked(phase) ? 1 : 0;
      const Durability durability = DurabilityOf(series->sum, phase);
      if (!durability.has_written) continue;
      Promised& promised = promises[phase.level];
      AddOnce(promised.engines, Printable(series->sum.engine));
      AddOnce(promised.workloads, Printable(phase.workload));
      if (!durability.known_deviation.empty()) {
        known.insert(Printable(series->sum.engine));
      }
    }
  }
  std::string words = ClaimWords(promises, shown.size() == 1, known);
  words += is_wrong                   ? "Answers were WRONG where it says so"
           : all == 0                 ? "No figure has answers that were checked"
           : all == 1 && checked == 1 ? std::string("Answers: checked and right")
           : all == checked           ? fmt::format("Answers: all {} checked and right", all)
           : checked == 0             ? std::string("Answers: none checked")
                          : fmt::format("Answers: {} of {} checked, those right", checked, all);
  Say(report, words + ".");
}

// The workloads in which there is nobody to tell apart. What failed has words of its own.
std::string UncontestedWords(const Standings& screen) {
  std::vector<std::string> by_none;
  std::map<size_t, std::vector<std::string>> by_one;
  for (const WorkloadStandings& workload : screen.workloads) {
    if (workload.is_unsupported) by_none.push_back(workload.name);
    if (!screen.has_verdicts() || workload.measured() != 1) continue;
    const auto only = std::ranges::find_if(
        workload.figures, [](const StandingFigure& figure) { return figure.rate.has_value(); });
    by_one[static_cast<size_t>(only - workload.figures.begin())].push_back(workload.name);
  }
  std::string words;
  for (const auto& [engine, workloads] : by_one) {
    words += fmt::format(" Only {} has a rate in {}.", screen.engines[engine], Listed(workloads));
  }
  if (!by_none.empty()) words += fmt::format(" No engine could run {}.", Listed(by_none));
  return words;
}

// In which workloads no engine leads, and why.
std::string OpenWords(const Standings& screen, const std::vector<std::string>& open,
                      const std::vector<std::string>& in_few_rounds) {
  std::string words;
  if (!open.empty()) {
    words += fmt::format(" No engine leads {}: the rates of the fastest are not told apart.",
                         Listed(open));
  }
  if (!in_few_rounds.empty()) {
    words += fmt::format(
        " {} ran in whole rounds, of which {} are too few to rank them: use --repeat={}.",
        Listed(in_few_rounds), screen.rounds, kLeastRepetitions);
  }
  return words;
}

// Sentences from verdicts alone.
void AddLeaders(const Standings& screen, Report& report) {
  if (std::ranges::all_of(screen.workloads, &WorkloadStandings::is_at_a_rate)) return;
  std::map<size_t, std::vector<std::string>> leads;
  std::vector<std::string> open;
  std::vector<std::string> in_few_rounds;
  for (const WorkloadStandings& workload : screen.workloads) {
    std::optional<size_t> leader = workload.leader;
    if (!screen.has_verdicts()) {
      const auto best = std::ranges::find(workload.figures, true, &StandingFigure::is_best);
      if (best == workload.figures.end()) continue;
      leader = static_cast<size_t>(best - workload.figures.begin());
    }
    if (leader) {
      leads[*leader].push_back(workload.name);
    } else if (workload.measured() > 1 && workload.is_ranked() && !workload.is_unjudged) {
      (workload.is_indicative ? in_few_rounds : open).push_back(workload.name);
    }
  }
  std::vector<std::pair<size_t, std::vector<std::string>>> by_number(leads.begin(), leads.end());
  std::ranges::stable_sort(by_number, std::greater<>(),
                           [](const auto& lead) { return lead.second.size(); });
  std::string who;
  for (const auto& [engine, workloads] : by_number) {
    who += fmt::format("{}{} {} {}", who.empty() ? "" : "; ", screen.engines[engine],
                       screen.has_verdicts() ? "leads" : "in", Listed(workloads));
  }
  std::string sentence = who.empty() ? "" : who + ".";
  if (screen.has_verdicts()) {
    sentence += OpenWords(screen, open, in_few_rounds);
  } else {
    sentence = fmt::format(
        "{} of each engine {} too few to rank them: use --repeat={} or more. Fastest this time: "
        "{}.",
        Plural(screen.rounds, "round"), screen.rounds == 1 ? "is" : "are",
        screen.rounds_for_verdicts(), who.empty() ? "none" : who);
  }
  sentence += UncontestedWords(screen);
  if (!sentence.empty())
    Say(report, sentence.substr(sentence.starts_with(' ') ? 1 : 0), Tone::kBest);
}

// The alternatives picked for the engines, and the verdicts above that depend on them.
void AddBest(const Result& result, const ComparisonRules& rules, const Standings& screen,
             Report& report) {
  std::string words = TriedWords(result);
  if (words.empty()) return;
  for (const WorkloadStandings& workload : screen.workloads) {
    for (size_t i = 0; workload.leader && i < workload.figures.size(); ++i) {
      if (i == *workload.leader || !workload.figures[i].rate) continue;
      const std::string turns =
          TurnsWith(result.tried, screen.engines[*workload.leader], screen.engines[i],
                    workload.name, 1 / workload.figures[i].share, rules.margin);
      if (!turns.empty()) words += fmt::format("; {} {}", workload.name, Printable(turns));
    }
  }
  Say(report, words);
}

}  // namespace

void AddSentences(const Findings& findings, const ComparisonRules& rules, Report& report) {
  const Standings& screen = findings.standings;
  AddRemarks(findings.remarks, report);
  AddOtherRoles(findings.shown, report);
  AddPromises(findings.shown, report);
  const bool is_part_of_a_round = IsCutOff(findings.result) && !screen.has_verdicts();
  if (screen.engines.size() > 1 && !is_part_of_a_round) AddLeaders(screen, report);
  AddBest(findings.result, rules, screen, report);
}

}  // namespace levelfield
