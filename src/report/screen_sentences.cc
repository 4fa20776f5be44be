#include "report/screen_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/best_settings.h"
#include "analysis/cost.h"
#include "analysis/durability.h"
#include "analysis/read_ahead.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/far_behind.h"
#include "report/notes.h"
#include "report/result_report.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

constexpr size_t kMostProblems = 3;

using Promise = std::pair<std::string_view, std::string_view>;
constexpr Promise kPromises[] = {
    {"none", "may be lost when the process is killed"},
    {"process", "survive kill -9, not a power cut"},
    {"synced", "survive a power cut"},
};

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

// Failures in their own words.
void AddProblems(const std::vector<const Series*>& shown, Report& report) {
  std::vector<std::string> problems;
  const auto add = [&](std::string words) { AddOnce(problems, std::move(words)); };
  for (const Series* const series : shown) {
    const RunResult& run = series->sum;
    const auto is_bad = [](Outcome outcome) {
      return outcome != Outcome::kOk && outcome != Outcome::kUnsupported &&
             outcome != Outcome::kNotRun && outcome != Outcome::kSkipped;
    };
    if (!run.message.empty()) {
      add(fmt::format("{}: {}", Printable(run.engine), Printable(run.message)));
    }
    for (const PhaseResult& phase : run.phases) {
      if (is_bad(phase.outcome) && !phase.message.empty() && phase.message != run.message) {
        add(fmt::format("{}, {}: {}", Printable(run.engine), Printable(phase.workload),
                        Printable(phase.message)));
      } else if (const std::string suspect = SuspectBecause(phase); !suspect.empty()) {
        add(fmt::format(
            "{}, {}: suspect: {}. `levelfield verify durability --engine={}` cuts the "
            "power to see",
            Printable(run.engine), Printable(phase.workload), suspect, ShellWord(run.engine)));
      }
    }
    if (!run.warning.empty()) {
      add(fmt::format("{}: {}", Printable(run.engine), Printable(run.warning)));
    }
  }
  for (size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
    Say(report, problems[i], Tone::kWarning);
  }
  if (problems.size() > kMostProblems) {
    Say(report, fmt::format("{} more of these: report -v.", problems.size() - kMostProblems));
  }
}

// Why no engine could run a workload, where all say the same: what is to be installed, for one.
void AddUnmeasured(const Standings& screen, const std::vector<const Series*>& shown,
                   Report& report) {
  std::map<std::string, std::vector<std::string>> workloads;  // By the reason.
  for (const WorkloadStandings& workload : screen.workloads) {
    if (!workload.is_unsupported) continue;
    std::set<std::string> reasons;
    for (const Series* const series : shown) {
      for (const PhaseResult& phase : series->sum.phases) {
        if (Printable(phase.workload) == workload.name) reasons.insert(Printable(phase.message));
      }
    }
    if (reasons.size() == 1) workloads[*reasons.begin()].push_back(workload.name);
  }
  for (const auto& [reason, names] : workloads) {
    if (reason.empty()) continue;
    Say(report, fmt::format("Not measured: {}: {}.", Listed(names), reason), Tone::kWarning);
  }
}

// Settings that were asked for and that some engines do not have.
void AddWhatDoesNotApply(const Result& result, const std::vector<const Series*>& shown,
                         Report& report) {
  for (const auto& [name, value] : result.settings) {
    const Flag* const flag = FindFlag(name);
    if (flag == nullptr || IsDefault(*flag, value)) continue;
    std::vector<std::string> engines;
    for (const Series* const series : shown) {
      const RunResult& run = series->sum;
      if (!WhyNotApplied(run, name).empty()) AddOnce(engines, Printable(run.engine));
    }
    if (engines.empty()) continue;
    Say(report,
        fmt::format("--{}={} does not apply to {}.", name, Printable(value), Listed(engines)));
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

// "lmdb 151,859 keys and sqlite3 67,328": the engines of which that is known.
std::string KeysOfEngines(const Standings& screen,
                          const std::vector<std::optional<uint64_t>>& keys) {
  std::vector<std::string> words;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i]) continue;
    const std::string engine = screen.engines.size() == 1 ? "" : screen.engines[i] + " ";
    words.push_back(
        fmt::format("{}{}{}", engine, Grouped(*keys[i]), words.empty() ? " keys" : ""));
  }
  return Listed(words);
}

