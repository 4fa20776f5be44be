#include "analysis/validity.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/consistency.h"
#include "analysis/cost.h"
#include "analysis/durability.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

constexpr double kMostDriftPpm = 50;

std::string WhyClockDrifted(const PhaseResult& phase) {
  if (std::abs(phase.clock_drift_ppm) <= kMostDriftPpm) return "";
  return fmt::format(
      "the time-stamp counter ran away from CLOCK_MONOTONIC by {:.0f} ppm (a migration or a "
      "suspend); run it again, or with --clock=monotonic",
      phase.clock_drift_ppm);
}

std::string WhyLoadIsNotKept(const PhaseResult& phase) {
  for (const RoleResult& role : phase.roles) {
    if (!role.load) continue;
    if (role.Operations() == 0) {
      return fmt::format(
          "no operation was done in {:.3g} s at {} a second: give a longer --duration or a higher "
          "--rate",
          role.seconds, role.rate);
    }
    if (role.load->verdict == LoadOutcome::kNotSustainable) return JudgeLoad(role).message;
  }
  return "";
}

std::string WhyNotCold(const PhaseResult& phase) {
  if (!phase.page_cache || !phase.page_cache->was_dropped || IsCold(*phase.page_cache)) return "";
  return fmt::format(
      "cold could not be established: after it was dropped, the page cache still had {:.1f} of "
      "{:.1f} MiB of the store's files; a program has them mapped, or the file system lives in "
      "memory",
      static_cast<double>(phase.page_cache->cached_bytes) / (1 << 20),
      static_cast<double>(phase.page_cache->file_bytes) / (1 << 20));
}

}  // namespace

std::string WhyVoid(const PhaseResult& phase) {
  if (!phase.void_because.empty()) return phase.void_because;
  if (std::string why = WhyNotDurable(phase); !why.empty()) return "not durable: " + why;
  if (std::string why = WhyClockDrifted(phase); !why.empty()) return why;
  if (std::string why = WhyLoadIsNotKept(phase); !why.empty()) return why;
  if (std::string why = ContradictionIn(phase); !why.empty()) {
    return "its numbers contradict each other: " + why;
  }
  return WhyNotCold(phase);
}

bool VoidIfUnsound(PhaseResult& phase) {
  // What its worker knows may have kept it from running.
  if (phase.outcome != Outcome::kOk && phase.void_because.empty()) return false;
  std::string why = WhyVoid(phase);
  if (why.empty()) return false;
  phase.outcome = Outcome::kInvalid;
  phase.message = std::move(why);
  phase.void_because.clear();
  return true;
}

void JudgeActs(RunResult& run) {
  const PhaseResult* last = nullptr;  // Of the acts that the phase before it belongs to.
  for (size_t i = run.phases.size(); i-- > 0;) {
    PhaseResult& phase = run.phases[i];
    if (!phase.act || phase.act->number == phase.act->of) {
      last = phase.act ? &phase : nullptr;
      continue;
    }
    if (phase.outcome != Outcome::kOk || !HasWritten(phase)) continue;
    if (last != nullptr && last->outcome == Outcome::kWrong) {
      phase.outcome = Outcome::kInvalid;
      phase.message = "the store was wrong when it was read back behind the last act";
    } else if (last == nullptr || !last->checked.is_store_verified) {
      phase.checked.answers = AnswersChecked::kNone;
      phase.check_detail = "the last act did not come to an end, so the store was not read back";
    }
  }
}

}  // namespace levelfield
