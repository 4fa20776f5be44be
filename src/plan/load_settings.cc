#include "plan/load_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "plan/known.h"
#include "workload/expected_state.h"

namespace levelfield {
namespace {

constexpr double kMostSharePercent = 99.9999;
// --stall must last this many mean gaps. Poisson arrivals have a longer gap once in 10^13.
constexpr double kGapsInStall = 30;

StatusOr<uint64_t> RateOf(std::string_view text) {
  constexpr std::string_view kASecond = "/s";
  std::string_view number = text;
  if (number.ends_with(kASecond)) number.remove_suffix(kASecond.size());
  const StatusOr<uint64_t> rate = ParseCount(number);
  if (rate.ok() && *rate > 0 && *rate <= limits::kRate) return *rate;
  return Status::Usage(fmt::format(
      "--rate={}: operations a second, from 1 to {}, like `50k` or `1.5M/s`, or `sweep`, or a rate "
      "that changes, like `1k:10s,5k:2s`, `sine 1k..5k every 60s` or `@<file>`",
      Printable(std::string(text)), limits::kRate));
}

Status ReadRate(const std::string& text, LoadAsked& asked) {
  if (!RateCurve::IsCurve(text)) {
    ASSIGN_OR_RETURN(asked.rate, RateOf(text));
    return Status::Ok();
  }
  StatusOr<RateCurve> curve = RateCurve::Parse(text);
  if (!curve.ok()) {
    return Status::Usage(fmt::format("--rate={}: {}", Printable(text), curve.status().message()));
  }
  asked.curve = std::move(*curve);
  asked.rate = static_cast<uint64_t>(std::ceil(asked.curve.PeakRate()));
  return Status::Ok();
}

// In front of the name of a file of steps. A result has the steps themselves.
constexpr char kFile = '@';

// Digits, optionally with a point and more digits.
std::optional<double> Number(std::string_view text) {
  const bool is_plain = text.find_first_not_of("0123456789.") == text.npos && text.size() <= 12;
  if (!is_plain || text.starts_with('.') || text.ends_with('.')) return std::nullopt;
  return WholeNumber<double>(text);
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
  const std::optional<double> percent = Number(std::string_view(text).substr(1, less - 1));
  if (!percent) return refused(accepted);
  if (*percent <= 0 || *percent > kMostSharePercent) {
    return refused(fmt::format("a percentile above 0 and up to {} is accepted", kMostSharePercent));
  }
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};  // "s" last: the others end with it.
  const std::string_view limit = std::string_view(text).substr(less + 1);
  for (const auto& [unit, unit_ns] : kUnits) {
    if (!limit.ends_with(unit)) continue;
    const std::optional<double> number = Number(limit.substr(0, limit.size() - unit.size()));
    if (!number) break;
    const double limit_ns = *number * unit_ns;
    if (limit_ns < 1 || limit_ns > 3.6e12)
      return refused("a limit from 1 ns to 3600 s is accepted");
    return Objective{
        .text = text, .share = *percent / 100, .limit_ns = static_cast<uint64_t>(limit_ns + 0.5)};
  }
  return refused(accepted + "; the units are ns, us, ms and s");
}

// Why a role cannot be in a series of phases on one store. Empty: it can.
std::string WhyNotAgain(const Role& role) {
  if (!role.operation->can_repeat || role.inserts()) {
    return "it changes the store, so the next rate would meet another one";
  }
  if (!role.operation->is_scan() || role.restarts) return "";
  return "its scan is over when it has come to the end of the store";
}

Status CheckCurve(const RateCurve& curve, double batch, const Settings& settings, auto refused) {
  if (settings.interval_seconds == 0) {
    return refused(
        "has figures for each part of a rate that changes, which come from intervals: no "
        "--interval_seconds=0 with it");
  }
  const double wait = curve.LongestWaitSeconds(batch * kGapsInStall);
  if (wait <= settings.stall) return Status::Ok();
  return refused(fmt::format(
      "may wait {:.0f} s for an operation where the rate is lowest, and after --stall={} s without "
      "one the engine counts as hung; raise the rate or --stall",
      wait, settings.stall));
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
        "is one operation on the whole store, so it has no rate; leave it out of --benchmarks");
  }
  if (first.rate != 0) {
    return refused(fmt::format(
        "has a rate of its own, {} a second, which is no open loop; leave one of them out",
        first.rate));
  }
  if (asked.has_steps() && workload.act.of != 0) {
    return refused("is an act, which runs once, and rates are tried one after the other");
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
  const auto batch = static_cast<double>(first.batch);
  if (!asked.curve.empty()) return CheckCurve(asked.curve, batch, settings, refused);
  const double wait = batch / static_cast<double>(asked.rate);
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
    asked.kind = LoadAsked::Kind::kOpen;
    RETURN_IF_ERROR(ReadRate(settings.rate, asked));
  }
  return asked;
}

