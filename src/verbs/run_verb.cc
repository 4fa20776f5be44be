#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <string>

#include "base/number.h"
#include "base/quote.h"
#include "base/sealed_json.h"
#include "base/text.h"
#include "driver/driver.h"
#include "facts/facts_here.h"
#include "plan/completed_fills.h"
#include "plan/jobs.h"
#include "plan/load_settings.h"
#include "plan/plan.h"
#include "plan/plan_json.h"
#include "plan/unused_flags.h"
#include "report/comparison_screen.h"
#include "report/result_report.h"
#include "settings/settings.h"
#include "stats/statistics.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/report.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// The output of `levelfield plan`: the engines that would run with their options, and the
// workloads. Pure.

// "for 3 s", or how many operations; an empty store is full when its keys are written.
std::string LengthOf(const Role& role, const PlannedPhase& phase, double duration) {
  if (!role.until_role.empty()) return "until [" + role.until_role + "] ends";
  if (phase.workload.act.of != 0) return fmt::format("for {:g} s", phase.workload.act.seconds);
  const std::string count = role.operations == 1 ? "once"
                                                 : fmt::format("{} operations{}", role.operations,
                                                               role.repeat ? " each" : " in all");
  const bool is_counted = role.operation->is_of_store() && !role.operation->reopens();
  if (duration == 0 || phase.implicit || is_counted) return count;
  const StoreNeed need = phase.workload.need;
  if (need != StoreNeed::kEmpty && need != StoreNeed::kNone)
    return fmt::format("for {} s", duration);
  return fmt::format(
      "{}, for {} s at the most{}", count, duration,
      phase.completed_for.empty() || !FillsByCount(role)
          ? ""
          : fmt::format(" (the rest is written for {}, unmeasured, in the time that it takes at "
                        "this engine's rate)",
                        Printable(phase.completed_for)));
}

// "op = 90% get, 10% put; keys = uniform": what the workload's file says of the role, without what
// is said in words or by a flag.
std::string RoleText(const Role& role, const WorkloadText& source, const Settings& settings) {
  const auto resolved = [&](std::string value) {
    for (size_t at = value.find('$'); at != value.npos; at = value.find('$', at + 1)) {
      const size_t end = value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1);
      const Flag* const flag = FindFlag(value.substr(at + 1, end - at - 1));
      if (flag != nullptr) value.replace(at, end - at, TextOf(*flag, settings));
    }
    return value;
  };

  std::vector<std::string> lines;
  bool is_in_it = false;
  for (const std::string& line : Split(source.text, '\n')) {
    if (line.starts_with('[')) is_in_it = line.starts_with("[" + role.name + "]");
    const size_t equals = line.find('=');
    if (!is_in_it || equals == line.npos || line.starts_with('#')) continue;
    const std::string name = Trimmed(line.substr(0, equals));
    const std::string value = Trimmed(line.substr(equals + 1));
    const bool is_flag = value.starts_with('$') && name != "op" && name != "keys";
    if (is_flag || name == "threads" || name == "stop") continue;
    lines.push_back(name + " = " + resolved(value));
  }
  return fmt::format("{}", fmt::join(lines, "; "));
}

std::string Describe(const PlannedVariant& plan) {
  const Settings& settings = plan.settings;
  std::string text =
      fmt::format("{}{}, memory {}, processors {}\n", Plural(settings.repeat, "round"),
                  settings.precision > 0 ? " or more" : "",
                  settings.memory == 0 ? "not limited" : Size(settings.memory),
                  settings.cpus.empty() ? "all" : settings.cpus);
  for (const ProbeReply& engine : plan.engines) {
    if (!engine.status.ok()) {
      text += fmt::format("{}: will not run: {}\n", engine.engine, engine.status.message());
      continue;
    }
    text += fmt::format("{} {}:", engine.engine, engine.description.Fact("version"));
    for (const auto& [name, value] : WithoutHints(engine.options.settings)) {
      text += fmt::format(" {}={}", name, value);
    }
    text += "\n";
    for (const auto& [setting, why_not] : engine.options.not_applied) {
      text += fmt::format("    {}\n", NotAppliedWords(engine.engine, setting, why_not));
    }
    for (const std::string& note : engine.options.notes) text += fmt::format("    {}\n", note);
  }
  text += plan.stores.empty() ? "each in a fresh process on a fresh store:\n"
                              : "each in a fresh process on the store that is there:\n";
  const StatusOr<LoadAsked> load = LoadOf(plan.settings);
  for (const PlannedPhase& phase : plan.phases) {
    text += fmt::format("  {:24} durability {}{}\n", phase.workload.name, phase.durability,
                        phase.implicit             ? "; loads the store, is not shown"
                        : phase.repetition.warm_up ? "; a warm-up"
                                                   : "");
    for (const Role& role : phase.workload.roles) {
      const bool is_loaded = load.ok() && !phase.implicit && &role == &phase.workload.roles.front();
      const std::string loop =
          role.trace.speed > 0
              ? fmt::format("; open loop, as the trace has it, {}x its speed", role.trace.speed)
          : is_loaded ? PlanWords(*load)
                      : "";
      text += fmt::format("    [{}] {}, {}{}\n        {}\n", role.name,
                          Plural(role.threads, "thread"), LengthOf(role, phase, settings.duration),
                          loop, Printable(RoleText(role, phase.source, settings)));
    }
  }
  return text;
}

