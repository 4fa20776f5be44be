#include "verbs/ask_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/program_path.h"
#include "base/quote.h"
#include "base/text.h"
#include "driver/existing_stores.h"
#include "engine/loader.h"
#include "plan/compat.h"
#include "workload/key_format.h"

namespace levelfield {

StatusOr<std::vector<std::string>> FindPlugins() {
  RETURN_IF_ERROR(CheckProgramPath());
  std::vector<std::string> plugins = FindEngines(EngineDirectory());
  if (!plugins.empty()) return plugins;
  return Status::Failed(
      fmt::format("no engine is in {}; `make build` puts them beside the program. A link to the "
                  "program finds them; a copy elsewhere needs LEVELFIELD_ENGINES=<that directory>",
                  EngineDirectory().string()));
}

Status CheckOutsideStores(std::string_view what, const std::string& path, bool may_be_one) {
  const StatusOr<std::vector<std::string>> plugins = FindPlugins();
  const std::optional<StoreAround> store =
      FindStoreAround(path, may_be_one, plugins.ok() ? *plugins : std::vector<std::string>());
  if (!store) return Status::Ok();
  return Status::Usage(fmt::format(
      "{}={}: lies in the store {}{}, where only what its engine writes belongs; name another "
      "directory",
      what, Printable(path), Printable(store->path),
      store->engine.empty() ? "" : " of " + store->engine));
}

std::vector<std::string> FindRunByName(const Settings& settings,
                                       const std::vector<std::string>& plugins) {
  std::vector<std::string> names;
  if (("," + settings.engine + ",").find(",all,") == std::string::npos) return names;
  for (const ProbeReply& engine : Probe(plugins, nullptr)) {
    if (engine.is_loaded && engine.description.Has(LF_BY_NAME)) names.push_back(engine.engine);
  }
  return names;
}

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
          .integer_keys = KeyKindOf(settings.key_format) == KeyKind::kInteger};
}

std::vector<ProbeReply> ProbeUntold(const std::vector<std::string>& engines) {
  std::vector<ProbeRequest> requests;
  for (const std::string& engine : engines) {
    requests.push_back({.engine = engine, .options = {}, .durability = "", .asks_untold = true});
  }
  return ProbeEngines(requests);
}

std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings) {
  std::vector<ProbeRequest> requests;
  for (const std::string& engine : engines) {
    requests.push_back(settings != nullptr
                           ? RequestOf(engine, *settings)
                           : ProbeRequest{.engine = engine, .options = {}, .durability = ""});
  }
  return ProbeEngines(requests);
}

}  // namespace levelfield
