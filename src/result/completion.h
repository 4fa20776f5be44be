// How much of the plan a result contains. A run that was killed or interrupted, or whose results
// disk filled up, has fewer rounds, and every report says so. Pure.
#ifndef LEVELFIELD_RESULT_COMPLETION_H_
#define LEVELFIELD_RESULT_COMPLETION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// The rounds in which every engine ran to its end, of a result's runs that have a line of their
// own. `runs` are planned for a round; one that failed is not run again.
uint64_t WholeRounds(const std::vector<RunResult>& runs, uint64_t planned_runs);

// As results.jsonl has it. kCutOff is what is told by nobody, and no name of another.
std::string EndName(Completion::End end);
Completion::End EndOf(const std::string& name);

// Whether it ended before what was planned was done, where that is known.
bool IsCutOff(const Result& result);

// "3 of 30 rounds; cut off: interrupted", or "3 of 30 rounds; still running"; empty where nothing
// is missing.
std::string CutOffWords(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_COMPLETION_H_
