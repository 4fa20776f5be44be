// A workload of several acts: the load changes at stated times, on one store that nobody settles,
// checks or closes in between. Each act has roles of its own:
//
//     summary = a day and a night
//     family  = mixed
//     needs   = loaded store
//
//     act = day for 60 s
//     [user]
//     op = 95% get, 5% put ...
//
//     act = night for 30 s
//     [batch]
//     op = put ...
//
// An act runs as a phase, so it has figures, costs and checks of its own. Its text is the head and
// its own roles, and stands for itself. Pure; any thread.
#ifndef LEVELFIELD_WORKLOAD_ACTS_H_
#define LEVELFIELD_WORKLOAD_ACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "workload/find_workload.h"
#include "workload/workload.h"

namespace levelfield {

// The texts of the acts, in order, named `file:act`. Their lines have the numbers that they have in
// the file. A text without acts is returned as it is.
std::vector<WorkloadText> ActsIn(const WorkloadText& file);

// Reads what stands behind `act =`. Returns nothing, or what would be accepted.
std::string ReadAct(std::string_view text, Act& act);

// The act that the text of one is; `of` is 0 if it is none.
Act ActOf(std::string_view text);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_ACTS_H_
