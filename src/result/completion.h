// How much of the plan a result contains. A run that was killed or interrupted, or whose results
// disk filled up, has fewer rounds, and every report says so. Pure.
#ifndef LEVELFIELD_RESULT_COMPLETION_H_
#define LEVELFIELD_RESULT_COMPLETION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// The number of rounds in which every engine ran to its end, counted from the runs that have a line
// of their own. `planned_runs` is per round. A failed run is not repeated.
uint64_t WholeRounds(const std::vector<RunResult>& runs, uint64_t planned_runs);

// The name in results.jsonl. kCutOff has none: nobody was left to write it.
std::string EndName(Completion::End end);
Completion::End EndOf(const std::string& name);

// Whether the run is known to have ended before the plan was done.
bool IsCutOff(const Result& result);

// "3 of 30 rounds; cut off: interrupted", or "3 of 30 rounds; still running". Empty if nothing is
// missing.
std::string CutOffWords(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_COMPLETION_H_