// Workloads that met a much smaller store than they are made for.
void AddStores(const Result& result, const Standings& screen, Report& report) {
  std::vector<std::string> small;
  for (const WorkloadStandings& workload : screen.workloads) {
    if (!workload.has_few_keys() || !workload.unequal.empty()) continue;
    small.push_back(
        fmt::format("{} ({})", workload.name, KeysOfEngines(screen, workload.few_keys)));
  }
  if (small.empty()) return;
  Say(report,
      fmt::format(
          "# made for a store of {} keys, but found fewer: {}. Run {} after a workload that "
          "fills the store.",
          Grouped(Digits(SettingOf(result, "num")).value_or(0)), Listed(small),
          small.size() == 1 ? "it" : "them"),
      Tone::kWarning);
}

// Workloads that rank nothing, because the engines' stores were not the same. A sentence for each
// reason.
void AddUnequalStores(const Standings& screen, Report& report) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const WorkloadStandings& workload : screen.workloads) {
    if (!workload.unequal.empty()) by_reason[workload.unequal].push_back(workload.name);
  }
  for (const auto& [reason, workloads] : by_reason) {
    Say(report,
        fmt::format("# not ranked, all in full: {}: {}.", Listed(workloads), Printable(reason)),
        Tone::kWarning);
  }
}

// Workloads whose figures are rough because they did few operations. Opening and compacting always
// do few.
void AddFewOperations(const std::vector<const Series*>& shown, Report& report) {
  constexpr uint64_t kFew = 100;
  std::map<std::string, uint64_t> least;
  for (const Series* const series : shown) {
    for (const RunResult* const round : series->rounds) {
      for (const PhaseResult& phase : round->phases) {
        const bool is_one =
            !phase.implicit && StatisticsOf(&phase) != nullptr && phase.family != "maintenance";
        const uint64_t operations = is_one ? phase.roles[0].Operations() : kFew;
        if (operations >= kFew) continue;
        const auto [at, is_new] = least.emplace(Printable(phase.workload), operations);
        at->second = std::min(at->second, operations);
      }
    }
  }
  std::vector<std::string> rough;
  for (const auto& [workload, operations] : least) {
    rough.push_back(fmt::format("{} ({})", workload, operations));
  }
  if (rough.empty()) return;
  Say(report,
      fmt::format(
          "Rough, of fewer than {} operations: {}. A larger --num or --duration gives more.", kFew,
          Listed(rough)),
      Tone::kWarning);
}

// Stalls are in the rates. An interval from few rounds does not cover those that are rare.
void AddRareStalls(const Standings& screen, Report& report) {
  std::vector<std::string> stalls;
  for (const WorkloadStandings& workload : screen.workloads) {
    std::vector<std::string> of_engines;
    for (size_t i = 0; i < workload.figures.size(); ++i) {
      const size_t count = workload.figures[i].stalls;
      if (count != 0) of_engines.push_back(fmt::format("{} {}", screen.engines[i], count));
    }
    if (!of_engines.empty()) {
      stalls.push_back(fmt::format("{} ({})", workload.name, Listed(of_engines)));
    }
  }
  if (stalls.empty()) return;
  Say(report,
      fmt::format("Stalls of 0.2 s or more in {}: {}. They are in the rates, but too rare for an "
                  "interval to cover them; report -v says when.",
                  Plural(screen.rounds, "round"), Listed(stalls)));
}

// Erasing an absent key is another operation, and a fast one.
void AddMissedErasures(const std::vector<const Series*>& shown, Report& report) {
  std::map<std::string, std::vector<std::string>> missed;
  for (const Series* const series : shown) {
    for (const PhaseResult& phase : series->sum.phases) {
      const OperationStatistics* const stats = StatisticsOf(&phase);
      const bool has_missed =
          stats != nullptr && stats->effects == kErasures && stats->misses > stats->operations / 2;
      if (!has_missed || phase.implicit) continue;
      const double share =
          static_cast<double>(stats->misses) / static_cast<double>(stats->operations);
      missed[Printable(phase.workload)].push_back(
          fmt::format("{} {:.0f} %", Printable(series->sum.engine), 100 * share));
    }
  }
  for (const auto& [workload, shares] : missed) {
    Say(report,
        fmt::format("Most erasures of {} found no key ({}): its rates say "
                    "little of erasing what is there.",
                    workload, Listed(shares)),
        Tone::kWarning);
  }
}