Status ResolveRate(Settings& settings, Known& known) {
  if (!settings.rate.starts_with(kFile)) return Status::Ok();
  const std::string path = settings.rate.substr(1);
  const StatusOr<WorkloadText> file = known.WorkloadOf(path);
  if (file.status().kind() == ErrorKind::kUsage) {
    return Status::Usage(fmt::format("--rate={}: cannot read {}, which was to have a step a line",
                                     Printable(settings.rate), Printable(path)));
  }
  RETURN_IF_ERROR(file.status());
  const StatusOr<RateCurve> curve = RateCurve::Parse(file->text);
  if (!curve.ok()) {
    return Status::Usage(
        fmt::format("--rate={}: {}", Printable(settings.rate), curve.status().message()));
  }
  settings.rate = curve->text();
  return Status::Ok();
}

std::string PlanWords(const LoadAsked& asked) {
  const std::string arrivals = fmt::format("{} arrivals", ArrivalName(asked.arrival));
  switch (asked.kind) {
    case LoadAsked::Kind::kClosed:
      return "";
    case LoadAsked::Kind::kOpen:
      if (!asked.curve.empty()) {
        return fmt::format("; open loop, {} at {}", arrivals, asked.curve.text());
      }
      return fmt::format("; open loop, {} at {}/s", arrivals, asked.rate);
    case LoadAsked::Kind::kSweep:
      return fmt::format("; then open loops, {}, at parts of its rate", arrivals);
    case LoadAsked::Kind::kSearch:
      return fmt::format("; then open loops, {}, for {}", arrivals, asked.objective.text);
  }
  return "";
}

Status CheckLoad(const std::vector<PlannedPhase>& phases, const Settings& settings) {
  if (settings.depth > 1 && !settings.record.empty()) {
    return Status::Usage(fmt::format(
        "--depth={} with --record: calls are recorded as they return, and here they return without "
        "their answers; leave one of them out",
        settings.depth));
  }
  ASSIGN_OR_RETURN(const LoadAsked asked, LoadOf(settings));
  if (asked.kind == LoadAsked::Kind::kClosed) return Status::Ok();
  for (const PlannedPhase& phase : phases) {
    if (phase.implicit) continue;
    RETURN_IF_ERROR(CheckPhase(phase, asked, settings));
  }
  return Status::Ok();
}

namespace {

Status CheckFlags(const std::string& name, const Settings& settings) {
  if (settings.trace.empty()) {
    return Status::Usage(fmt::format(
        "{}: replays which trace? Say --trace=<file>; `levelfield trace convert` makes one of a "
        "recording, and --record=<file> of a run",
        name));
  }
  if (settings.use_existing_db) {
    return Status::Usage(
        fmt::format("--use_existing_db: {} begins with the keys that the trace finds; let it load "
                    "a store of its own",
                    name));
  }
  if (settings.trace_speed == 0) return Status::Ok();
  if (!settings.rate.empty() || !settings.slo.empty()) {
    return Status::Usage(fmt::format(
        "--trace_speed={}: operations are due when they were recorded, and --rate or --slo say "
        "otherwise; leave one of them out",
        settings.trace_speed));
  }
  if (!settings.histogram) {
    return Status::Usage(
        "--histogram=0 with --trace_speed: an open loop is there for its latencies, and reads the "
        "clock for each operation; leave one of them out");
  }
  return Status::Ok();
}

Status CheckTrace(const TracePlan& trace, const Settings& settings) {
  const std::string path = Printable(settings.trace);
  if (trace.largest_value > settings.trace_value_max) {
    return Status::Usage(
        fmt::format("--trace={}: has a value of {} bytes, and --trace_value_max is {}; raise that",
                    path, trace.largest_value, settings.trace_value_max));
  }
  if (trace.keys > ExpectedState::kMostRemembered) {
    return Status::Usage(fmt::format(
        "--trace={}: has {} keys, and of {} at the most what they hold is known; take a part of "
        "it, with --trace_records",
        path, trace.keys, ExpectedState::kMostRemembered));
  }
  if (trace.speed == 0) return Status::Ok();
  if (trace.header.has_no_times) {
    return Status::Usage(
        fmt::format("--trace={}: was recorded without times, so --trace_speed={} has nothing to go "
                    "by; leave it out, or say --rate=<operations a second>",
                    path, trace.speed));
  }
  const double gap = static_cast<double>(trace.longest_gap_ns) * 1e-9 / trace.speed;
  if (gap < settings.stall / 2) return Status::Ok();
  return Status::Usage(fmt::format(
      "--trace={}: nothing is due for {:.1f} s of it at --trace_speed={}, and after --stall={} s "
      "without an operation the engine counts as hung; raise --stall to more than twice that, or "
      "the speed",
      path, gap, trace.speed, settings.stall));
}

}  // namespace

Status ResolveTrace(Workload& workload, const Settings& settings, Known& known) {
  for (Role& role : workload.roles) {
    if (!role.operation->replays_trace) continue;
    RETURN_IF_ERROR(CheckFlags(workload.name, settings));
    TracePlan& trace = role.trace;
    trace.path = settings.trace;
    trace.most_records = settings.trace_records;
    trace.is_loaded = settings.trace_load;
    trace.speed = trace.loads ? 0 : settings.trace_speed;
    RETURN_IF_ERROR(known.DescribeTrace(trace));
    RETURN_IF_ERROR(CheckTrace(trace, settings));
    role.range = trace.keys;
    role.operations = trace.loads ? trace.loaded_keys : trace.records();
    role.value_size = trace.largest_value;
  }
  return Status::Ok();
}

}  // namespace levelfield
