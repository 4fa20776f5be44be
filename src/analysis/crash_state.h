// One fault and its effects, as `levelfield verify durability` finds and records them, and the
// summary of the states for one engine, class and kind of fault. Plain data, for any thread.
#ifndef LEVELFIELD_ANALYSIS_CRASH_STATE_H_
#define LEVELFIELD_ANALYSIS_CRASH_STATE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/durability_level.h"
#include "base/enum_names.h"
#include "base/status.h"
#include "result/fields.h"

namespace levelfield {

enum class CrashFault { kKill, kPower };
inline constexpr EnumName<CrashFault> kCrashFaultNames[] = {{CrashFault::kKill, "kill"},
                                                            {CrashFault::kPower, "power"}};
constexpr std::span<const EnumName<CrashFault>> NamesOf(CrashFault) { return kCrashFaultNames; }

// Of the file system, or of the disk's cache.
enum class PowerCut { kNone, kShutdown, kVolatile };
inline constexpr EnumName<PowerCut> kPowerCutNames[] = {
    {PowerCut::kNone, ""}, {PowerCut::kShutdown, "shutdown"}, {PowerCut::kVolatile, "volatile"}};
constexpr std::span<const EnumName<PowerCut>> NamesOf(PowerCut) { return kPowerCutNames; }

// One row of the table: a fault, and the store that it hits.
struct CrashCell {
  std::string engine;       // The spec.
  std::string durability;   // The class.
  DurabilityLevel claimed = DurabilityLevel::kNone;  // By the plug-in, for the class.
  CrashFault fault = CrashFault::kKill;
  PowerCut cut_method = PowerCut::kNone;  // If the fault is power.
  std::string file_system;  // If the fault is power.
  bool eats_flushes = false;
  // "D2: after ...": a lower level than the claim, if the plug-in declares one.
  std::string deviation = "";

  static constexpr Fields kFields{"the cell of a crash state",
                                  Field("engine", &CrashCell::engine),
                                  Field("durability", &CrashCell::durability),
                                  Field("claimed", &CrashCell::claimed),
                                  Field("fault", &CrashCell::fault),
                                  Field("cut_method", &CrashCell::cut_method),
                                  Field("file_system", &CrashCell::file_system),
                                  Field("eats_flushes", &CrashCell::eats_flushes),
                                  Field("deviation", &CrashCell::deviation)};
  bool operator==(const CrashCell&) const = default;
};

// The checker's findings. They count commits, except that `wrong`, `never_issued` and `disagree`
// count keys.
struct CrashFinding {
  bool opened = false;
  std::string message;      // Why not, or what failed when reading or closing.
  double open_seconds = 0;  // Time of the engine's own recovery.
  uint64_t kept = 0;
  uint64_t lost = 0;  // Acknowledged but not there.
  uint64_t out_of_order = 0;
  uint64_t torn = 0;
  uint64_t wrong = 0;
  uint64_t never_issued = 0;
  uint64_t disagree = 0;  // Keys on which a scan and a get disagree.

  static constexpr Fields kFields{"what was found after a fault",
                                  Field("opened", &CrashFinding::opened),
                                  Field("message", &CrashFinding::message),
                                  Field("open_seconds", &CrashFinding::open_seconds),
                                  Field("kept", &CrashFinding::kept),
                                  Field("lost", &CrashFinding::lost),
                                  Field("out_of_order", &CrashFinding::out_of_order),
                                  Field("torn", &CrashFinding::torn),
                                  Field("wrong", &CrashFinding::wrong),
                                  Field("never_issued", &CrashFinding::never_issued),
                                  Field("disagree", &CrashFinding::disagree)};
  // Whether the state differs from the state after the first so many commits of each thread.
  bool IsBroken() const {
    return !opened || !message.empty() ||
           out_of_order + torn + wrong + never_issued + disagree != 0;
  }
};

struct CrashState {
  CrashCell cell;
  uint64_t threads = 0;
  double survives = 0;        // The chance that an unflushed sector survives, with `volatile`.
  bool written_back = false;  // The kernel wrote back dirty pages before the fault.
  uint64_t issued = 0;        // Commits of all threads. `acked` is as read before the fault.
  uint64_t acked = 0;
  double lost_seconds = 0;  // From the first lost acknowledgement to the fault.
  CrashFinding finding;

