// Settings that say where results go, how often things are repeated or what is printed: results
// that differ in these alone are of the same thing. Pure.
#ifndef LEVELFIELD_RESULT_SETTINGS_OF_NO_MATTER_H_
#define LEVELFIELD_RESULT_SETTINGS_OF_NO_MATTER_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace levelfield {

inline bool IsOfNoMatter(std::string_view setting) {
  static constexpr std::array kOfNoMatter = std::to_array<std::string_view>({
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
  return std::ranges::find(kOfNoMatter, setting) != kOfNoMatter.end();
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_SETTINGS_OF_NO_MATTER_H_
