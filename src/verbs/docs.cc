#include "verbs/docs.h"

#include <algorithm>

#include "engine/engine_probe.h"
#include "engine/loader.h"
#include "report/published/published.h"
#include "settings/flag_text.h"
#include "settings/word_list.h"
#include "verbs/catalog.h"
#include "verbs/make_plan.h"
#include "verbs/run_suite.h"
#include "verbs/verify_durability.h"

namespace levelfield {
namespace {

using Man = std::function<std::string()>;

struct Page {
  std::string_view name;
  Answer (*make)(const Words& results, const Man& man);
};

// Beside these there is a page of each suite that somebody has published figures of.
constexpr Page kPages[] = {
    {"flags", [](const Words&, const Man&) -> Answer { return {.text = FlagsMarkdown()}; }},
    {"workloads", [](const Words&, const Man&) -> Answer { return {.text = WorkloadsMarkdown()}; }},
    {"engines",
     [](const Words&, const Man&) -> Answer {
       return {.text = EnginesMarkdown(Probe(FindEngines(EngineDirectory()), nullptr))};
     }},
    {"man", [](const Words&, const Man& man) -> Answer { return {.text = man()}; }},
    {"durability", [](const Words& results, const Man&) { return DurabilityPage(results); }},
};

}  // namespace

Words DocsPages() {
  Words names;
  for (const Page& page : kPages) names.emplace_back(page.name);
  for (const auto& [name, text] : BuiltinPublished()) names.emplace_back(name);
  return names;
}

Answer DocsVerb(const Words& words, const Man& man) {
  const std::string name = words.empty() ? "" : words.front();
  const Words results(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (HasPublished(name)) return PublishedPageOf(name, results);
  const auto* const page = std::ranges::find(kPages, name, &Page::name);
  if (page != std::end(kPages)) return page->make(results, man);
  return Failure(Status::Usage(
      "docs: " + Alternatives(DocsPages()) +
      "? That of durability, and those of suites, take result directories behind their name"));
}

}  // namespace levelfield