// Durability classes. The class of most workloads comes first without their names, then the
// others with their workloads.
std::string PromiseWords(const std::map<std::string, std::vector<std::string>>& classes) {
  const auto most = std::ranges::max_element(
      classes, {}, [](const auto& of_class) { return of_class.second.size(); });
  if (most == classes.end()) return "";
  const auto means = [](const std::string& name) {
    const auto it = std::ranges::find(kPromises, name, &Promise::first);
    return it == std::end(kPromises) ? "are of an unknown class" : std::string(it->second);
  };
  std::string words = "Writes " + means(most->first);
  for (const auto& [name, workloads] : classes) {
    if (name != most->first)
      words += fmt::format("; those of {} {}", Listed(workloads), means(name));
  }
  return words;
}

// Durability and checks, a line each.
void AddPromises(const std::vector<const Series*>& shown, Report& report) {
  std::map<std::string, std::vector<std::string>> classes;
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
      if (!HasWritten(phase)) continue;
      AddOnce(classes[phase.durability], Printable(phase.workload));
      if (!KnownDeviation(series->sum, phase).empty()) {
        known.insert(Printable(series->sum.engine));
      }
    }
  }
  std::string words = PromiseWords(classes);
  if (!words.empty()) {
    words += shown.size() == 1 ? ", as the engine claims" : ", as the engines claim";
    if (!known.empty()) {
      words += fmt::format(" (known to keep less: {}; report -v says when)",
                           Listed({known.begin(), known.end()}));
    }
    words += ". ";
  }
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

// Sentences from verdicts alone.
void AddLeaders(const Standings& screen, Report& report) {
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
    } else if (workload.measured() > 1 && workload.unequal.empty()) {
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
  std::string sentence;
  if (!screen.has_verdicts()) {
    sentence = fmt::format(
        "{} of each engine {} nothing: --repeat={} or more does. Fastest this time: {}.",
        Plural(screen.rounds, "round"), screen.rounds == 1 ? "ranks" : "rank",
        screen.rounds_for_verdicts(), who.empty() ? "none" : who);
  } else {
    if (!who.empty()) sentence = who + ".";
    if (!open.empty()) {
      sentence += fmt::format("{}No engine leads {}: the fastest are not told apart.",
                              sentence.empty() ? "" : " ", Listed(open));
    }
    if (!in_few_rounds.empty()) {
      sentence += fmt::format(
          "{}{} ran in whole rounds, of which {} rank nothing: --repeat={} does.",
          sentence.empty() ? "" : " ", Listed(in_few_rounds), screen.rounds, kLeastRepetitions);
    }
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

void AddSentences(const Result& result, const ComparisonRules& rules, const Standings& screen,
                  const std::vector<const Series*>& shown, Report& report) {
  AddProblems(shown, report);
  AddUnmeasured(screen, shown, report);
  AddWhatDoesNotApply(result, shown, report);
  AddOtherRoles(shown, report);
  AddStores(result, screen, report);
  AddUnequalStores(screen, report);
  AddFewOperations(shown, report);
  if (const std::string words = ReadAheadWords(result, shown); !words.empty()) {
    Say(report, Printable(words), Tone::kWarning);
  }
  if (const std::string words = FarBehindWords(screen, shown); !words.empty()) Say(report, words);
  AddRareStalls(screen, report);
  AddMissedErasures(shown, report);
  if (const std::string early = EndedEarly(result); !early.empty()) Say(report, early);
  for (const std::string& rest : RestsOfFills(result)) Say(report, rest);
  AddPromises(shown, report);
  const bool is_part_of_a_round = IsCutOff(result) && !screen.has_verdicts();
  if (screen.engines.size() > 1 && !is_part_of_a_round) AddLeaders(screen, report);
  AddBest(result, rules, screen, report);
}

}  // namespace levelfield
