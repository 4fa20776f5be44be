#include "plan/warm_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/quote.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr double kMostSeconds = 1e9;

struct Length {
  double seconds = 0;
  uint64_t operations = 0;  // 0: it is the seconds.
};

std::optional<Length> LengthOf(std::string_view text) {
  if (text.ends_with('s')) {
    double seconds = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [behind, error] = std::from_chars(text.data(), end, seconds);
    if (error != std::errc() || behind != end || !(seconds > 0 && seconds <= kMostSeconds)) {
      return std::nullopt;
    }
    return Length{.seconds = seconds};
  }
  const StatusOr<uint64_t> operations = ParseCount(text);
  if (!operations.ok() || *operations == 0) return std::nullopt;
  return Length{.operations = *operations};
}

bool LeavesStore(const Role& role) { return role.operation->can_warm_up && !role.inserts(); }

}  // namespace

Status CheckWarmUp(const Settings& settings) {
  if (settings.warmup.empty()) return Status::Ok();
  if (!LengthOf(settings.warmup)) {
    return Status::Usage(fmt::format(
        "--warmup={}: seconds (`5s`) or operations (`100k`) are accepted, more than none",
        Printable(settings.warmup)));
  }
  if (settings.compat != "exact") return Status::Ok();
  return Status::Usage("--compat=exact: the originals warm nothing up: no --warmup");
}

Settings WarmUpSettings(const Settings& settings) {
  Settings warm_up = settings;
  const Length length = LengthOf(settings.warmup).value_or(Length{});
  warm_up.duration = length.seconds;
  if (length.operations != 0) warm_up.reads = length.operations;
  return warm_up;
}

bool CanWarmUp(const Workload& workload) {
  if (workload.need != StoreNeed::kLoaded && workload.need != StoreNeed::kAny) return false;
  return std::ranges::all_of(workload.roles, LeavesStore) &&
         std::ranges::any_of(workload.roles,
                             [](const Role& role) { return role.operation->reads; });
}

}  // namespace levelfield
