#include "operations/operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "operations/task.h"
#include "operations/thread_run.h"

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
  const Operation& operation = *task.role->operation;
  const ThreadRun run(task, result);
  if (task.depth > 1 && (!operation.may_be_in_flight || task.role->batch != 1)) {
    return run.Refuse(
        fmt::format("--depth={} is for gets, puts and erasures of one key each", task.depth));
  }
  if (task.depth > 1 && (task.table->submit == nullptr || task.table->poll == nullptr)) {
    return run.Refuse(
        fmt::format("--depth={}: each of its calls answers before it returns, so none is in flight",
                    task.depth));
  }
  operation.run(task, result);
}

}  // namespace levelfield