std::string DescribePlan(const Plan& plan) {
  std::string text;
  for (const PlannedVariant& variant : plan.variants) {
    if (variant.variant.number != 0) {
      text += fmt::format("{}[{}] {}\n", text.empty() ? "" : "\n", variant.variant.number,
                          variant.variant.name);
    }
    text += Describe(variant);
  }
  return text;
}

// Checks the flags about comparisons alone.
Status CheckComparison(const Settings& settings) {
  const bool compares = !settings.against.empty();
  if (compares && !settings.given.contains("engine")) {
    return Status::Usage("--against: says what to compare with; --engine says what");
  }
  if (compares && (settings.against == "all" || settings.against.find(',') != std::string::npos)) {
    return Status::Usage("--against: takes one engine; --engine may name several");
  }
  if (compares && !settings.baseline.empty()) {
    return Status::Usage(
        "--baseline with --against: both say what to compare with; leave one of them out");
  }
  for (const char* const name : {"against", "baseline"}) {
    if (settings.vary.empty() || !settings.given.contains(name)) continue;
    return Status::Usage(
        fmt::format("--{0} with --vary: what is varied is compared with its first value; name all "
                    "engines in --engine, and leave --{0} out",
                    name));
  }
  if (compares || HasVerdicts(settings) || !settings.vary.empty()) return Status::Ok();
  for (const char* const name : {"baseline", "noise", "fail-on"}) {
    if (!settings.given.contains(name)) continue;
    return Status::Usage(
        fmt::format("--{}: one run of each engine is too few to rank them; --repeat={} or "
                    "more gives verdicts",
                    name, kLeastRepetitions));
  }
  return Status::Ok();
}

// The baseline engine, if one is named, must be among those that run.
Status CheckBaseline(const Settings& settings, const Plan& plan) {
  const bool compares = !settings.against.empty();
  const std::string& baseline = compares ? settings.against : settings.baseline;
  if (baseline.empty()) return Status::Ok();
  const std::string flag = fmt::format("--{}={}", compares ? "against" : "baseline", baseline);
  std::vector<std::string> stores;
  bool is_there = false;
  for (const ProbeReply& engine : plan.first().engines) {
    const bool is_it = engine.engine == baseline;
    if (is_it && !engine.status.ok()) {
      return Status::Usage(fmt::format("{}: {}", flag, engine.status.message()));
    }
    if (!IsRanked(engine, settings)) {
      if (!is_it) continue;
      return Status::Usage(fmt::format(
          "{}: is a baseline of what no store can beat (LF_FLOOR), which is shown and not ranked; "
          "name an engine that keeps a store, or if it does keep one, take LF_FLOOR out of its "
          "capabilities",
          Printable(flag)));
    }
    is_there = is_there || is_it;
    stores.push_back(engine.engine);
  }
  if (is_there && stores.size() > 1) return Status::Ok();
  if (is_there) {
    return Status::Usage(fmt::format(
        "{}: no other engine of the run keeps a store to compare with it", Printable(flag)));
  }
  return Status::Usage(fmt::format("{}: is no store of those that run: {}", Printable(flag),
                                   fmt::join(stores, ", ")));
}

// That --noise names, read before anything is measured.
StatusOr<Noise> NoiseGiven(const Settings& settings) {
  if (settings.noise.empty()) return Noise();
  NamedTexts texts;
  for (const Flag& flag : Flags()) texts.emplace_back(flag.name, TextOf(flag, settings));
  return ReadNoise(settings.noise, texts);
}

