#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/program_path.h"
#include "base/quote.h"
#include "base/text.h"
#include "driver/conformance.h"
#include "driver/store_check.h"
#include "driver/supervisor.h"
#include "engine/engine_probe.h"
#include "engine/loader.h"
#include "facts/ask_engines.h"
#include "facts/facts_here.h"
#include "facts/places.h"
#include "plan/engine_requests.h"
#include "plan/plan.h"
#include "process/process.h"
#include "settings/settings.h"
#include "store/store_files.h"
#include "store/store_lock.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// `levelfield verify store PATH`: whether a store is sound, by its engine's own checker and by a
// full read of ours. Exit code 0: it is sound. 1: damage was found. 2: a mistake on the command
// line. 3: it could not be checked, and may be either.

namespace fs = std::filesystem;

constexpr int kCouldNotBeChecked = 3;

// The subject of the check: the database, its engine, and, for one of ours, its content.
struct Found {
  std::string engine;
  std::string database;
  std::optional<StoreView> ours;
};

Status CheckTaken(const Settings& settings) {
  const std::string_view flag = GivenBeside(settings, {"engine", "results", "stall"});
  if (!flag.empty()) {
    return Status::Usage(
        fmt::format("--{}: verify store takes --engine, --results (where the copy is made), "
                    "--stall and options "
                    "of engines only",
                    flag));
  }
  if (settings.arguments.size() == 2 && settings.arguments.front() == "store") return Status::Ok();
  return Status::Usage("verify store needs one store: levelfield verify store <path>");
}

// A store of ours by its marker, which may be beside the named database.
StatusOr<std::optional<StoreView>> FindOurs(const fs::path& path) {
  for (const fs::path& at : {path, path.filename() == "db" ? path.parent_path() : path}) {
    if (!PeekAtStore(at)) continue;
    ASSIGN_OR_RETURN(StoreView store, LookIntoStore(at));
    return std::optional(std::move(store));
  }
  return std::optional<StoreView>();
}

StatusOr<Found> Find(const Settings& settings, const std::vector<std::string>& plugins) {
  const std::string& typed = settings.arguments.back();
  std::error_code error;
  const fs::path path = fs::canonical(typed, error);
  if (error) {
    return Status::Usage(
        fmt::format("{}: there is no store: {}", Printable(typed), error.message()));
  }
  const bool is_named = settings.given.contains("engine");
  if (is_named && (settings.engine == "all" || settings.engine.find(',') != std::string::npos)) {
    return Status::Usage("--engine: a store is of one engine");
  }
  ASSIGN_OR_RETURN(std::optional<StoreView> ours, FindOurs(path));
  Found found{.engine = is_named ? settings.engine : "", .database = path, .ours = {}};
  if (ours) {
    const std::string& of = (ours)->content.engine;
    if (!is_named) found.engine = of;
    if (!of.empty() && EngineName(found.engine) != of) {
      return Status::Usage(fmt::format("--engine={}: {} holds a store of {}", settings.engine,
                                       Printable(typed), of));
    }
    found.database = (ours)->database;
    found.ours = std::move(*ours);
  }
  if (!found.engine.empty()) return found;
  const std::vector<std::string> engines = EnginesThatRecognize(found.database, plugins);
  if (engines.empty()) {
    return Status::Usage(fmt::format(
        "{}: no engine recognizes it as its store; name the engine with --engine= if you know it",
        Printable(typed)));
  }
  found.engine = engines.front();
  return found;
}

std::string StateOf(const Found& found) {
  if (!found.ours) return "not Levelfield's";
  switch (found.ours->state) {
    case StoreState::kClean:
      return found.ours->content.cut_off
                 ? "Levelfield's, closed in good order, but not by a run before"
                 : "Levelfield's, closed in good order";
    case StoreState::kDirty:
      return "Levelfield's, from a run that was cut off";
    case StoreState::kTainted:
      break;
  }
  return "Levelfield's, on which an engine has failed";
}

// Why the required number of entries is not known. Empty if the marker has it.
std::string WhyNotCounted(const Found& found) {
  if (!found.ours) return "it is not Levelfield's";
  if (found.ours->state == StoreState::kTainted) return "an engine has failed on it";
  if (found.ours->state == StoreState::kDirty || found.ours->content.cut_off) {
    return "a run that wrote to it was cut off";
  }
  return found.ours->content.entries == 0 ? "its marker does not have their number" : "";
}

std::string Describe(const Found& found, const ProbeReply& engine, const StoreCheck& check) {
  std::string text = fmt::format("{} {}: {}\n", found.engine, engine.description.Fact("version"),
                                 Printable(found.database));
  const auto row = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:14}{}\n", name, Printable(value));
  };
  row("store", StateOf(found) + (check.was_read ? "; read as a copy" : "; not read"));
  if (found.ours) {
    const std::string& durability = found.ours->content.durability;
    row("filled with",
        durability.empty() ? "a durability that is not known" : "durability " + durability);
  }
  if (!check.was_read) {
    if (!check.damage.empty()) row("damage", check.damage);
    return text;
  }
  row("checker", check.checker.empty() ? "did not get to its end" : check.checker);
  if (const std::string_view sums = engine.description.Fact("checksums"); !sums.empty()) {
    row("checksums", std::string(sums));
  }
  const std::string why = WhyNotCounted(found);
  row("entries",
      fmt::format("{} ({}){}", Grouped(check.entries), Size(check.bytes),
                  why.empty() ? "" : "; the required number is not known, because " + why));
  row("wrong",
      fmt::format("{}{}", Grouped(check.wrong),
                  check.checked_values == check.entries
                      ? ""
                      : fmt::format("; {} of {} values describe themselves and were checked",
                                    Grouped(check.checked_values), Grouped(check.entries))));
  row("missing", Grouped(check.missing) +
                     (why.empty() ? "" : " between its scans and gets; nothing else can be known"));
  row("out of order", Grouped(check.out_of_order));
  if (!check.damage.empty()) row("damage", check.damage);
  if (!check.damage.empty() && !check.not_checked.empty()) row("stopped", check.not_checked);
  return text;
}

