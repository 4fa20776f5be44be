#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/quote.h"
#include "base/text.h"
#include "engine/engine_probe.h"
#include "engine/loader.h"
#include "facts/ask_engines.h"
#include "report/markdown.h"
#include "report/published/published.h"
#include "settings/flag_text.h"
#include "verbs/engines/engine_features.h"
#include "verbs/verbs.h"
#include "workload/find_workload.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

std::string KindText(const OptionDescription& option) {
  switch (option.kind) {
    case LF_BYTES:
      return "bytes";
    case LF_COUNT:
      return "count";
    case LF_FLAG:
      return "0 or 1";
    case LF_CHOICE:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    case LF_TEXT:
      return "text";
    case LF_ABSENT:
      return "does not apply";
  }
  return "";
}

// The built-in workloads with the default settings.
std::vector<Workload> Builtins() {
  std::vector<Workload> workloads;
  for (const auto& [name, text] : BuiltinWorkloads()) {
    const StatusOr<Workload> workload = ParseWorkload(std::string(name), text, Settings());
    if (workload.ok()) workloads.push_back(*workload);
  }
  return workloads;
}

std::string EnginesMarkdown(const std::vector<ProbeReply>& engines) {
  std::string page =
      "# Engines\n\nFor setting options of an engine. Made by `levelfield docs engines`. "
      "`levelfield engines` lists the engines of your machine, and `levelfield engines NAME` has "
      "the licence of one. [measuring.md](../reference/measuring.md#durability) says what a level "
      "promises. What an open store has in force is compared with what was asked for, as far as "
      "the "
      "library tells it. Levelfield opens a store that it must not change read-only, if the engine "
      "can (`Read-only`). Otherwise it measures a copy. The versions are those of the machine that "
      "made this page.\n\n## What each has\n\n";
  std::vector<ProbeReply> ranked = engines;
  std::erase_if(ranked, [](const ProbeReply& engine) {
    return engine.engine.find('@') != std::string::npos || engine.description.Has(LF_FLOOR) ||
           engine.description.Has(LF_BY_NAME);
  });
  page += FeaturesMarkdown(ranked);
  for (const ProbeReply& engine : engines) {
    if (!engine.is_loaded || engine.engine.find('@') != std::string::npos) continue;
    const EngineDescription& description = engine.description;
    const auto applies = [](const OptionDescription& option) { return option.kind != LF_ABSENT; };
    // `null` and `memory` have no options.
    if (description.Has(LF_FLOOR) && std::ranges::none_of(description.options, applies)) continue;
    page += fmt::format("\n## {}\n\n{}.\n\n", description.name, description.summary);
    const std::string_view year = description.Fact("released");
    if (!year.empty()) {
      page += fmt::format("Version {}, of {}.\n\n", description.Fact("version"), year);
    }
    page += PageHead({"`--durability`", "level", "what it sets"});
    for (const DurabilityDescription& durability : description.durabilities) {
      page +=
          PageRow({durability.name, std::string(LevelName(durability.level)), durability.settings});
    }
    std::string rows;
    std::vector<std::string> absent;
    for (const OptionDescription& option : description.options) {
      if (option.kind == LF_ABSENT) {
        absent.push_back("`" + option.name + "`");
      } else {
        rows +=
            PageRow({"`" + option.name + "`", KindText(option), option.default_value, option.help});
      }
    }
    if (!rows.empty()) page += "\n" + PageHead({"option", "takes", "default", "meaning"}) + rows;
    if (!absent.empty()) page += fmt::format("\nDoes not apply: {}.\n", fmt::join(absent, ", "));
    if (!engine.untold.empty()) {
      page += fmt::format("\nIts library does not tell what is in force of `{}`.\n",
                          fmt::join(engine.untold, "`, `"));
    }
    const std::string_view read_only = description.Fact("read_only");
    if (!read_only.empty()) page += fmt::format("\nRead-only: {}.\n", read_only);
    if (description.Has(LF_MORE_OPTIONS)) {
      page +=
          "\nYou can give all other options of its library by their own names. The workload "
          "`options` prints those that are in effect.\n";
    }
  }
  return page;
}

std::string WorkloadsMarkdown() {
  std::string page =
      "# Workloads\n\nFor finding a workload by its name. Made by `levelfield docs "
      "workloads` from `workloads/*.workload`. [adding_a_workload.md](../adding_a_workload.md) "
      "explains the words of these files.\n";
  std::map<std::string, std::string> families;
  for (const Workload& workload : Builtins()) {
    families[workload.family] += PageRow({workload.name, workload.summary});
  }
  for (const auto& [family, rows] : families) {
    page += fmt::format("\n## {}\n\n{}{}", family, PageHead({"workload", "what it does"}), rows);
  }
  return page;
}

std::string RocksDbRefusalsMarkdown() {
  std::string page = fmt::format(
      "# What RocksDB's db_bench has and is not here\n\nFor whoever is told that a flag or a "
      "benchmark cannot be had. Made by `levelfield docs {}`.\nEvery flag is accepted with its "
      "default value.\n\n{}\n{}",
      kRocksDbDialect.program, DialectRefusalsMarkdown(kRocksDbDialect),
      PageHead({"benchmark", "why it is not here"}));
  for (const auto& [name, why] : WorkloadsNotRun()) {
    page += PageRow({fmt::format("`{}`", name), std::string(why)});
  }
  return page;
}

struct Page {
  std::string_view name;
  Answer (*make)(const Words& results);
  bool takes_results = false;
};

// Each suite with published figures has a page as well.
constexpr Page kPages[] = {
    {"flags", [](const Words&) -> Answer { return FlagsMarkdown(); }},
    {"workloads", [](const Words&) -> Answer { return WorkloadsMarkdown(); }},
    {"engines",
     [](const Words&) -> Answer {
       return EnginesMarkdown(ProbeUntold(FindEngines(EnginePlaces())));
     }},
    {"db_bench_rocksdb", [](const Words&) -> Answer { return RocksDbRefusalsMarkdown(); }},
    {"fairness", [](const Words& files) { return FairnessPage(files); }, true},
    {"settings", [](const Words&) -> Answer { return SettingsToMeasure(); }},
    {"man", [](const Words&) -> Answer { return ManPage(); }},
    {"durability", [](const Words& results) { return DurabilityPage(results); }, true},
};

}  // namespace

Answer WorkloadsVerb(const Words&) {
  std::string text;
  for (const Workload& workload : Builtins()) {
    text += fmt::format("{:24} {}\n", workload.name, workload.summary);
  }
  return text;
}

Words DocsPages() {
  Words names;
  for (const Page& page : kPages) names.emplace_back(page.name);
  for (const auto& [name, text] : BuiltinPublished()) names.emplace_back(name);
  return names;
}

Answer DocsVerb(const Words& words) {
  const std::string name = words.empty() ? "" : words.front();
  const Words results(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (HasPublished(name)) return PublishedPageOf(name, results);
  const auto* const page = std::ranges::find(kPages, name, &Page::name);
  if (page != std::end(kPages)) {
    if (results.empty() || page->takes_results) return page->make(results);
    return Status::Usage(
        fmt::format("{}: the page of {} takes no results", Quote(results.front()), page->name));
  }
  return Status::Usage(
      "docs: " + Listed(DocsPages(), "or") +
      "? That of durability, and those of suites, take result directories behind their name; that "
      "of fairness takes a file of measured effects");
}

}  // namespace levelfield
