#include "plan/load_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/quote.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostRate = 1'000'000'000;
constexpr double kMostSharePercent = 99.9999;
// Gaps of Poisson arrivals of which --stall takes so many are longer than it once in 10^13.
constexpr double kGapsInStall = 30;

StatusOr<uint64_t> RateOf(std::string_view text) {
  constexpr std::string_view kASecond = "/s";
  std::string_view number = text;
  if (number.ends_with(kASecond)) number.remove_suffix(kASecond.size());
  const StatusOr<uint64_t> rate = ParseCount(number);
  if (rate.ok() && *rate > 0 && *rate <= kMostRate) return *rate;
  return Status::Usage(fmt::format(
      "--rate={}: operations a second, from 1 to {}, like `50k` or `1.5M/s`, or `sweep`",
      Printable(std::string(text)), kMostRate));
}

StatusOr<double> Number(std::string_view text) {
  const size_t point = text.find('.');
  double value = 0;
  double unit = 1;
  if (text.empty() || text.size() > 12 || point == 0 || point + 1 == text.size()) {
    return Status::Usage("no number");
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (text[i] < '0' || text[i] > '9') return Status::Usage("no number");
    if (point != std::string_view::npos && i > point) unit /= 10;
    value = value * 10 + (text[i] - '0');
  }
  return value * unit;
}

StatusOr<Objective> ObjectiveOf(const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return Status::Usage(fmt::format("--slo={}: {}", Printable(text), why));
  };
  const std::string accepted =
      "one percentile of the response time and its limit, like `p99<1ms` or `p99.9<250us`";
  if (text.find_first_of(",;& ") != std::string::npos) {
    return refused(accepted + "; one objective at a time");
  }
  const size_t less = text.find('<');
  if (less == std::string::npos || !text.starts_with('p')) return refused(accepted);
  const StatusOr<double> percent = Number(std::string_view(text).substr(1, less - 1));
  if (!percent.ok()) return refused(accepted);
  if (*percent <= 0 || *percent > kMostSharePercent) {
    return refused(fmt::format("a percentile above 0 and up to {} is accepted", kMostSharePercent));
  }
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};  // "s" last: the others end with it.
  const std::string_view limit = std::string_view(text).substr(less + 1);
  for (const auto& [unit, unit_ns] : kUnits) {
    if (!limit.ends_with(unit)) continue;
    const StatusOr<double> number = Number(limit.substr(0, limit.size() - unit.size()));
    if (!number.ok()) break;
    const double limit_ns = *number * unit_ns;
    if (limit_ns < 1 || limit_ns > 3.6e12)
      return refused("a limit from 1 ns to 3600 s is accepted");
    return Objective{
        .text = text, .share = *percent / 100, .limit_ns = static_cast<uint64_t>(limit_ns + 0.5)};
  }
  return refused(accepted + "; the units are ns, us, ms and s");
}

// Why a role has no place in a series of phases on one store; empty: it has one.
std::string WhyNotAgain(const Role& role) {
  if (!role.operation->can_repeat) return "it does not leave the store as it was for the next rate";
  if (!role.operation->is_scan() || role.restarts) return "";
  return "its scan is over when it has come to the end of the store";
}

Status CheckPhase(const PlannedPhase& phase, const LoadAsked& asked, const Settings& settings) {
  const Workload& workload = phase.workload;
  const std::string flag = settings.slo.empty() ? "--rate" : "--slo";
  const auto refused = [&](const std::string& why) {
    return Status::Usage(fmt::format("{}: {} {}", flag, workload.name, why));
  };
  const Role& first = workload.roles.front();
  if (first.operation->is_of_store() || first.operation->is_of_machine()) {
    return refused(
        "does no operations one after the other that could be due at a time; leave it out of "
        "--benchmarks");
  }
  if (first.rate != 0) {
    return refused(fmt::format(
        "has a rate of its own, {} a second, which is no open loop; leave one of them out",
        first.rate));
  }
  if (asked.has_steps()) {
    if (workload.need == StoreNeed::kEmpty || !workload.loader.empty()) {
      return refused(
          "begins with a new store each time, and the rates are tried on one store; leave it out "
          "of "
          "--benchmarks: what loads the store for others comes before them unasked");
    }
    for (const Role& role : workload.roles) {
      const std::string why = WhyNotAgain(role);
      if (!why.empty()) {
        return refused("cannot be run again and again, at one rate after the other: " + why);
      }
    }
    return Status::Ok();
  }
  const double wait = static_cast<double>(first.batch) / static_cast<double>(asked.rate);
  if (wait * kGapsInStall <= settings.stall) return Status::Ok();
  return refused(fmt::format(
      "has an operation of {} entries at {} entries a second, one in {:.1f} s on the average, but "
      "after --stall={} s without one the engine counts as hung; make the batch smaller, or the "
      "rate or --stall larger",
      first.batch, asked.rate, wait, settings.stall));
}

}  // namespace

StatusOr<LoadAsked> LoadOf(const Settings& settings) {
  LoadAsked asked;
  asked.arrival =
      settings.arrival == ArrivalName(Arrival::kConstant) ? Arrival::kConstant : Arrival::kPoisson;
  if (!settings.slo.empty()) {
    ASSIGN_OR_RETURN(const Objective objective, ObjectiveOf(settings.slo));
    asked.kind = LoadAsked::Kind::kSearch;
    asked.objective = objective;
  } else if (settings.rate == "sweep") {
    asked.kind = LoadAsked::Kind::kSweep;
  } else if (!settings.rate.empty()) {
    ASSIGN_OR_RETURN(const uint64_t rate, RateOf(settings.rate));
    asked.kind = LoadAsked::Kind::kOpen;
    asked.rate = rate;
  }
  return asked;
}

std::string PlanWords(const LoadAsked& asked) {
  const std::string arrivals = fmt::format("{} arrivals", ArrivalName(asked.arrival));
  switch (asked.kind) {
    case LoadAsked::Kind::kClosed:
      return "";
    case LoadAsked::Kind::kOpen:
      return fmt::format("; open loop, {} at {}/s", arrivals, asked.rate);
    case LoadAsked::Kind::kSweep:
      return fmt::format("; then open loops, {}, at parts of its rate", arrivals);
    case LoadAsked::Kind::kSearch:
      return fmt::format("; then open loops, {}, for {}", arrivals, asked.objective.text);
  }
  return "";
}

Status CheckLoad(const std::vector<PlannedPhase>& phases, const Settings& settings) {
  ASSIGN_OR_RETURN(const LoadAsked asked, LoadOf(settings));
  if (asked.kind == LoadAsked::Kind::kClosed) return Status::Ok();
  for (const PlannedPhase& phase : phases) {
    if (phase.implicit) continue;
    RETURN_IF_ERROR(CheckPhase(phase, asked, settings));
  }
  return Status::Ok();
}

}  // namespace levelfield