  static constexpr Fields kFields{"a line of durability.jsonl",
                                  Field("cell", &CrashState::cell),
                                  Field("threads", &CrashState::threads),
                                  Field("survives", &CrashState::survives),
                                  Field("written_back", &CrashState::written_back),
                                  Field("issued", &CrashState::issued),
                                  Field("acked", &CrashState::acked),
                                  Field("lost_seconds", &CrashState::lost_seconds),
                                  Field("finding", &CrashState::finding)};
};

// Faults that could not be tried, and why. `count` states were wanted.
struct CrashSkip {
  CrashCell cell;
  uint64_t count = 0;
  std::string reason;

  static constexpr Fields kFields{"a line of durability.jsonl", Field("cell", &CrashSkip::cell),
                                  Field("count", &CrashSkip::count),
                                  Field("reason", &CrashSkip::reason)};
};

nlohmann::ordered_json ToJson(const CrashFinding& finding);
StatusOr<CrashFinding> CrashFindingOf(const nlohmann::ordered_json& json);
// Each is a line of durability.jsonl.
nlohmann::ordered_json ToJson(const CrashState& state);
nlohmann::ordered_json ToJson(const CrashSkip& skip);

struct CrashStates {
  std::vector<CrashState> states;
  std::vector<CrashSkip> skips;
};

// Reads all lines.
StatusOr<CrashStates> CrashStatesOf(const std::vector<std::string>& lines);

// Summarizes states: a row for each engine, class and kind of fault, and the verdict whether the
// class keeps what the engine's plug-in claims for it. Pure.
//
//                 kill -9                             power cut
//   D0            nothing is promised                 nothing is promised
//   D1, D2        all acknowledged is there, in order nothing is promised: the store may break
//   D3            the same                            opens, in order; a tail may be lost
//   D4            the same                            all acknowledged is there, in order

struct CrashRow {
  CrashCell cell;
  uint64_t states = 0;
  uint64_t acked = 0;
  uint64_t lossy = 0;       // States that lost acknowledged commits.
  uint64_t lost = 0;        // Lost commits of all states.
  uint64_t worst_lost = 0;  // The most in one state.
  double worst_lost_seconds = 0;
  uint64_t broken = 0;     // States with CrashFinding::IsBroken.
  std::string broken_how;  // How the first of them broke.
  double median_open_seconds = 0;
  double most_open_seconds = 0;
  uint64_t skipped = 0;
  std::string skip_reason;
};

// In their order of appearance.
std::vector<CrashRow> RowsOf(const CrashStates& states);

enum class CrashPromise { kNothing, kInOrder, kAll };
CrashPromise PromiseOf(const CrashCell& cell);
bool KeepsPromise(const CrashRow& row);  // True also if nothing was tried.
// Whether it breaks its promise on an honest disk, but no further than the plug-in itself declares.
bool DeviatesAsDeclared(const CrashRow& row);

// The level that the states of the row show. D0 if a kill loses or breaks anything. From power
// cuts: if the store breaks, D2 for a class that claims to flush and D1 for others; D3 if a tail is
// lost; D4 if nothing is lost. kNone if nothing was tried, or if kills lost nothing.
DurabilityLevel ObservedLevel(const CrashRow& row);

// "kept: none lost, which bounds the loss to 6 % of the faults", "deviates, is D2: ...", "skipped:
// ...".
std::string VerdictText(const CrashRow& row);

// "a get finds a value that was never written; ..."
std::string BrokenText(const CrashFinding& finding);

// 1 if a promise is broken and the plug-in does not declare it, 3 if anything was skipped,
// otherwise 0.
int ExitCodeOf(const std::vector<CrashRow>& rows);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CRASH_STATE_H_
