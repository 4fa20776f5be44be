// What may stand in front of a `=` in a workload file, and what it sets; the lines that only some
// operations know stand in their own rows. Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_KEYS_H_
#define LEVELFIELD_WORKLOAD_FILE_KEYS_H_

#include <map>
#include <string>
#include <string_view>

#include "workload/file/role_lines.h"
#include "workload/key_distribution.h"
#include "workload/workload.h"

namespace levelfield {

// Those whose hot keys are in one place; YCSB's zipfian spreads them by itself, and the others say
// of a key how new it is.
bool IsScattered(KeyDistributionPlan::Kind kind);

// Of the head, and of a role.
const std::map<std::string_view, LineReader>& HeadKeys();
const std::map<std::string_view, LineReader>& RoleKeys();

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_KEYS_H_
