// What a role's operation asks of its other lines. Pure; an error names the line to blame.
#ifndef LEVELFIELD_WORKLOAD_FILE_OPERATION_CHECKS_H_
#define LEVELFIELD_WORKLOAD_FILE_OPERATION_CHECKS_H_

#include <cstdint>

#include "workload/file/role_lines.h"

namespace levelfield {

// Of a rate in bytes makes one in entries, of their mean size: the schedule counts those.
// `key_bytes` of an entry.
Status FinishRate(uint64_t key_bytes, Role& role, const RoleLines& lines);

Status CheckTransaction(const Role& role, const RoleLines& lines);

// Of operations that give words, not numbers.
Status CheckText(const Role& role, const RoleLines& lines);

// Of operations that measure the machine, and no store.
Status CheckMachine(const Workload& workload, const Role& role, const RoleLines& lines);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_OPERATION_CHECKS_H_
