// The settings of a result, as its manifest has them. Pure.
#ifndef LEVELFIELD_RESULT_RUN_SETTINGS_H_
#define LEVELFIELD_RESULT_RUN_SETTINGS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "result/result.h"

namespace levelfield {

// As text. Empty if an older result does not have it.
inline std::string SettingOf(const Result& result, std::string_view name) {
  const auto it = std::ranges::find(result.settings, name,
                                    [](const auto& pair) { return std::string_view(pair.first); });
  return it == result.settings.end() ? "" : it->second;
}

// Whether the run was a yardstick, which relates the others' rates to other sessions.
inline bool IsYardstick(const Result& result, const RunResult& run) {
  return !run.engine.empty() && run.engine == SettingOf(result, "yardstick");
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RUN_SETTINGS_H_
