// What the lines of a role that say which keys it draws have to agree in. Pure; an error names the
// line to blame.
#ifndef LEVELFIELD_WORKLOAD_FILE_DRAW_CHECKS_H_
#define LEVELFIELD_WORKLOAD_FILE_DRAW_CHECKS_H_

#include "workload/file/role_lines.h"

namespace levelfield {

// Lines of roles that draw some keys more often, or fill only some of an order.
Status CheckSkew(const RoleLines& lines);

// What draws may be for, and what generator they come from.
Status CheckDraws(const RoleLines& lines);

// Uniform draws of keys become those of runs of keys, where the role has a stride.
Status SetStride(const RoleLines& lines);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_DRAW_CHECKS_H_
