// The settings of a result, as its manifest has them. Pure.
#ifndef LEVELFIELD_RESULT_RUN_SETTINGS_H_
#define LEVELFIELD_RESULT_RUN_SETTINGS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "result/result.h"

namespace levelfield {

// The text of that name. Empty: there is none.
inline std::string TextIn(const std::vector<std::pair<std::string, std::string>>& texts,
                          std::string_view name) {
  const auto it = std::ranges::find(texts, name, &std::pair<std::string, std::string>::first);
  return it == texts.end() ? "" : it->second;
}

// As text. Empty if an older result does not have it.
inline std::string SettingOf(const Result& result, std::string_view name) {
  return TextIn(result.settings, name);
}

// Whether the run was a yardstick, which relates the others' rates to other sessions.
inline bool IsYardstick(const Result& result, const RunResult& run) {
  return !run.engine.empty() && run.engine == SettingOf(result, "yardstick");
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RUN_SETTINGS_H_
