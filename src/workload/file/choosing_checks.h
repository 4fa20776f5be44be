// Of roles whose operations choose their keys by what they did before (series, triples, slots,
// disposal): what their lines have to agree in, and what follows from several of them. Pure; an
// error names the line to blame.
#ifndef LEVELFIELD_WORKLOAD_FILE_CHOOSING_CHECKS_H_
#define LEVELFIELD_WORKLOAD_FILE_CHOOSING_CHECKS_H_

#include "workload/file/role_lines.h"

namespace levelfield {

Status CheckChoosing(const Workload& workload, Role& role, const RoleLines& lines);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_CHOOSING_CHECKS_H_
