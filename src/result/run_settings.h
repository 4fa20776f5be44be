// The settings that a result was made with, as its manifest has them. Pure.
#ifndef LEVELFIELD_RESULT_RUN_SETTINGS_H_
#define LEVELFIELD_RESULT_RUN_SETTINGS_H_

#include <algorithm>
#include <array>
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

// Whether the setting says what is measured. The others say where results go, how often things are
// repeated or what is printed: results that differ in those alone can be compared.
inline bool SaysWhatIsMeasured(std::string_view setting) {
  static constexpr std::array kOthers = std::to_array<std::string_view>({
      "name",
      "results",
      "db",
      "engine",
      "repeat",
      "repeat_most",
      "precision",
      "quick",
      "publish",
      "against",
      "baseline",
      "margin",
      "noise",
      "format",
      "to",
      "expected_interval",
      "interval_seconds",
      "price",
      "audit",
      "keep",
      "stall",
      "stats_interval",
      "stats_interval_seconds",
      "watch",
      "report_file",
      "report_interval_seconds",
      "report_row",
      "job_id",
      "backup_dir",
      "restore_dir",
  });
  return std::ranges::find(kOthers, setting) == kOthers.end();
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RUN_SETTINGS_H_
