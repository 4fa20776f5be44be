// One fault and what it left, as `levelfield verify durability` finds and records it; and what the
// states of one engine, class and kind of fault come to. Plain data, for any thread.
#ifndef LEVELFIELD_ANALYSIS_CRASH_STATE_H_
#define LEVELFIELD_ANALYSIS_CRASH_STATE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/fields.h"

namespace levelfield {

// What is done to which store: a row of the table.
struct CrashCell {
  std::string engine;       // The spec.
  std::string durability;   // The class.
  std::string claimed;      // "D4": what the plug-in says of the class.
  std::string fault;        // "kill" or "power".
  std::string cut_method;   // "shutdown" or "volatile" where it is power.
  std::string file_system;  // Where it is power.
  bool eats_flushes = false;
  // "D2: after ...": what the plug-in declares that the class was seen to keep, less than it
  // claims.
  std::string deviation = "";

  static constexpr Fields kFields{"the cell of a crash state",
                                  Field("engine", &CrashCell::engine),
                                  Field("durability", &CrashCell::durability),
                                  Field("claimed", &CrashCell::claimed),
                                  Field("fault", &CrashCell::fault),
                                  Field("cut_method", &CrashCell::cut_method),
                                  Field("file_system", &CrashCell::file_system),
                                  Field("eats_flushes", &CrashCell::eats_flushes),
                                  Field("deviation", &CrashCell::deviation).Newer()};
  bool operator==(const CrashCell&) const = default;
};

// What the checker found. Counts are of commits, but for `wrong`, `never_issued` and `disagree`,
// which are of keys.
struct CrashFinding {
  bool opened = false;
  std::string message;      // Why not, or what failed in reading or closing.
  double open_seconds = 0;  // The engine's own recovery.
  uint64_t kept = 0;
  uint64_t lost = 0;  // Acknowledged and not there.
  uint64_t out_of_order = 0;
  uint64_t torn = 0;
  uint64_t wrong = 0;
  uint64_t never_issued = 0;
  uint64_t disagree = 0;  // Keys of which a scan and a get say different things.

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
  // Whether it is anything else than the state after the first so many commits of each thread.
  bool IsBroken() const {
    return !opened || !message.empty() ||
           out_of_order + torn + wrong + never_issued + disagree != 0;
  }
};

struct CrashState {
  CrashCell cell;
  uint64_t threads = 0;
  double survives = 0;        // Chance of each unflushed sector, with `volatile`.
  bool written_back = false;  // The kernel wrote dirty pages back meanwhile.
  uint64_t issued = 0;        // Commits of all threads; `acked` as it was read before the fault.
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

// What could not be tried, and why; `count` states were wanted.
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

// Reads all of them.
StatusOr<CrashStates> CrashStatesOf(const std::vector<std::string>& lines);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CRASH_STATE_H_
