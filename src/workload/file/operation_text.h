// How the operation of a role is written: `op = get`, `op = 50% get, else put`. Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_OPERATION_TEXT_H_
#define LEVELFIELD_WORKLOAD_FILE_OPERATION_TEXT_H_

#include <string>
#include <string_view>

#include "workload/file/numbers.h"
#include "workload/workload.h"

namespace levelfield {

// Sets what the operation says of the role; returns nothing, or what is accepted.
std::string ReadOperation(std::string_view text, const FileNumbers& numbers, Role& role);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_OPERATION_TEXT_H_
