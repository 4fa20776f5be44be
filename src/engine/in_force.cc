#include "engine/in_force.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace levelfield {
namespace {

std::set<std::string> DefaultsIn(const SettingList& settings) {
  std::set<std::string> names;
  for (const auto& [name, value] : settings) {
    if (name != kDefaultsHint) continue;
    for (const std::string& one : Split(value, ',')) names.insert(one);
  }
  return names;
}

}  // namespace

StatusOr<std::vector<OverriddenDefault>> CompareInForce(const SettingList& asked,
                                                        const ToldInForce& told) {
  const std::set<std::string> defaults = DefaultsIn(asked);
  std::vector<OverriddenDefault> gave_way;
  std::vector<std::string> refused;
  const auto compare = [&](const std::string& name, const std::string& value,
                           const std::string& by) {
    const auto ours = std::ranges::find(asked, name, &SettingList::value_type::first);
    if (ours == asked.end() || ours->second == value) return;
    if (!defaults.contains(name)) {
      AddOnce(refused, fmt::format("{}={} was asked for, and {} is in force{}", name, ours->second,
                                   value, by.empty() ? "" : ", because of " + by));
    } else if (std::ranges::find(gave_way, name, &OverriddenDefault::name) == gave_way.end()) {
      gave_way.push_back({name, value, by, ours->second});
    }
  };
  for (const auto& [name, value] : told.values) {
    const auto cause = std::ranges::find(told.overridden, name, &OverriddenDefault::name);
    compare(name, value, cause != told.overridden.end() ? cause->by : "");
  }
  for (const OverriddenDefault& one : told.overridden) {
    const bool is_told =
        std::ranges::find(told.values, one.name, &SettingList::value_type::first) !=
        told.values.end();
    if (!is_told && defaults.contains(one.name)) compare(one.name, one.value, one.by);
  }
  if (refused.empty()) return gave_way;
  return Status::Usage(Joined(refused, "; ") +
                       ": leave the option out, or ask for what is in force");
}

std::string NoteOf(const OverriddenDefault& overridden) {
  const auto& [name, value, by, asked] = overridden;
  if (!by.empty()) {
    return fmt::format("{}={}, because of {}; without that it is {}", name, value, by, asked);
  }
  return fmt::format("{}={} is in force, and not the default {}", name, value, asked);
}

SettingList WithoutHints(SettingList settings) {
  std::erase_if(settings, [](const auto& setting) { return setting.first == kDefaultsHint; });
  return settings;
}

}  // namespace levelfield
