#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "base/print.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "driver/driver.h"
#include "engine/places.h"
#include "facts/facts_here.h"
#include "report/db_bench/db_bench_text.h"
#include "settings/flag_text.h"
#include "settings/settings.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/trace_for_replay.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// The default directory of LevelDB's tests and benchmarks.
std::string TestDirectory() {
  return EnvironmentOr("TEST_TMPDIR", fmt::format("/tmp/leveldbtest-{}", geteuid()));
}

// Like the original, prints machine and progress to standard error, results to standard output.
class Printer : public RunListener {
 public:
  Printer(const ProbeReply& engine, const Settings& settings)
      : engine_(engine), given_(settings.given), duration_(settings.duration) {}

  void Began(const std::string& directory) override {
    StatusOr<Result> result = ReadResultDirectory(directory);
    if (!result.ok()) return;  // The end of the run says why.
    result_ = std::move(*result);
    Print(stderr, DbBenchMachine(result_, engine_.engine, engine_.description.Fact("version")));
    Print(stdout,
          DbBenchHeader(result_, engine_.engine, std::string(engine_.description.Fact("warning")),
                        engine_.options.settings));
    for (const auto& [setting, why_not] : engine_.options.not_applied) {
      if (!given_.contains(setting)) continue;  // Nobody needs to know it of a default.
      PrintNote("note: " + NotAppliedWords(engine_.engine, setting, why_not));
    }
  }

  void PhaseEnded(const PhaseResult& phase) override {
    if (phase.implicit && phase.outcome == Outcome::kOk) {
      PrintNote("note: the store was empty, so every key was written to it first");
    }
    phases_.push_back(phase);
    Print(stdout, DbBenchLines(result_, phases_, phases_.size()));
    if (EndedBefore(phase, duration_)) {
      const RoleResult& role = phase.roles.front();
      PrintNote(fmt::format("note: {} ended before --duration={}, after {:.3g} s: all of its {} "
                            "operations were done",
                            Printable(phase.workload), duration_, role.seconds, role.Operations()));
    }
    if (phase.implicit || phase.outcome != Outcome::kOk || phase.roles.empty()) return;
    ++figures_;
    if (IsChecked(phase)) {
      ++checked_;
    } else {
      AddOnce(unchecked_[phase.check_detail], Printable(phase.workload));
    }
  }

  std::string Summary(const std::string& directory) const {
    std::string text = fmt::format("checked: {} of {} figures\n", checked_, figures_);
    for (const auto& [why, names] : unchecked_) {
      text += fmt::format("not checked: {}: {}\n", Listed(names), Printable(why));
    }
    return text + fmt::format("results: {}\n", Printable(directory));
  }

 private:
  const ProbeReply& engine_;
  const std::set<std::string>& given_;
  const double duration_;
  Result result_;
  SharedList<PhaseResult> phases_;
  size_t figures_ = 0;
  size_t checked_ = 0;
  std::map<std::string, std::vector<std::string>> unchecked_;  // The names, by the reason.
};

// Plans what is left of the words without those that are refused, so that all that is wrong with a
// line is said at once.
StatusOr<Plan> PlanOf(const Dialect& program, const Words& words, const Translation& translated,
                      TraceForReplay& trace, Settings& settings, FactsHere& facts) {
  ASSIGN_OR_RETURN(settings, ParseSettings(translated.words));
  ASSIGN_OR_RETURN(settings.trace, trace.Of(settings.trace, settings.value_size));
  settings.given = translated.given;
  RETURN_IF_ERROR(CheckFlagsOf("run", settings));
  RETURN_IF_ERROR(UseEnginesOf(settings));
  settings.is_original = true;
  // Like the original, but a default benchmark never writes to somebody else's store.
  if (settings.use_existing_db && !settings.read_only && settings.given.contains("benchmarks")) {
    settings.allow_writes_to_foreign_store = true;
  }
  return MakePlan(settings, Typed(program.program, words), facts);
}

// RocksDB's --build_info, which tells and ends as --version does.
bool AsksForBuild(std::string_view word) {
  if (!word.starts_with('-')) return false;
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  constexpr std::string_view kFlag = "build_info";
  if (!word.starts_with(kFlag)) return false;
  word.remove_prefix(kFlag.size());
  if (word.starts_with('=')) word.remove_prefix(1);
  const StatusOr<bool> value = ParseFlag(word);
  return word.empty() || (value.ok() && *value);
}

}  // namespace

Answer RunDbBench(const Dialect& program, const Words& words) {
  const auto asks = [&](std::string_view flag) {
    return std::ranges::find(words, flag) != words.end();
  };
  const Dialect& dialect = DialectOfWords(program, words);
  if (dialect.gflags && std::ranges::any_of(words, AsksForBuild)) {
    return DialectVersion(dialect) + "How a library was built: levelfield engines rocksdb\n";
  }
  if (asks("--version") || (dialect.gflags && asks("-version"))) return DialectVersion(dialect);
  if (asks("--help") || asks("-h")) {
    std::vector<const Flag*> flags = FlagsOf(VerbNamed("run"));
    if (!dialect.has_exact) std::erase(flags, FindFlag("compat"));
    ASSIGN_OR_RETURN(const Translation nothing_typed,
                     TranslateWords(program, {}, TestDirectory(), TextsHere()));
    ASSIGN_OR_RETURN(const Settings defaults, ParseSettings(nothing_typed.words));
    return DialectHelp(dialect) + FlagsHelp(flags, defaults);
  }
  ASSIGN_OR_RETURN(const Translation translated,
                   Translate(program, words, TestDirectory(), TextsHere()));
  for (const std::string& note : translated.notes) {
    Print(stderr, fmt::format("{}: {}\n", program.program, note));
  }
  Settings settings;
  FactsHere facts;
  TraceForReplay trace;
  const StatusOr<Plan> planned = PlanOf(program, words, translated, trace, settings, facts);
  if (!translated.refusals.empty()) {
    std::vector<std::string> all = translated.refusals;
    if (!planned.ok()) all.emplace_back(planned.status().message());
    return Status::Usage(Joined(all, "; "));
  }
  if (!planned.ok()) return planned.status();
  const Plan& plan = *planned;
  Printer printer(plan.first().engines.front(), settings);
  return CarryOut(plan, &printer, [&](const Result&, const std::string& directory) {
    Print(stderr, printer.Summary(directory));
    return std::string();
  });
}

}  // namespace levelfield
