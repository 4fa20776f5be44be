#include "verbs/diagnose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "analysis/comparison.h"
#include "analysis/cost.h"
#include "analysis/diagnosis.h"
#include "analysis/level_change.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "facts/facts_here.h"
#include "report/diagnosis_report.h"
#include "report/level_change_report.h"
#include "result/result.h"
#include "result/result_files.h"
#include "settings/settings.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/report.h"

namespace levelfield {
namespace {

// `levelfield diagnose --try`: runs a paired experiment with the change that a finding advises, and
// says whether it helped.

constexpr std::string_view kVerb = "levelfield run";

// The settings of a result of `levelfield run`.
StatusOr<Settings> SettingsOf(const Result& result) {
  if (!result.command.starts_with(kVerb)) {
    return Status::Usage(
        fmt::format("--try: this result is of {}; only those of `levelfield run` can be run again "
                    "with a change",
                    Quote(result.command)));
  }
  ASSIGN_OR_RETURN(const Words words, WordsOfShellLine(result.command.substr(kVerb.size())));
  return ParseSettings(words);
}

// The settings of the finding's variant. The change is the only thing that varies.
StatusOr<Settings> ExperimentOf(const Result& result, const Finding& finding,
                                const Settings& asked) {
  StatusOr<Settings> settings = SettingsOf(result);
  if (!settings.ok()) return settings;
  for (const auto& [name, value] : VariantOf(result).settings) {
    RETURN_IF_ERROR(SetFlag(name, value, *settings));
  }
  for (const Flag& flag : Flags()) {
    const bool is_given = IsFlagOf("diagnose", flag) && asked.IsGiven(flag.name);
    if (!is_given || flag.name == "try") continue;
    RETURN_IF_ERROR(SetFlag(std::string(flag.name), TextOf(flag, asked), *settings));
  }
  if (!asked.given.contains("repeat")) settings->repeat = kLeastRepetitions;
  settings->quick = settings->publish = false;
  settings->given.erase("quick");
  settings->given.erase("publish");
  settings->keep = false;
  settings->given.erase("keep");
  settings->against.clear();
  settings->engine = finding.engine;
  settings->name = "try";
  std::erase_if(settings->engine_options,
                [&](const auto& options) { return options.first != EngineName(finding.engine); });
  settings->vary = fmt::format("{}={},{}", finding.change->setting, finding.change->before,
                               finding.change->after);
  return settings;
}

constexpr std::string_view kRate = "ops/s";

// The figure that a finding is about, and whether less or more is better.
struct Measure {
  std::string_view name;
  bool less_is_better;
  std::function<std::optional<double>(const PhaseResult& phase)> of;
  std::string (*text)(double value);
};

std::string BytesText(double bytes) { return Size(static_cast<uint64_t>(bytes)); }
std::string MicrosText(double us) { return fmt::format("{:.2f} us", us); }

Measure MeasureOf(const Finding& finding) {
  if (finding.figure == FindingFigure::kMemory) {
    return {"memory of its own", true,
            [](const PhaseResult& phase) -> std::optional<double> {
              if (!phase.resources || !phase.resources->memory) return std::nullopt;
              return static_cast<double>(phase.resources->memory->anonymous_bytes);
            },
            BytesText};
  }
  if (finding.figure == FindingFigure::kCpu) {
    return {"processor time of an operation", true,
            [](const PhaseResult& phase) { return CostOf(phase).cpu_us.value; }, MicrosText};
  }
  return {kRate, false, RateOf, Rate};
}

struct Pairs {
  std::vector<double> before;
  std::vector<double> after;
};

Pairs PairsOf(const Result& tried, const std::string& workload, const Measure& measure) {
  const auto of = [&](uint64_t number, uint64_t round) -> std::optional<double> {
    for (const RunResult& run : tried.runs) {
      if (run.variant.number != number || run.round != round) continue;
      for (const PhaseResult& phase : run.phases) {
        if (phase.workload == workload && phase.outcome == Outcome::kOk && !phase.implicit) {
          return measure.of(phase);
        }
      }
    }
    return std::nullopt;
  };
  Pairs pairs;
  uint64_t rounds = 0;
  for (const RunResult& run : tried.runs) rounds = std::max(rounds, run.round);
  for (uint64_t round = 1; round <= rounds; ++round) {
    const auto before = of(1, round);
    const auto after = of(2, round);
    if (!before || !after || *before <= 0 || *after <= 0) continue;
    pairs.before.push_back(*before);
    pairs.after.push_back(*after);
  }
  return pairs;
}

// Both settings' rates in that workload. Nothing if they do not compare.
std::optional<ComparedWorkload> RatesOf(const Result& tried, const std::string& workload,
                                        double margin) {
  const auto comparisons = CompareVariants(tried, {.margin = margin});
  if (!comparisons.ok()) return std::nullopt;
  const std::vector<ComparedWorkload>& rows = comparisons->front().workloads;
  const auto row = std::ranges::find(rows, workload, &ComparedWorkload::workload);
  return row == rows.end() ? std::nullopt : std::optional(*row);
}

TriedChange ComparedIn(const Result& tried, const std::string& directory, const Finding& finding,
                       double margin) {
  const Measure measure = MeasureOf(finding);
  TriedChange change{.engine = Printable(finding.engine),
                     .workload = Printable(finding.workload),
                     .what = fmt::format("{}, {}: --{}={} instead of {}", Printable(finding.engine),
                                         Printable(finding.workload), finding.change->setting,
                                         finding.change->after, finding.change->before),
                     .figures = fmt::format("no round has {} of both", measure.name),
                     .less_is_better = measure.less_is_better,
                     .results = directory};
  const Pairs pairs = PairsOf(tried, finding.workload, measure);
  if (pairs.before.empty()) return change;
  const std::optional<ComparedWorkload> rates = RatesOf(tried, finding.workload, margin);
  const bool in_slices = rates && rates->in_slices && measure.name == kRate;
  change.ratio = in_slices ? rates->ratio : ComparePaired(pairs.before, pairs.after);
  change.verdict = Judge(change.ratio, margin, 0);
  const std::optional<Interval>& interval = change.ratio.interval;
  change.figures = fmt::format(
      "{}: {} before, {} after, ratio {:.3f}{}, {} rounds{}", measure.name,
      measure.text(Median(pairs.before)), measure.text(Median(pairs.after)), change.ratio.ratio,
      interval ? fmt::format(" [{:.3f}, {:.3f}]", interval->low, interval->high) : "",
      pairs.before.size(), in_slices ? " in slices" : "");
  return change;
}

std::string_view AnswerOf(const TriedChange& change) {
  const Verdict better = change.less_is_better ? Verdict::kSlower : Verdict::kFaster;
  if (change.verdict == better) return "it helped";
  switch (change.verdict) {
    case Verdict::kFaster:
    case Verdict::kSlower:
      return "it made it worse";
    case Verdict::kEquivalent:
      return "it makes no difference";
    case Verdict::kIndicative:
      return "not resolved: too few rounds (--repeat=6)";
    case Verdict::kNotRanked:
      return "not known";
    default:
      return "not resolved: more rounds, or a quieter machine, would say";
  }
}

bool IsSameExperiment(const Finding& one, const Finding& other) {
  return one.engine == other.engine && one.change == other.change;
}

// Runs each change that `findings` of `result` propose against the original settings, on the engine
// concerned, with the same workloads in the same order. `asked` has --repeat, --margin, --db and
// --results, if they were given. Only results of `levelfield run` can be run again.
Answer TryChanges(const Result& result, const std::vector<Finding>& findings, const Settings& asked,
                  std::vector<TriedChange>& tried) {
  Answer answer;
  std::vector<Finding> done;
  for (const Finding& finding : findings) {
    const bool is_done = std::ranges::any_of(
        done, [&](const Finding& other) { return IsSameExperiment(finding, other); });
    if (!finding.change || is_done) continue;
    done.push_back(finding);
    ASSIGN_OR_RETURN(const Settings settings, ExperimentOf(result, finding, asked));
    FactsHere facts;
    ASSIGN_OR_RETURN(Plan plan,
                     MakePlan(settings,
                              fmt::format("levelfield diagnose --try: {} --engine={} --vary={}",
                                          result.command, finding.engine, settings.vary),
                              facts));
    const Answer one =
        CarryOut(plan, nullptr, [&](const Result& outcome, const std::string& directory) {
          for (const Finding& same : findings) {
            if (!IsSameExperiment(same, finding)) continue;
            tried.push_back(ComparedIn(outcome, directory, same, asked.margin));
          }
          const StatusOr<std::string> page = WritePageOf(outcome, directory, settings);
          return "";
        });
    answer.exit_code = std::max(answer.exit_code, one.exit_code);
    answer.status = one.status;
    if (!one.status.ok()) break;
  }
  return answer;
}

EngineOptions OptionsOfEnginesIn(const std::string& directory) {
  const auto manifest = ReadManifest(directory);
  return manifest.ok() ? EngineOptionsIn(*manifest) : EngineOptions();
}

}  // namespace

StatusOr<Report> ChangeReport(const std::string& earlier, const std::string& later, double margin) {
  ASSIGN_OR_RETURN(const Result before, ReadResultDirectory(earlier));
  ASSIGN_OR_RETURN(const Result after, ReadResultDirectory(later));
  for (const auto& [directory, result] :
       {std::pair(&earlier, &before), std::pair(&later, &after)}) {
    if (!HasVariants(*result)) continue;
    return Status::Usage(fmt::format(
        "{}: has several variants (--vary); what changed is said of results without", *directory));
  }
  ASSIGN_OR_RETURN(const LevelChanges changes,
                   ChangesBetween(before, OptionsOfEnginesIn(earlier), after,
                                  OptionsOfEnginesIn(later), margin));
  return LevelChangeReport(changes, before, after);
}

void JudgeTogether(std::span<TriedChange* const> tried, double margin) {
  std::vector<Claim> claims;
  for (TriedChange* const change : tried) claims.push_back({&change->ratio, 0, &change->verdict});
  HoldTogether(claims, margin);
}

Report TriedReport(const std::vector<TriedChange>& tried) {
  Report report;
  if (tried.empty()) {
    report.Add(Paragraph{"Nothing to try: no finding has a setting that would be changed."});
  }
  for (size_t i = 0; i < tried.size(); ++i) {
    const TriedChange& change = tried[i];
    Entry entry{.kind = "tried",
                .title = fmt::format("{}: {}", change.what, AnswerOf(change)),
                .engines = {change.engine},
                .workloads = {change.workload},
                .parts = {{"figures", change.figures}}};
    const bool is_last = i + 1 == tried.size() || tried[i + 1].results != change.results;
    if (is_last) entry.parts.emplace_back("results", change.results);
    report.Add(std::move(entry));
  }
  return report;
}

Answer DiagnoseVerb(const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettingsOf("diagnose", words));
  RETURN_IF_ERROR(FindResults(settings.arguments));
  const auto of_experiment = std::ranges::find_if(
      settings.given, [](const std::string& name) { return name != "try" && name != "format"; });
  if (!settings.tries && of_experiment != settings.given.end()) {
    return Status::Usage("--" + *of_experiment + ": is for experiments; add --try");
  }
  if (settings.arguments.size() == 2) {
    if (settings.tries) return Status::Usage("--try: is for one result directory");
    ASSIGN_OR_RETURN(const Report report, ChangeReport(settings.arguments.front(),
                                                       settings.arguments.back(), settings.margin));
    return WriteReport(report, settings, "diagnose");
  }
  if (settings.arguments.size() != 1) {
    return Status::Usage(
        "diagnose needs one result directory, or two to say what changed between them: levelfield "
        "diagnose results/<before> results/<after>");
  }
  const std::string& directory = settings.arguments.front();
  ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(directory));
  Answer answer;
  std::vector<std::pair<Report, std::vector<TriedChange>>> parts;  // What stands above.
  const EngineOptions options = OptionsOfEnginesIn(directory);
  for (const Result& part : VariantsOf(result)) {
    auto& [report, tried] = parts.emplace_back();
    if (VariantOf(part).number != 0) report.Add(Section{Printable(VariantOf(part).name)});
    const std::vector<Finding> findings = Diagnose(part, options);
    report.Append(DiagnosisReport(findings, part));
    if (!settings.tries) continue;
    const Answer one = TryChanges(part, findings, settings, tried);
    answer.exit_code = std::max(answer.exit_code, one.exit_code);
    answer.status = one.status;
    if (!one.status.ok()) break;
  }
  std::vector<TriedChange*> all;
  for (auto& [report, tried] : parts) {
    for (TriedChange& change : tried) all.push_back(&change);
  }
  JudgeTogether(all, settings.margin);
  Report whole;
  if (IsCutOff(result)) {
    whole.Add(Paragraph{Printable(CutOffWords(result))});
    whole.Add(Gap{});
  }
  for (auto& [report, tried] : parts) {
    whole.Append(std::move(report));
    if (!settings.tries || (!answer.status.ok() && tried.empty())) continue;
    whole.Add(Gap{});
    whole.Append(TriedReport(tried));
  }
  ASSIGN_OR_RETURN(answer.text, WriteReport(whole, settings, "diagnose"));
  return answer;
}

}  // namespace levelfield
