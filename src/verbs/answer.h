// What a verb comes to.
#ifndef LEVELFIELD_VERBS_ANSWER_H_
#define LEVELFIELD_VERBS_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

using Words = std::vector<std::string>;

// What a verb prints, and why it failed.
struct Answer {
  std::string text;
  Status status = Status::Ok();
  int exit_code = 0;  // Where the status is ok.
};

// The command line as it was typed, for the record.
inline std::string Typed(std::string_view program, const Words& words) {
  std::string text(program);
  for (const std::string& word : words) text += " " + word;
  return text;
}

inline Answer Failure(Status status) { return {.text = "", .status = std::move(status)}; }

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_ANSWER_H_
