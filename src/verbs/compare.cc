
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "analysis/best_settings.h"
#include "analysis/series.h"
#include "analysis/standings.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "facts/facts_here.h"
#include "report/comparison_report.h"
#include "report/comparison_screen.h"
#include "report/first_screen.h"
#include "report/heading.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/report.h"

namespace levelfield {

namespace {

// An error if the noise was measured with other keys, values, threads or durations.
Status CheckSettings(const Result& noise, const NamedTexts& measured) {
  constexpr std::string_view kDependsOn[] = {"num",     "key_size", "key_size_max", "value_size",
                                             "threads", "duration", "durability"};
  for (const auto& [name, value] : noise.settings) {
    const auto it = std::ranges::find(measured, name, &NamedTexts::value_type::first);
    if (it == measured.end() || it->second == value) continue;
    if (std::ranges::find(kDependsOn, name) == std::end(kDependsOn)) continue;
    return Status::Usage(fmt::format(
        "was measured with --{}={}, and this with {}; measure the noise with the same flags", name,
        Printable(value), Printable(it->second)));
  }
  return Status::Ok();
}

}  // namespace

StatusOr<Noise> ReadNoise(const std::string& directory, const NamedTexts& measured,
                          const Result* compared) {
  const StatusOr<Result> result = ReadResultDirectory(directory);
  if (!result.ok()) return Status::Usage("--noise: " + result.status().message());
  const auto noise = [&]() -> StatusOr<Noise> {
    if (compared != nullptr && !AreOfOneMachine(*result, *compared)) {
      return Status::Usage(fmt::format("is of another machine ({}) than what is compared ({})",
                                       result->cpu, compared->cpu));
    }
    RETURN_IF_ERROR(CheckSettings(*result, measured));
    return NoiseOf(*result);
  }();
  if (noise.ok()) return noise;
  return Status::Usage(
      fmt::format("--noise={}: {}", Printable(directory), noise.status().message()));
}

namespace {

// The claimable differences come from the result of `levelfield noise` that --noise names, or else
// from the one that the run was given.
StatusOr<ComparisonRules> RulesOf(const Settings& settings, const Result& compared) {
  ComparisonRules rules{.margin = settings.margin, .noise = {}};
  if (!settings.given.contains("noise")) {
    rules.noise = compared.noise;
  } else if (!settings.noise.empty()) {
    ASSIGN_OR_RETURN(rules.noise, ReadNoise(settings.noise, compared.settings, &compared));
  }
  return rules;
}

// Without noise if that cannot be read.
ComparisonRules RulesOrNone(const Result& result, const Settings& settings) {
  const StatusOr<ComparisonRules> rules = RulesOf(settings, result);
  return rules.ok() ? *rules : ComparisonRules{.margin = settings.margin};
}

// `of` has the runs of everything compared.
StatusOr<Compared> ComparedOf(const StatusOr<std::vector<Comparison>>& comparisons,
                              const Result& of, const Settings& settings) {
  if (!comparisons.ok()) return comparisons.status();
  Compared compared{.report = {},
                    .exit_code = ExitCodeOf(*comparisons, settings.fail_on == "unresolved")};
  AddBanner(of, compared.report);
  compared.report.Append(ReportOf(*comparisons, settings));
  compared.comparisons = *comparisons;
  return compared;
}

Answer AnswerOf(const StatusOr<Compared>& compared, const Result& of, const Settings& settings,
                const Words& words) {
  if (!compared.ok()) return compared.status();
  if (settings.format == "table" && !settings.verbose) {
    Report screen;
    AddBanner(of, screen);
    screen.Append(ComparisonScreen(compared->comparisons, settings.margin, ConditionsLine(of),
                                   Typed("levelfield compare -v", words)));
    return {ForTerminal(screen), compared->exit_code};
  }
  ASSIGN_OR_RETURN(std::string text, WriteReport(compared->report, settings, "compare"));
  if (settings.format == "markdown") {
    // Whoever reads a comment has not seen the machine.
    text = ComparisonMarkdown(compared->comparisons, settings.margin,
                              ConditionsLine(of) + "; " + Printable(MachineWords(of)), text);
  }
  return {text, compared->exit_code};
}

// Whether both paths lead to one directory.
bool AreOne(const std::string& path, const std::string& other) {
  std::error_code error;
  return std::filesystem::equivalent(path, other, error);
}

}  // namespace

Settings WithMarginOf(const Result& result, Settings settings) {
  const std::string margin = SettingOf(result, "margin");
  if (!settings.given.contains("margin") && !margin.empty()) {
    (void)SetFlag("margin", margin, settings);
  }
  return settings;
}

Settings WithBestAsBaseline(const Result& result, Settings settings) {
  const bool is_named = !settings.baseline.empty() || !settings.against.empty() ||
                        !SettingOf(result, "baseline").empty() ||
                        !SettingOf(result, "against").empty();
  if (is_named || result.runs.empty()) return settings;
  const std::vector<Series> all = SeriesOf(result);
  const Standings standings = StandingsOf(result, all, RulesOrNone(result, settings));
  settings.baseline = ShownOf(all)[standings.BestMostOften()]->sum.engine;
  return settings;
}

StatusOr<std::vector<Comparison>> ComparisonsOf(const Result& result, const Settings& settings) {
  ASSIGN_OR_RETURN(ComparisonRules rules, RulesOf(settings, result));
  rules.latencies = true;
  const std::string& baseline = settings.baseline.empty() ? settings.against : settings.baseline;
  if (HasVariants(result)) return CompareVariants(result, rules);
  ASSIGN_OR_RETURN(std::vector<Comparison> comparisons, CompareWithin(result, baseline, rules));
  for (Comparison& comparison : comparisons) {
    for (ComparedWorkload& workload : comparison.workloads) {
      const bool is_faster = workload.verdict == Verdict::kFaster;
      if (!is_faster && workload.verdict != Verdict::kSlower) continue;
      const auto& [winner, loser] = is_faster ? std::tie(comparison.candidate, comparison.baseline)
                                              : std::tie(comparison.baseline, comparison.candidate);
      const double ratio = workload.ratio.ratio;
      workload.turns = TurnsWith(result.tried, winner, loser, workload.workload,
                                 is_faster ? ratio : 1 / ratio, rules.margin);
    }
  }
  return comparisons;
}

Report ReportOf(const std::vector<Comparison>& comparisons, const Settings& settings) {
  return ComparisonReport(comparisons, settings.margin,
                          settings.verbose || settings.format == "json");
}

StatusOr<std::vector<Comparison>> ComparisonsAsItRan(const Result& result, Settings settings) {
  if (settings.baseline.empty()) settings.baseline = SettingOf(result, "baseline");
  if (settings.against.empty()) settings.against = SettingOf(result, "against");
  return ComparisonsOf(result, settings);
}

std::vector<Comparison> ComparisonsOfAllPairs(const Result& result, const Settings& settings) {
  if (HasVariants(result)) return {};
  const std::vector<Series> all = SeriesOf(result);
  return CompareAllPairs(StoresOf(all), RulesOrNone(result, settings));
}

Status CheckBaseline(const Result& result, const Settings& settings) {
  std::vector<std::string> there;
  for (const RunResult& run : result.runs) AddOnce(there, run.engine);
  const bool is_there = std::ranges::find(there, settings.baseline) != there.end();
  if (settings.baseline.empty() || is_there) return Status::Ok();
  return Status::Usage(fmt::format("--baseline: no engine of this result is called {}; it has {}",
                                   Quote(settings.baseline), Listed(there)));
}

StatusOr<Compared> CompareEngines(const Result& result, const Settings& settings) {
  if (HasVariants(result) && !settings.baseline.empty()) {
    return Status::Usage(
        "--baseline: this result has variants, each of which is compared with the first; leave "
        "--baseline out");
  }
  return ComparedOf(ComparisonsOf(result, settings), result, settings);
}

Report ScreenOf(const Result& result, const Settings& settings, const std::string& directory) {
  Report report;
  if (HasVariants(result)) {
    AddVariants(result, report);
    return report;
  }
  if (result.runs.empty()) return ResultReport(result);  // It says why there are none.
  return ScreenReport(result, RulesOrNone(result, settings), directory);
}

Answer CompareVerb(const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettingsOf("compare", words));
  RETURN_IF_ERROR(FindResults(settings.arguments));
  const std::vector<std::string> paths = settings.arguments;
  if (paths.empty() || paths.size() > 2) {
    return Status::Usage(
        "compare takes one result directory, to compare the engines in it, or two, the baseline "
        "first: levelfield compare results/<before> results/<after>");
  }
  if (paths.size() == 2 && AreOne(paths.front(), paths.back())) {
    return Status::Usage(fmt::format(
        "{} is compared with itself; name another result, or it alone to compare its engines",
        Quote(paths.back())));
  }
  ASSIGN_OR_RETURN(Result baseline, ReadResultDirectory(paths.front()));
  settings = WithMarginOf(baseline, std::move(settings));
  if (paths.size() == 1)
    return AnswerOf(CompareEngines(baseline, settings), baseline, settings, words);
  if (!settings.baseline.empty()) {
    return Status::Usage("--baseline: the first of two results is the baseline");
  }
  ASSIGN_OR_RETURN(Result candidate, ReadResultDirectory(paths.back()));
  if (candidate.noise.empty()) candidate.noise = baseline.noise;
  ASSIGN_OR_RETURN(const ComparisonRules rules, RulesOf(settings, candidate));
  const StatusOr<std::vector<Comparison>> comparisons = CompareAcross(baseline, candidate, rules);
  Result& both = baseline;
  both.completion = {};  // Each comparison says which side is incomplete.
  std::ranges::move(candidate.runs, std::back_inserter(both.runs));
  return AnswerOf(ComparedOf(comparisons, both, settings), both, settings, words);
}

