#include "engine/probe_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "settings/settings.h"

namespace levelfield {
namespace {

// Why "checked" changes nothing for this engine. Empty if it does, or is not asked for.
std::string NoteOfNothingToCheck(const EngineDescription& engine, const ProbeRequest& request) {
  const bool is_asked =
      std::ranges::find(request.alternatives, kChecked) != request.alternatives.end();
  const std::string_view compared = engine.Fact("compared");
  if (!is_asked || compared.empty() ||
      std::ranges::find(engine.alternatives, kChecked, &AlternativeDescription::name) !=
          engine.alternatives.end()) {
    return "";
  }
  return fmt::format("{}: --settings=checked changes nothing: {}", engine.name, compared);
}

}  // namespace

Status Resolve(const EngineDescription& engine, const ProbeRequest& request,
               ResolvedOptions& options) {
  ASSIGN_OR_RETURN(options, ResolveEngineSettings(
                                engine, WithAlternatives(engine, request.alternatives,
                                                         request.durability, request.options)));
  if (request.integer_keys) {
    if (!engine.Has(LF_INTEGER_KEYS)) {
      options = {};
      return Status::Usage(fmt::format(
          "{}: --key_format=integer: it compares keys as bytes, and has none that are integers",
          request.engine));
    }
    options.settings.emplace_back("integer_keys", "1");
  }
  if (!options.defaults.empty()) options.settings.emplace_back(kDefaultsHint, options.defaults);
  if (std::string note = NoteOfNothingToCheck(engine, request); !note.empty()) {
    options.notes.push_back(std::move(note));
  }
  if (request.durability.empty()) return Status::Ok();
  const DurabilityDescription* const durability = engine.FindDurability(request.durability);
  if (durability != nullptr && durability->level != LF_REFUSED) return Status::Ok();
  return Status::Usage(fmt::format("{}: durability={}: {}", request.engine, request.durability,
                                   durability != nullptr ? durability->settings : "no such class"));
}

SettingList SettingsToCheck(const ProbeRequest& request, const ResolvedOptions& options) {
  SettingList settings = options.settings;
  settings.emplace_back("durability", request.durability);
  return settings;
}

}  // namespace levelfield
