// Of roles that are a whole load by themselves, and say less in lines than others: the social
// graph's, YCSB's and a trace. Pure; an error names the line to blame.
#ifndef LEVELFIELD_WORKLOAD_FILE_LONE_ROLE_CHECKS_H_
#define LEVELFIELD_WORKLOAD_FILE_LONE_ROLE_CHECKS_H_

#include <cstdint>

#include "workload/file/role_lines.h"

namespace levelfield {

Status FinishGraph(const Workload& workload, uint64_t value_size_seed, Role& role,
                   const RoleLines& lines);

// `key_bytes` of an entry, for a rate in bytes.
Status FinishYcsb(const Workload& workload, uint64_t key_bytes, Role& role, const RoleLines& lines);

// Which keys, how many operations and how long values are is the trace's to say.
Status FinishTrace(const Workload& workload, const Role& role, const RoleLines& lines);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_LONE_ROLE_CHECKS_H_
