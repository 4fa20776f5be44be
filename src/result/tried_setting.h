// Settings of an engine that the pilot of --settings=best tried, and their results.
#ifndef LEVELFIELD_RESULT_TRIED_SETTING_H_
#define LEVELFIELD_RESULT_TRIED_SETTING_H_

#include <string>
#include <utility>
#include <vector>

#include "result/fields.h"

namespace levelfield {

struct TriedSetting {
  std::string engine;    // The spec.
  std::string name;      // The alternative's name. "equal": what --settings=equal gives.
  std::string settings;  // "writemap=1"
  std::string because;   // What the maintainers say about it, and where.
  std::string link;
  // Operations a second in the pilot, by workload. Empty: it gave no figure.
  std::vector<std::pair<std::string, double>> rates;
  bool chosen = false;

  static constexpr Fields kFields{"a setting that was tried",
                                  Field("engine", &TriedSetting::engine),
                                  Field("name", &TriedSetting::name),
                                  Field("settings", &TriedSetting::settings),
                                  Field("because", &TriedSetting::because),
                                  Field("link", &TriedSetting::link),
                                  Field("rates", &TriedSetting::rates),
                                  Field("chosen", &TriedSetting::chosen)};
  bool operator==(const TriedSetting&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_TRIED_SETTING_H_
