#include "workload/file/operation_text.h"

#include "workload/operation.h"

namespace levelfield {

std::string ReadOperation(std::string_view text, const FileNumbers& numbers, Role& role) {
  std::string accepted;
  for (const Operation* const operation : Operations()) {
    const bool is_named = operation->read == nullptr && operation->name == text;
    const std::optional<std::string> read =
        operation->read != nullptr ? operation->read(text, numbers, role) : std::nullopt;
    if (is_named || read) {
      role.operation = operation;
      if (operation->set != nullptr) operation->set(numbers, role);
      return read.value_or("");
    }
    accepted += accepted.empty() ? "" : ", ";
    accepted += operation->form;
  }
  return accepted;
}

}  // namespace levelfield
