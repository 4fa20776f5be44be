// What states come to: a row for each engine, class and kind of fault, and the judgement whether
// the class keeps there what the engine's plug-in claims. Pure.
//
//                 kill -9                             power cut
//   D0            nothing is promised                 nothing is promised
//   D1, D2        all acknowledged is there, in order nothing is promised: the store may break
//   D3            the same                            opens, in order; a tail may be lost
//   D4            the same                            all acknowledged is there, in order
#ifndef LEVELFIELD_ANALYSIS_CRASH_ROWS_H_
#define LEVELFIELD_ANALYSIS_CRASH_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/crash_state.h"

namespace levelfield {

struct CrashRow {
  CrashCell cell;
  uint64_t states = 0;
  uint64_t acked = 0;
  uint64_t lossy = 0;       // States that lost anything acknowledged.
  uint64_t lost = 0;        // Commits, in all states.
  uint64_t worst_lost = 0;  // In one.
  double worst_lost_seconds = 0;
  uint64_t broken = 0;     // States that are more than short: CrashFinding::IsBroken.
  std::string broken_how;  // Of the first of them.
  double median_open_seconds = 0;
  double most_open_seconds = 0;
  uint64_t skipped = 0;
  std::string skip_reason;
};

// In the order in which they appear.
std::vector<CrashRow> RowsOf(const CrashStates& states);

enum class CrashPromise { kNothing, kInOrder, kAll };
CrashPromise PromiseOf(const CrashCell& cell);
bool KeepsPromise(const CrashRow& row);  // Also true where nothing was tried.
// Whether it breaks its promise on a disk that does what it says, and no further than the plug-in
// itself declares.
bool DeviatesAsDeclared(const CrashRow& row);

// The level that the states of the row are those of: "D0" where a kill loses or breaks anything;
// by power cuts "D1" or, of what claims to flush, "D2" where the store breaks, "D3" where a tail is
// lost, "D4" where nothing is. Empty where nothing was tried, or a kill lost nothing.
std::string ObservedLevel(const CrashRow& row);

// "kept: none lost, which bounds the loss to 6 % of the faults", "deviates, is D2: ...", "skipped:
// ...".
std::string VerdictText(const CrashRow& row);

// "a get finds a value that was never written; ..."
std::string BrokenText(const CrashFinding& finding);

// 1 where a promise is broken and the plug-in does not declare it, 3 where anything was skipped,
// else 0.
int ExitCodeOf(const std::vector<CrashRow>& rows);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CRASH_ROWS_H_
