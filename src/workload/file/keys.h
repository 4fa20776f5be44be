// What may stand in front of a `=` in a workload file, and what it sets; the lines that only some
// operations know stand in their own rows. Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_KEYS_H_
#define LEVELFIELD_WORKLOAD_FILE_KEYS_H_

#include <map>
#include <string_view>

#include "workload/file/role_lines.h"

namespace levelfield {

// Of the head, and of a role.
const std::map<std::string_view, LineReader>& HeadKeys();
const std::map<std::string_view, LineReader>& RoleKeys();

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_KEYS_H_
