#include "facts/ask_engines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/program_path.h"
#include "engine/loader.h"
#include "plan/engine_requests.h"

namespace levelfield {

StatusOr<std::vector<std::string>> FindPlugins() {
  RETURN_IF_ERROR(CheckProgramPath());
  RETURN_IF_ERROR(CheckEnginePlaces());
  const std::vector<EnginePlace> places = EnginePlaces();
  std::vector<std::string> plugins = FindEngines(places);
  if (!plugins.empty()) return plugins;
  return Status::Failed(
      fmt::format("no engine is in {}; `make build` puts them beside the program. A link to the "
                  "program finds them; a copy elsewhere needs --engines=<that directory>",
                  places.back().path.string()));
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
