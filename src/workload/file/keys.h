// What may stand in front of a `=` in a workload file, and what it sets; the only lists of them.
// Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_KEYS_H_
#define LEVELFIELD_WORKLOAD_FILE_KEYS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"

namespace levelfield {

// Takes a value apart into what its key sets; returns nothing, or what is accepted.
using KeySetter = std::function<std::string(ParsedWorkload& parsed, const FileNumbers& numbers,
                                            std::string_view value)>;

// Of the head, and of a role.
const std::map<std::string_view, KeySetter>& HeadKeys();
const std::map<std::string_view, KeySetter>& RoleKeys();

// The most entries a second that a rate may be.
inline constexpr uint64_t kMaxRate = 1'000'000'000;

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_KEYS_H_
