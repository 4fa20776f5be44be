// Checks the table that a plug-in hands over, which is input from outside. Pure, any thread.
//
// This cannot check whether a pointer points to what it should. A plug-in is code, so the harness
// loads it in a child process.
#ifndef LEVELFIELD_ENGINE_TABLE_CHECK_H_
#define LEVELFIELD_ENGINE_TABLE_CHECK_H_

#include <string_view>

#include "base/status.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

// A reliable copy of `table`: the required members are there, texts are bounded and printable, the
// option table answers every common option, the durabilities every class. Members that an older
// plug-in lacks are null; those of a newer one are dropped. A refusal names `file` and the member.
StatusOr<lf_engine> CheckTable(const lf_engine* table, std::string_view file,
                               std::string_view name);

// The choices of an LF_CHOICE, split at '|', as views into `choices`; calls `take` for each.
template <class Take>
void ForEachChoice(std::string_view choices, Take take) {
  while (true) {
    const size_t bar = choices.find('|');
    take(choices.substr(0, bar));
    if (bar == std::string_view::npos) return;
    choices.remove_prefix(bar + 1);
  }
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_TABLE_CHECK_H_
