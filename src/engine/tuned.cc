#include "engine/tuned.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr std::string_view kTimesData = " x data";
constexpr std::string_view kValueAbove = "value > ";

bool IsCondition(const std::string& when) {
  return when.empty() || when == "data > memory" ||
         (when.starts_with(kValueAbove) &&
          Digits(std::string_view(when).substr(kValueAbove.size())));
}

bool Holds(const std::string& when, const TunedFor& load) {
  if (when.empty()) return true;
  if (when == "data > memory") return load.data_bytes > load.memory_bytes;
  return load.value_bytes > *Digits(std::string_view(when).substr(kValueAbove.size()));
}

std::string Resolved(const std::string& value, const TunedFor& load) {
  if (!value.ends_with(kTimesData)) return value;
  const std::string_view times =
      std::string_view(value).substr(0, value.size() - kTimesData.size());
  return std::to_string(Digits(times).value_or(1) * load.data_bytes);
}

// A field of the profile (before the first [option]), or of that option; null if there is none.
std::string* FieldOf(TunedProfile& profile, std::string_view key) {
  if (profile.settings.empty()) {
    return key == "author" ? &profile.author : key == "source" ? &profile.source : nullptr;
  }
  TunedSetting& setting = profile.settings.back();
  if (key == "value") return &setting.value;
  if (key == "when") return &setting.when;
  return key == "because" ? &setting.because : nullptr;
}

}  // namespace

StatusOr<TunedProfile> ParseTuned(const std::string& name, const std::string& text) {
  TunedProfile profile;
  size_t number = 0;
  const auto refused = [&](const std::string& why) {
    return Status::Usage(fmt::format("{}.tuned:{}: {}", Printable(name), number, why));
  };
  std::istringstream lines(text);
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    const std::string line = Trimmed(raw);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      profile.settings.push_back({.option = Trimmed(line.substr(1, line.size() - 2))});
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string::npos) return refused("a line is [option], or key = value");
    const std::string key = Trimmed(line.substr(0, equals));
    const std::string value = Trimmed(line.substr(equals + 1));
    std::string* const field = FieldOf(profile, key);
    if (field == nullptr) {
      return refused(
          fmt::format("{}: author and source are accepted above the first [option], and "
                      "value, when and because below one",
                      Quote(key)));
    }
    *field = value;
  }
  if (profile.author.empty() || profile.source.empty()) {
    return refused("settings that nobody stands for: `author` and `source` are needed");
  }
  for (const TunedSetting& setting : profile.settings) {
    if (setting.value.empty() || setting.because.empty()) {
      return refused(fmt::format("[{}]: `value` and `because` are needed", setting.option));
    }
    if (!IsCondition(setting.when)) {
      return refused(fmt::format("[{}]: when = data > memory, or value > <bytes>, is accepted",
                                 setting.option));
    }
  }
  return profile;
}

std::vector<TunedSetting> Apply(const TunedProfile& profile, const TunedFor& load) {
  std::vector<TunedSetting> settings;
  for (const TunedSetting& setting : profile.settings) {
    if (!Holds(setting.when, load)) continue;
    settings.push_back(setting);
    settings.back().value = Resolved(setting.value, load);
  }
  return settings;
}

StatusOr<TunedProfile> TunedOf(const std::string& engine) {
  const std::string name = EngineName(engine);
  const auto profiles = BuiltinTuned();
  const auto found =
      std::ranges::find_if(profiles, [&](const auto& row) { return row.first == name; });
  if (found == profiles.end()) {
    return Status::Usage(fmt::format(
        "--settings=tuned: nobody stands for tuned settings of {}: there is no engines/{}.tuned",
        Quote(name), Printable(name)));
  }
  return ParseTuned(name, std::string(found->second));
}

}  // namespace levelfield
