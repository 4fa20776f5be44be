// Load against latency: the steps of a sweep, or of a search for the highest rate that keeps an
// objective, one table for each engine and workload. Pure.
#ifndef LEVELFIELD_REPORT_LOAD_TABLE_H_
#define LEVELFIELD_REPORT_LOAD_TABLE_H_

#include <string>
#include <vector>

#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// Of a phase with steps; nothing of another. `kept`: what the searches of several rounds came to,
// of which the steps are those of the first.
void AddLoadSteps(const std::string& engine, const PhaseResult& phase, const std::string& arrival,
                  const std::vector<double>& kept, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_LOAD_TABLE_H_
