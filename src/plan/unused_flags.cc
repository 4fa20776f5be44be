#include "plan/unused_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/quote.h"
#include "base/text.h"
#include "plan/compat.h"
#include "plan/phase_settings.h"
#include "workload/find_workload.h"
#include "workload/key_distribution.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

constexpr size_t kMostNamed = 4;
// They act beyond what a workload's file comes to.
constexpr std::string_view kOfEveryWorkload[] = {"seed", "duration"};

// A workload that cannot be had with one of the settings differs as well.
bool Differs(const std::string& name, std::string_view text, const Settings& one,
             const Settings& other) {
  const StatusOr<Workload> with = ParseWorkload(name, text, one);
  const StatusOr<Workload> without = ParseWorkload(name, text, other);
  return with.ok() != without.ok() || (with.ok() && *with != *without);
}

// The workloads of Levelfield's own that differ. None: the flag is not for workloads.
std::vector<std::string> WhoDiffers(const Settings& one, const Settings& other) {
  std::vector<std::string> names;
  for (const auto& [view, text] : BuiltinWorkloads()) {
    std::string name(view);
    if (Differs(name, text, one, other)) names.push_back(std::move(name));
  }
  if (names.size() <= kMostNamed) return names;
  names.resize(kMostNamed);
  names.emplace_back("others");
  return names;
}

// The values of --key_distribution with which reads of random keys differ.
std::vector<std::string> DistributionsThatDiffer(Settings one, Settings other) {
  std::vector<std::string> names;
  const WorkloadText reads = *FindWorkload("readrandom");
  for (const std::string_view name : DistributionNames()) {
    one.key_distribution = other.key_distribution = name;
    if (Differs(reads.name, reads.text, one, other)) {
      names.push_back(fmt::format("--key_distribution={}", name));
    }
  }
  return names;
}

// Flags of readers, where no phase reads.
Status CheckReadersAreThere(const Settings& settings, const std::vector<PlannedPhase>& phases,
                            const std::string& load) {
  const auto refused = [&](std::string_view flag) {
    return Status::Usage(
        fmt::format("--{}: changes nothing in {}; it is for workloads that read a loaded store. "
                    "Leave it out, or add one of those",
                    flag, Printable(load)));
  };
  if (!settings.warmup.empty() && !std::ranges::any_of(phases, &PlannedPhase::leads_in)) {
    return refused("warmup");
  }
  const auto is_cold = [&](const PlannedPhase& phase) {
    return IsColdBefore(phase.workload, settings);
  };
  return settings.cache == "cold" && std::ranges::none_of(phases, is_cold) ? refused("cache=cold")
                                                                           : Status::Ok();
}

}  // namespace

Status CheckFlagsAreUsed(const Settings& settings, const std::vector<PlannedPhase>& phases,
                         const std::string& load) {
  if (IsExact(settings)) return Status::Ok();  // As the originals, which ignore such flags.
  RETURN_IF_ERROR(CheckReadersAreThere(settings, phases, load));
  for (const Flag& flag : Flags()) {
    const bool is_of_every =
        std::ranges::find(kOfEveryWorkload, flag.name) != std::end(kOfEveryWorkload);
    if (!settings.IsGiven(flag.name) || flag.engine_option || is_of_every) continue;
    Settings without = settings;
    if (!SetFlag(std::string(flag.name), TextOf(flag, Settings()), without).ok()) continue;
    if (TextOf(flag, settings) == TextOf(flag, without)) continue;
    const bool is_used = std::ranges::any_of(phases, [&](const PlannedPhase& phase) {
      const auto of = [&](const Settings& all) {
        return phase.implicit ? LoaderSettings(all) : all;
      };
      return Differs(phase.source.name, phase.source.text, of(settings), of(without));
    });
    if (is_used) continue;
    std::vector<std::string> users = WhoDiffers(settings, without);
    if (users.empty()) users = DistributionsThatDiffer(settings, without);
    if (users.empty()) continue;
    return Status::Usage(fmt::format(
        "--{}={}: changes nothing in {}; it is for {}. Leave it out, or add one of those",
        flag.name, Printable(TextOf(flag, settings)), Printable(load), Listed(users)));
  }
  return Status::Ok();
}

}  // namespace levelfield
