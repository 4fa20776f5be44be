#include "verbs/verify.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "driver/conformance.h"
#include "engine/engine_probe.h"
#include "engine/loader.h"
#include "plan/plan.h"
#include "process/interrupts.h"
#include "settings/settings.h"
#include "verbs/make_plan.h"
#include "verbs/verify_durability.h"
#include "verbs/verify_store.h"

namespace levelfield {
namespace {

// The list of tests chooses its own settings, as c_test does: flags other than an engine's would
// have no effect, so they are refused.
StatusOr<GivenOptions> EngineOptionsAlone(const Settings& settings) {
  if (const std::string_view flag = GivenBeside(settings, {"engine"}); !flag.empty()) {
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

Answer VerifyConformanceVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  if (settings->arguments != Words{"conformance"}) {
    return Failure(Status::Usage(
        "verify needs what to verify: levelfield verify conformance, levelfield verify durability, "
        "or levelfield verify store <path>"));
  }
  const StatusOr<GivenOptions> common = EngineOptionsAlone(*settings);
  if (!common.ok()) return Failure(common.status());
  const std::vector<std::string> plugins = FindEngines(EngineDirectory());
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(*settings, plugins, FindRunByName(*settings, plugins));
  if (!engines.ok()) return Failure(engines.status());
  if (const Status status = CheckEngineOptionNames(*settings, *engines); !status.ok()) {
    return Failure(status);
  }
  std::vector<ConformanceRequest> requests;
  for (const ProbeReply& engine : Probe(*engines, nullptr)) {
    ConformanceRequest request{.engine = engine.engine,
                               .version = std::string(engine.description.Fact("version")),
                               .options = OptionsFor(engine.engine, *settings)};
    request.options.common = common->common;
    requests.push_back(std::move(request));
  }
  InstallInterruptHandlers();
  const ConformanceReport report = VerifyConformance(requests);
  Answer answer{.text = report.text};
  if (report.interrupted) answer.status = Status::Interrupted("interrupted");
  answer.exit_code = report.passed ? 0 : 1;
  return answer;
}

}  // namespace

Answer VerifyVerb(const Words& words) {
  if (words.empty()) return VerifyConformanceVerb(words);
  if (words.front() == "durability") return VerifyDurability({words.begin() + 1, words.end()});
  if (words.front() == "store") return VerifyStoreVerb(words);
  return VerifyConformanceVerb(words);
}

Answer CTest(const Words& words) {
  Words conformance = {"conformance"};
  if (words.empty()) conformance.emplace_back("--engine=leveldb");
  conformance.insert(conformance.end(), words.begin(), words.end());
  return VerifyVerb(conformance);
}

}  // namespace levelfield
