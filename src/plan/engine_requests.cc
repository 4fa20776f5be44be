#include "plan/engine_requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "plan/compat.h"
#include "workload/key_format.h"

namespace levelfield {

GivenOptions OptionsFor(const std::string& engine, const Settings& settings) {
  GivenOptions options;
  for (const Flag& flag : Flags()) {
    if (!flag.engine_option) continue;
    const std::string text = TextOf(flag, settings);
    if (text.empty()) continue;
    options.common.emplace_back(flag.name, text);
    if (!settings.IsGiven(flag.name)) options.defaults.emplace(flag.name);
  }
  const auto own = settings.engine_options.find(EngineName(engine));
  if (own != settings.engine_options.end()) options.own = own->second;
  for (const auto& [name, value] : options.own) {
    if (settings.given.contains(fmt::format("{}.{}", EngineName(engine), name))) {
      options.defaults.erase(name);
    } else {
      options.defaults.insert(name);
    }
  }
  return options;
}

Status CheckEngineOptionNames(const Settings& settings, const std::vector<std::string>& engines) {
  std::vector<std::string> names;
  for (const std::string& engine : engines) {
    names.push_back(EngineName(engine));
  }
  for (const auto& [engine, options] : settings.engine_options) {
    if (std::ranges::find(names, engine) != names.end()) continue;
    const std::string nearest = NearestName(engine, names);
    return Status::Usage(fmt::format(
        "--{}.{}: no engine called {} runs here{}", engine, options.front().first, Quote(engine),
        nearest.empty() ? "; see --engine"
                        : fmt::format("; did you mean --{}.{}?", nearest, options.front().first)));
  }
  return Status::Ok();
}

namespace {

// The alternatives that these settings always give an engine.
std::vector<std::string> AlternativesFor(const Settings& settings) {
  std::vector<std::string> names;
  if (settings.settings == kChecked) names.emplace_back(kChecked);
  const bool is_as_it_is =
      settings.settings == "default" || settings.is_original || IsExact(settings);
  if (!is_as_it_is) names.emplace_back(kEqual);
  return names;
}

}  // namespace

ProbeRequest RequestOf(const std::string& engine, const Settings& settings) {
  return {.engine = engine,
          .options = OptionsFor(engine, settings),
          .alternatives = AlternativesFor(settings),
          .durability = settings.durability,
          .integer_keys = FromName<KeyKind>(settings.key_format) == KeyKind::kInteger};
}

std::vector<std::string> WithoutOtherBuilds(std::vector<std::string> engines) {
  std::erase_if(engines, [&](const std::string& engine) {
    return engine != EngineName(engine) &&
           std::ranges::find(engines, EngineName(engine)) != engines.end();
  });
  return engines;
}

}  // namespace levelfield
