#include "operations/operations.h"

#include <algorithm>

#include "operations/task.h"

namespace levelfield {

std::span<const Operation* const> Operations() {
#define LEVELFIELD_ADDRESS(ROW) &operations::ROW,
  static constexpr const Operation* kRows[] = {LEVELFIELD_OPERATIONS(LEVELFIELD_ADDRESS)};
#undef LEVELFIELD_ADDRESS
  return kRows;
}

const Operation* FindOperation(std::string_view name) {
  const auto row = std::ranges::find(Operations(), name, &Operation::name);
  return row != Operations().end() ? *row : nullptr;
}

void RunThread(const ThreadTask& task, ThreadResult& result) {
  task.role->operation->run(task, result);
}

}  // namespace levelfield
