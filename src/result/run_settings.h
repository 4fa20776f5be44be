// The settings that a result was made with, as its manifest has them. Pure.
#ifndef LEVELFIELD_RESULT_RUN_SETTINGS_H_
#define LEVELFIELD_RESULT_RUN_SETTINGS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "result/result.h"

namespace levelfield {

// As text; empty where the result, an older one, does not have it.
inline std::string SettingOf(const Result& result, std::string_view name) {
  const auto it = std::ranges::find(result.settings, name,
                                    [](const auto& pair) { return std::string_view(pair.first); });
  return it == result.settings.end() ? "" : it->second;
}

// Whether it ran to carry the rates of the others over to other sessions.
inline bool IsYardstick(const Result& result, const RunResult& run) {
  return !run.engine.empty() && run.engine == SettingOf(result, "yardstick");
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RUN_SETTINGS_H_
