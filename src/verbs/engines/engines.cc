#include <fmt/format.h>

#include <algorithm>

#include "analysis/durability.h"
#include "base/quote.h"
#include "base/text.h"
#include "engine/engine_probe.h"
#include "engine/more_engines.h"
#include "engine/places.h"
#include "facts/ask_engines.h"
#include "settings/settings.h"
#include "verbs/engines/engine_features.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

constexpr size_t kColumns = 100;

std::string Item(std::string_view name, const std::string& text) {
  constexpr size_t kIndent = 17;
  return Wrapped(fmt::format("    {:12} {}", name, text), kIndent, kColumns);
}

// "lmdb 1.0.2 (2026)".
std::string NameAndVersion(const ProbeReply& engine) {
  const std::string year = Printable(engine.description.Fact("released"));
  return engine.engine + " " + Printable(engine.description.Fact("version")) +
         (year.empty() ? "" : " (" + year + ")");
}

// One engine: its library, how that was built, and what the classes of durability are there.
std::string EngineText(const ProbeReply& engine) {
  const EngineDescription& description = engine.description;
  std::string text =
      fmt::format("{}: {}\n", NameAndVersion(engine), Printable(description.summary));
  text += Item("plug-in", Printable(description.plugin_path));
  text += fmt::format("    library      {}\n                 ({} bytes, sha256 {})\n",
                      Printable(description.library_path), description.library_bytes,
                      description.library_sha256);
  for (const auto& [name, value] : description.facts) {
    const bool is_in_head = name == "version" || name == "released" || name == "library";
    if (is_in_head || name.starts_with("deviation_")) continue;
    text += Item(name == "warning" ? "WARNING" : Printable(name), Printable(value));
  }
  text += Item("licence", Printable(description.license));
  text += "  An acknowledged write with --durability=\n";
  for (const DurabilityDescription& durability : description.durabilities) {
    const std::string level(LevelName(durability.level));
    const bool is_refused = durability.level == LF_REFUSED;
    text += Item(
        durability.name,
        fmt::format(
            "{}: {}",
            is_refused ? level : fmt::format("{} ({})", FateOf(LevelOf(durability.level)), level),
            Printable(durability.settings)));
    const std::string_view deviation = description.DeviationOf(durability.name);
    if (!deviation.empty()) text += Item("", "known to keep less: " + Printable(deviation));
  }
  text += "  Beside the calls of every engine\n";
  for (const Feature& feature : engine.features) {
    text += Item(feature.name, feature.is_there ? "yes" : "no: " + Printable(feature.reason));
  }
  if (!engine.untold.empty()) {
    text += "  Options of which its library does not tell what is in force\n";
    text += Item("", Printable(Joined(engine.untold, ", ")));
  }
  return text;
}

// Where it is, where that is not among the built-in ones, and what it stands before.
std::string WhereItIs(const FoundEngine& engine) {
  std::string text;
  if (!engine.is_built_in) text += fmt::format("    from {}\n", Printable(engine.file.string()));
  for (const std::filesystem::path& hidden : engine.hidden) {
    text += fmt::format("    taken before {}\n", Printable(hidden.string()));
  }
  return text;
}

// Those that `--engine=all` runs and ranks.
std::vector<ProbeReply> ProbeRanked(const std::vector<std::string>& found) {
  std::vector<std::string> names;
  for (const std::string& name : found) {
    if (name.find('@') == std::string::npos) names.push_back(name);
  }
  std::vector<ProbeReply> engines = ProbeUntold(names);
  std::erase_if(engines, [](const ProbeReply& engine) {
    return engine.description.Has(LF_BY_NAME) || engine.description.Has(LF_FLOOR);
  });
  return engines;
}

std::string ListText(const std::vector<FoundEngine>& found) {
  std::vector<std::string> names;
  for (const FoundEngine& one : found) names.push_back(one.spec);
  const std::vector<ProbeReply> engines = Probe(names, nullptr);
  std::string stores;
  std::string others;
  std::string broken;
  for (size_t i = 0; i < engines.size(); ++i) {
    const ProbeReply& engine = engines[i];
    const EngineDescription& description = engine.description;
    if (!engine.is_loaded) {
      broken += fmt::format("  {}\n    cannot be used: {}\n{}", engine.engine,
                            engine.status.message(), WhereItIs(found[i]));
      continue;
    }
    // `--engine=all` runs neither what misbehaves on purpose nor a second version.
    const bool is_by_name =
        description.Has(LF_BY_NAME) || engine.engine.find('@') != std::string::npos;
    std::string& list = description.Has(LF_FLOOR) ? others : stores;
    list +=
        Wrapped(fmt::format("  {:28} {}{}", NameAndVersion(engine), Printable(description.summary),
                            is_by_name ? " (runs only when named)" : ""),
                31, kColumns);
    for (const auto& [name, value] : description.facts) {
      if (name == "warning") list += Wrapped("    WARNING: " + Printable(value), 13, kColumns);
    }
    list += WhereItIs(found[i]);
  }
  const auto part = [](std::string_view title, const std::string& list) {
    return list.empty() ? "" : fmt::format("{}:\n{}", title, list);
  };
  return part("Stores", stores) + part("To compare with, and to test with", others) +
         part("Broken", broken) +
         "\n`levelfield engines NAME`: its library, how it was built, and what its writes "
         "survive\n";
}

}  // namespace

Answer EnginesVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, ParseSettingsOf("engines", words));
  std::vector<std::string> names = settings.arguments;
  RETURN_IF_ERROR(UseEngines("", names));
  ASSIGN_OR_RETURN(const std::vector<std::string> found, FindPlugins());
  if (names.empty()) {
    return settings.features ? FeaturesText(ProbeRanked(found))
                             : ListText(FindEngineFiles(EnginePlaces()));
  }
  for (const std::string& name : names) {
    if (std::ranges::find(found, name) != found.end()) continue;
    const std::string_view target = TargetThatBuilds(name);
    return Status::Usage(
        target.empty()
            ? fmt::format("engines: {} is not installed{} `levelfield engines` lists them.",
                          Quote(name), DidYouMean(name, found, "."))
            : fmt::format("engines: {} is not built: `make {}` in Levelfield's source tree "
                          "builds it",
                          name, target));
  }
  const std::vector<ProbeReply> engines = ProbeUntold(names);
  for (const ProbeReply& engine : engines) {
    if (!engine.is_loaded) return engine.status;
  }
  if (settings.features) return FeaturesText(engines);
  std::string text;
  for (const ProbeReply& engine : engines) text += EngineText(engine);
  return text;
}

}  // namespace levelfield
