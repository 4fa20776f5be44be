// What the ranks of a fleet tell each other: several runs of this program that load one store at
// the same time (docs/scale.md). A rank comes to a gate with a question, and goes on with its
// answer. Between two gates nobody sends anything.
#ifndef LEVELFIELD_FLEET_GATE_H_
#define LEVELFIELD_FLEET_GATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/fields.h"

namespace levelfield {

// Which of the ranks this is.
struct FleetPlace {
  std::string id = {};  // The same in all ranks, and in no other fleet. Empty: there is no fleet.
  uint64_t rank = 0;    // From 0. That rank makes the store, and empties it.
  uint64_t of = 1;

  bool is_fleet() const { return !id.empty(); }
  bool makes_store() const { return rank == 0; }

  static constexpr Fields kFields{"a place in a fleet", Field("id", &FleetPlace::id),
                                  Field("rank", &FleetPlace::rank), Field("of", &FleetPlace::of)};
};

struct GateQuestion {
  uint64_t run = 0;        // Number of the run, counted as all ranks count them.
  std::string gate;        // "begin of readrandom". All ranks come to the same gates in this order.
  std::string tells = {};  // What the others get to know.
  std::string failure = {};      // Why this rank cannot go on. Empty: it can.
  std::string left = {};         // Why it has left the run before early. Empty: it has not.
  uint64_t ranks = 0;            // The first so many take part in the run. 0: all.
  double patience_seconds = 60;  // How long the others may take.
  bool compares_clocks = false;

  static constexpr Fields kFields{"a question at a gate",
                                  Field("run", &GateQuestion::run),
                                  Field("gate", &GateQuestion::gate),
                                  Field("tells", &GateQuestion::tells),
                                  Field("failure", &GateQuestion::failure),
                                  Field("left", &GateQuestion::left),
                                  Field("ranks", &GateQuestion::ranks),
                                  Field("patience_seconds", &GateQuestion::patience_seconds),
                                  Field("compares_clocks", &GateQuestion::compares_clocks)};
};

struct GateAnswer {
  std::string failure;  // Why the gate does not open: it names a rank. Empty: all have come.
  bool is_interrupted = false;         // By the user, who is the reason.
  std::vector<std::string> told = {};  // By rank.
  FleetPlace place = {};
  // Where clocks were compared: the moment at which all begin, in this rank's MonotonicNs, and what
  // has to be added to that for rank 0's, give or take the error.
  uint64_t begin_ns = 0;
  int64_t clock_offset_ns = 0;
  uint64_t clock_error_ns = 0;

  static constexpr Fields kFields{"an answer at a gate",
                                  Field("failure", &GateAnswer::failure),
                                  Field("interrupted", &GateAnswer::is_interrupted),
                                  Field("told", &GateAnswer::told),
                                  Field("place", &GateAnswer::place),
                                  Field("begin_ns", &GateAnswer::begin_ns),
                                  Field("clock_offset_ns", &GateAnswer::clock_offset_ns),
                                  Field("clock_error_ns", &GateAnswer::clock_error_ns)};
};

// Where each tells the path of its results.
inline constexpr const char* kLastGate = "the end";

// A line each, without its end.
std::string ToText(const GateQuestion& question);
std::string ToText(const GateAnswer& answer);
StatusOr<GateQuestion> GateQuestionFromText(const std::string& line);
StatusOr<GateAnswer> GateAnswerFromText(const std::string& line);

// The descriptors by which a run asks its launcher: "7,8", to read and to write.
inline constexpr const char* kGateVariable = "LEVELFIELD_FLEET_GATE";

}  // namespace levelfield

#endif  // LEVELFIELD_FLEET_GATE_H_
