#include "settings/suite.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/quote.h"
#include "settings/suite_parser.h"
#include "settings/word_list.h"

namespace levelfield {

StatusOr<Suite> FindSuite(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, text] : BuiltinSuites()) {
    if (known == name) return ParseSuite(name, text);
    names.emplace_back(known);
  }
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("{} is no suite{} `levelfield suite` lists them.", Quote(name),
                  nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest)));
}

std::string JobsOf(const Suite& suite) {
  std::vector<std::string> names;
  for (const SuiteJob& job : suite.jobs) names.push_back(job.name);
  return Joined(names);
}

StatusOr<SuiteVariables> PresetOf(const Suite& suite, const std::string& name) {
  const auto preset = suite.presets.find(name);
  if (preset != suite.presets.end()) return preset->second;
  std::string names;
  for (const auto& [known, values] : suite.presets) names += (names.empty() ? "" : ", ") + known;
  return Status::Usage(fmt::format("--preset={}: {} has {}", Printable(name), suite.name,
                                   names.empty() ? "no presets" : names));
}

}  // namespace levelfield