// What is invalid hides no regression.
int CodeOfBoth(int of_run, int of_comparison) {
  return of_run == 0 || (of_run == 3 && of_comparison == 1) ? of_comparison : of_run;
}

struct SettingsAndPlan {
  Settings settings;
  FactsHere facts;
  Plan plan;
};

StatusOr<SettingsAndPlan> PlanRun(const Words& words, const std::string& verb) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettingsOf(verb, words));
  RETURN_IF_ERROR(CheckComparison(settings));
  if (!settings.against.empty()) {
    settings.engine = settings.against + "," + settings.engine;
    if (!HasRounds(settings)) settings.repeat = kLeastRepetitions;
  }
  ASSIGN_OR_RETURN(Noise noise, NoiseGiven(settings));
  FactsHere facts;
  if (!settings.facts.empty()) {
    ASSIGN_OR_RETURN(facts, FactsHere::FromFile(settings.facts));
  }
  ASSIGN_OR_RETURN(Plan plan, MakePlan(settings, Typed("levelfield " + verb, words), facts));
  plan.noise = std::move(noise);
  RETURN_IF_ERROR(CheckBaseline(settings, plan));
  for (const PlannedVariant& variant : plan.variants) {
    RETURN_IF_ERROR(CheckFlagsAreUsed(variant.settings, variant.phases,
                                      "--benchmarks=" + variant.settings.benchmarks));
  }
  if (!settings.against.empty()) {
    ASSIGN_OR_RETURN(plan, facts.For([&](Known& known) { return PreferSlices(plan, known); }));
  }
  return SettingsAndPlan{std::move(settings), std::move(facts), std::move(plan)};
}

}  // namespace

Answer RunVerb(const Words& words) {
  ASSIGN_OR_RETURN(SettingsAndPlan planned, PlanRun(words, "run"));
  const Settings& settings = planned.settings;
  RETURN_IF_ERROR(AddOverheads(planned.plan, planned.facts));
  const bool is_sweep = planned.plan.variants.size() > 1;
  const bool compares = !settings.against.empty();
  StatusOr<Compared> comparison = Compared();
  Answer answer =
      CarryOut(planned.plan, nullptr, [&](const Result& result, const std::string& directory) {
        // A rank's figures are a part of the fleet's.
        if (settings.fleet != "none") return "results: " + Printable(directory) + "\n";
        if (compares || HasVerdicts(settings)) comparison = CompareEngines(result, settings);
        const StatusOr<std::string> page = WritePageOf(result, directory, settings);
        const bool is_whole = settings.verbose && !is_sweep;
        Report report = is_whole ? ResultReport(result) : ScreenOf(result, settings, directory);
        // A comparison that was asked for gets its answer. Otherwise the screen says who leads.
        const bool asks = is_whole || is_sweep || compares || !settings.baseline.empty();
        if (is_sweep && !comparison.ok()) {
          report.AddLine("no verdicts: " + comparison.status().message());
        }
        if (asks && comparison.ok()) {
          report.Append(is_whole || is_sweep ? comparison->report
                                             : VerdictsReport(comparison->comparisons));
        }
        return ForTerminal(report) + "results: " + Printable(directory) + "\n" +
               (page.ok() ? "report: " + Printable(*page)
                          : "no report: " + page.status().message()) +
               "\n";
      });
  // Nobody asked for a verdict, so a slower engine is no failure.
  if (!compares) return answer;
  if (answer.status.ok()) answer.status = comparison.status();
  if (!comparison.ok()) return answer;
  answer.exit_code = CodeOfBoth(answer.exit_code, comparison->exit_code);
  return answer;
}

Answer PlanVerb(const Words& words) {
  ASSIGN_OR_RETURN(const SettingsAndPlan planned, PlanRun(words, "plan"));
  const std::string& format = planned.settings.format;
  if (planned.settings.jobs) {
    ASSIGN_OR_RETURN(const std::string lines, JobLines(program_invocation_name, planned.settings));
    return lines;
  }
  if (format == "table") return DescribePlan(planned.plan);
  if (format == "json") {
    return SealedText({{"plan", ToJson(planned.plan)}, {"facts", ToJson(planned.facts.facts())}},
                      1);
  }
  return Status::Usage(
      fmt::format("--format={}: a plan is a `table` for a terminal, or `json`", format));
}

}  // namespace levelfield
