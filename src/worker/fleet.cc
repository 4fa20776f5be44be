#include "worker/fleet.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/process_tree.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

constexpr const char* kBegin = "the begin";

// At a gate of the phase.
StatusOr<GateAnswer> Meet(RunningPhase& now, GateReached gate) {
  now.BeginStage(Stage::kGate, true);
  gate.gate = fmt::format("{} of {} ({})", gate.gate, now.workload().name, now.number() + 1);
  return now.events().Meet(gate);
}

void SleepUntil(uint64_t monotonic_ns) {
  const timespec until = {static_cast<time_t>(monotonic_ns / kSecondNs),
                          static_cast<long>(monotonic_ns % kSecondNs)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

bool ChangesByOrder(const Role& role) {
  return role.operation->layer == nullptr && !role.operation->chooses_keys();
}

// What each thread of each role wrote, as the model wants it: the puts of a mix are its last
// statistics.
std::string WritesOf(const PhaseRun& run) {
  std::vector<std::vector<uint64_t>> done;
  for (const RoleRun& role : run.roles) {
    std::vector<uint64_t>& threads = done.emplace_back();
    for (const ThreadResult& result : role.results) {
      threads.push_back(result.statistics.empty() ? 0 : result.statistics.back().counts.operations);
    }
  }
  return JsonText(nlohmann::ordered_json(done));
}

// The phase's span in rank 0's clock.
void NoteSpan(const PhaseRun& run, RankShare& share, int64_t clock_offset_ns) {
  uint64_t begin_ns = UINT64_MAX;
  uint64_t end_ns = 0;
  for (const ThreadResult& result : run.roles.front().results) {
    if (result.statistics.empty()) continue;
    begin_ns = std::min(begin_ns, result.start_ns);
    end_ns = std::max(end_ns, result.end_ns);
  }
  if (end_ns == 0) return;
  share.begin_ns = begin_ns + static_cast<uint64_t>(clock_offset_ns);
  share.end_ns = end_ns + static_cast<uint64_t>(clock_offset_ns);
}

}  // namespace

std::string WhyUndivided(const FleetPlace& place, const Workload& workload) {
  if (!place.is_fleet()) return "";
  if (workload.need == StoreNeed::kNone) return "it measures a machine, not a server";
  if (workload.act.of != 0) return "what it does changes over time";
  for (const Role& role : workload.roles) {
    const Operation& operation = *role.operation;
    if (operation.is_of_store() || operation.replays_trace || operation.has_writer_clock ||
        operation.is_transaction() || !role.curve.empty() ||
        (role.changes_store() && !ChangesByOrder(role))) {
      return fmt::format("{} is not divided among ranks", operation.result_name);
    }
  }
  return "";
}

void TakeShareOfRates(WorkerSpec& spec) {
  const FleetPlace& place = spec.fleet;
  for (PlannedPhase& phase : spec.phases) {
    for (Role& role : phase.workload.roles) {
      if (role.rate == 0) continue;
      const uint64_t share =
          role.rate * (place.rank + 1) / place.of - role.rate * place.rank / place.of;
      role.rate = std::max<uint64_t>(share, 1);
    }
  }
}

bool OpenInTurn(RunningPhase& now, PhaseOpening& opening) {
  const FleetPlace& place = now.spec().fleet;
  if (!place.is_fleet()) return opening.Open(now);
  if (!now.Keep(Meet(now, {.gate = "the time before"}).status())) return false;
  const bool has_opened = place.makes_store() && opening.Open(now);
  const bool could_not = place.makes_store() && !has_opened;
  const StatusOr<GateAnswer> answer =
      Meet(now, {.gate = "the store", .failure = could_not ? now.result().message : ""});
  if (could_not) {  // Nobody has a store then.
    now.EndRun();
    return false;
  }
  if (!now.Keep(answer.status())) return false;
  if (has_opened || opening.Open(now)) return true;
  (void)Meet(now, {.gate = kBegin, .failure = now.result().message, .compares_clocks = true});
  return false;
}

Status BeginInFleet(RunningPhase& now, const std::string& failure, int64_t& clock_offset_ns) {
  const std::string machine = Trimmed(ReadAll("/proc/sys/kernel/random/boot_id"));
  ASSIGN_OR_RETURN(const GateAnswer answer,
                   Meet(now, {.gate = kBegin,
                              .tells = fmt::format("{} {}", machine, getpid()),
                              .failure = failure,
                              .compares_clocks = true}));
  now.BeginStage(Stage::kRun, false);
  now.result().rank->clock_error_ns = answer.clock_error_ns;
  clock_offset_ns = answer.clock_offset_ns;
  WorkerState& worker = now.worker();
  // Other ranks on this machine are no disturbance.
  std::vector<ProcessId> others = now.store().open().Processes();
  for (const std::string& told : answer.told) {
    if (!told.starts_with(machine + " ")) continue;
    const int pid = std::atoi(told.c_str() + machine.size());
    if (const auto process = FindProcess(pid); process && pid != getpid()) {
      others.push_back(*process);
    }
  }
  worker.conditions.Include(std::move(others));
  worker.conditions.Begin();
  worker.resources.Begin();
  SleepUntil(answer.begin_ns);
  return Status::Ok();
}

void EndInFleet(RunningPhase& now, const PhaseContext& context, int64_t clock_offset_ns,
                PhaseRun& run) {
  NoteSpan(run, *now.result().rank, clock_offset_ns);
  const StatusOr<GateAnswer> answer = Meet(now, {.gate = "the end", .tells = WritesOf(run)});
  if (answer.status().kind() == ErrorKind::kInterrupted) {
    run.interrupted = true;
    return;
  }
  if (!answer.ok()) {
    run.fleet_failure = answer.status().message();
    return;
  }
  std::vector<std::vector<std::vector<uint64_t>>> by_rank;  // By rank, role and thread.
  for (const std::string& told : answer->told) by_rank.push_back(ParseJsonText(told));
  for (size_t r = 0; r < run.roles.size(); ++r) {
    std::vector<std::vector<uint64_t>> done;
    for (const auto& of_rank : by_rank) done.push_back(of_rank.at(r));
    run.of_fleet.push_back(RoleOfFleet(context, context.workload->roles[r], run.roles[r], done));
  }
}

}  // namespace levelfield