Answer NoiseVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, ParseSettingsOf("noise", words));
  FactsHere facts;
  ASSIGN_OR_RETURN(Plan plan, MakePlan(settings, Typed("levelfield noise", words), facts));
  RETURN_IF_ERROR(AddOverheads(plan, facts));
  if (plan.variants.size() != 1 || plan.first().engines.size() != 1) {
    return Status::Usage(
        "noise measures one engine against itself, set in one way: levelfield noise "
        "--engine=leveldb");
  }
  plan.first().engines.push_back(plan.first().engines.front());
  ASSIGN_OR_RETURN(plan, facts.For([&](Known& known) -> StatusOr<Plan> {
    RETURN_IF_ERROR(CheckRoomForSlices(plan, known));
    return PreferSlices(plan, known);
  }));
  return CarryOut(plan, nullptr, [&](const Result& result, const std::string& directory) {
    const auto noise = NoiseOf(result);
    const std::string said = noise.ok() ? RenderNoise(plan.first().engines.front().engine, *noise)
                                        : "noise: " + noise.status().message() + "\n";
    const std::string all = settings.verbose ? ForTerminal(ResultReport(result)) + "\n" : "";
    const std::string shown =
        all.empty() ? fmt::format("{}{}; {}\n", BannerText(result), ConditionsLine(result),
                                  Plural(plan.first().settings.repeat, "round"))
                    : all;
    return fmt::format(
        "{}{}all figures: levelfield report -v {}\nuse it:      levelfield compare {} RESULT\n",
        shown, said, ShellWord(directory), ShellWord("--noise=" + directory));
  });
}

}  // namespace levelfield
