#include "verbs/describe_plan.h"

#include <fmt/format.h>

#include "plan/load_settings.h"
#include "plan/plan.h"

namespace levelfield {
namespace {

std::string Describe(const Alternative& plan) {
  std::string text;
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
      text += fmt::format(
          "    [{}] {} thread{}, {}{}\n", role.name, role.threads, role.threads == 1 ? "" : "s",
          !role.until_role.empty()
              ? "until [" + role.until_role + "] ends"
              : fmt::format("{} operations{}", role.operations, role.repeat ? " each" : " in all"),
          loop);
    }
  }
  return text;
}

}  // namespace

std::string DescribePlan(const Plan& plan) {
  std::string text;
  for (const Alternative& alternative : plan.alternatives) {
    if (alternative.variant.number != 0) {
      text += fmt::format("{}[{}] {}\n", text.empty() ? "" : "\n", alternative.variant.number,
                          alternative.variant.name);
    }
    text += Describe(alternative);
  }
  return text;
}

}  // namespace levelfield