Answer CouldNotBeChecked(const std::string& text, const std::string& why) {
  return {fmt::format("{}could not be checked: {}\n", text, Printable(why)), kCouldNotBeChecked};
}

// Takes the words after `verify store`.
Answer VerifyStoreVerb(const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words));
  RETURN_IF_ERROR(UseEnginesOf(settings));
  RETURN_IF_ERROR(CheckTaken(settings));
  ASSIGN_OR_RETURN(const std::vector<std::string> plugins, FindPlugins());
  ASSIGN_OR_RETURN(Found found, Find(settings, plugins));
  RETURN_IF_ERROR(CheckEngineOptionNames(settings, {found.engine}));
  const ProbeReply engine =
      ProbeEngines(
          {{.engine = found.engine,
            .options = OptionsFor(found.engine, settings),
            .durability = "",
            .integer_keys = found.ours && found.ours->content.keys.kind == KeyKind::kInteger}})
          .front();
  if (!engine.status.ok()) return CouldNotBeChecked("", engine.status.message());
  RETURN_IF_ERROR(CheckNobodyUses(found.database));
  RETURN_IF_ERROR(CheckOutsideStores("--results", settings.results));
  InstallInterruptHandlers();
  const StatusOr<StoreCopy> copy = StoreCopy::Make(found.database, settings.results);
  if (!copy.ok()) {
    const ErrorKind kind = copy.status().kind();
    if (kind == ErrorKind::kInterrupted || kind == ErrorKind::kUsage) return copy.status();
    return CouldNotBeChecked("", copy.status().message());
  }
  std::optional<StoreContent> content;
  if (found.ours) content = found.ours->content;
  const StoreCheck check = CheckStore({.engine = found.engine,
                                       .settings = engine.options.settings,
                                       .path = copy->path(),
                                       .stall = settings.stall,
                                       .content = content,
                                       .salt = found.ours ? found.ours->salt : 0});
  if (IsInterrupted()) return Status::Interrupted("interrupted");
  const std::string text = Describe(found, engine, check);
  if (!check.damage.empty()) return {text + "damaged\n", 1};
  if (!check.not_checked.empty()) return CouldNotBeChecked(text, check.not_checked);
  return {text + "sound\n", 0};
}

// Like c_test, the list of tests chooses its own settings. Flags other than engine options would
// have no effect, so they are refused.
StatusOr<GivenOptions> EngineOptionsAlone(const Settings& settings) {
  if (const std::string_view flag = GivenBeside(settings, {"engine", "engines"}); !flag.empty()) {
    return Status::Usage(
        fmt::format("--{}: verify conformance takes --engine and options of engines only", flag));
  }
  GivenOptions given;
  for (const Flag& flag : Flags()) {
    if (!flag.engine_option || !settings.IsGiven(flag.name)) continue;
    given.common.emplace_back(flag.name, TextOf(flag, settings));
  }
  return given;
}

Answer VerifyConformanceVerb(const Words& words, ConformanceOf what) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words));
  RETURN_IF_ERROR(UseEnginesOf(settings));
  if (settings.arguments != Words{"conformance"}) {
    return Status::Usage(
        "verify needs what to verify: levelfield verify conformance, levelfield verify durability, "
        "or levelfield verify store <path>");
  }
  ASSIGN_OR_RETURN(const GivenOptions common, EngineOptionsAlone(settings));
  ASSIGN_OR_RETURN(const std::vector<std::string> plugins, FindPlugins());
  ASSIGN_OR_RETURN(const std::vector<std::string> engines,
                   PlanEngines(settings, plugins, FindRunByName(settings, plugins)));
  RETURN_IF_ERROR(CheckEngineOptionNames(settings, engines));
  std::vector<ConformanceRequest> requests;
  for (const ProbeReply& engine : Probe(engines, nullptr)) {
    ConformanceRequest request{.engine = engine.engine,
                               .version = std::string(engine.description.Fact("version")),
                               .options = OptionsFor(engine.engine, settings)};
    request.options.common = common.common;
    requests.push_back(std::move(request));
  }
  InstallInterruptHandlers();
  const ConformanceReport report = VerifyConformance(requests, what);
  Answer answer(report.text);
  if (report.interrupted) answer.status = Status::Interrupted("interrupted");
  answer.exit_code = report.passed ? 0 : 1;
  if (report.passed && !report.interrupted && !report.not_checked.empty()) {
    answer.text += report.not_checked + "\n";
    answer.exit_code = 3;
  }
  return answer;
}

}  // namespace

Answer VerifyVerb(const Words& words) {
  if (words.empty()) return VerifyConformanceVerb(words, ConformanceOf::kListAndClaims);
  if (words.front() == "durability") return VerifyDurability({words.begin() + 1, words.end()});
  if (words.front() == "store") return VerifyStoreVerb(words);
  return VerifyConformanceVerb(words, ConformanceOf::kListAndClaims);
}

Answer CTest(const Words& words) {
  Words conformance = {"conformance"};
  if (words.empty()) conformance.emplace_back("--engine=leveldb");
  conformance.insert(conformance.end(), words.begin(), words.end());
  return VerifyConformanceVerb(conformance, ConformanceOf::kList);
}

}  // namespace levelfield
