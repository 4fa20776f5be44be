#include "verbs/engines/engine_features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "base/quote.h"
#include "base/text.h"
#include "engine/features.h"
#include "engine/options.h"
#include "report/markdown.h"

namespace levelfield {
namespace {

constexpr size_t kScreenColumns = 100;

// A column of the table, and how wide a cell may be before it is broken into lines.
struct Column {
  std::string head;
  size_t most_characters;
};

std::vector<Column> ColumnsOfFeatures() {
  std::vector<Column> columns = {{"engine", 16}};
  for (const std::string_view name : kDurabilityClasses) columns.push_back({std::string(name), 7});
  for (const FeatureRow& row : kFeatures) columns.push_back({std::string(row.head), 5});
  columns.insert(columns.end(), {{"in", 6}, {"licence", 16}, {"compressors", 16}, {"year", 4}});
  return columns;
}

std::string TextOr(std::string_view text) { return text.empty() ? "-" : Printable(text); }

// Those that the option takes, as far as the library says that it has them.
std::string CompressorsOf(const EngineDescription& engine) {
  const OptionDescription* const option = engine.FindOption("compression");
  std::vector<std::string> names = option != nullptr ? option->choices : std::vector<std::string>();
  const std::string_view there = engine.Fact("compressors");
  std::erase_if(names, [&](const std::string& name) {
    return name == "none" || (!there.empty() && there.find(name) == there.npos);
  });
  return TextOr(Joined(names, ", "));
}

std::vector<std::string> CellsOf(const ProbeReply& reply) {
  const EngineDescription& engine = reply.description;
  std::vector<std::string> cells = {reply.engine};
  for (const std::string_view name : kDurabilityClasses) {
    const DurabilityDescription* const row = engine.FindDurability(name);
    const bool is_given = row != nullptr && row->level != LF_REFUSED;
    cells.emplace_back(is_given ? LevelName(row->level) : "-");
  }
  for (const FeatureRow& row : kFeatures) {
    const auto at = std::ranges::find(reply.features, row.name, &Feature::name);
    cells.emplace_back(at == reply.features.end() ? "?" : at->is_there ? "yes" : "-");
  }
  cells.push_back(TextOr(engine.Fact("language")));
  cells.push_back(TextOr(engine.license));
  cells.push_back(CompressorsOf(engine));
  cells.push_back(TextOr(engine.Fact("released")));
  return cells;
}

// "redb has no class none: ...", for each class that an engine refuses.
std::vector<std::string> Refusals(const std::vector<ProbeReply>& engines) {
  std::vector<std::string> lines;
  for (const ProbeReply& reply : engines) {
    for (const DurabilityDescription& row : reply.description.durabilities) {
      if (row.level != LF_REFUSED) continue;
      lines.push_back(
          fmt::format("{} has no class `{}`: {}", reply.engine, row.name, Printable(row.settings)));
    }
  }
  return lines;
}

// Cells beside each other, each of as many lines as it needs.
std::string LinesOfRow(std::span<const std::vector<std::string>> cells,
                       std::span<const size_t> widths) {
  size_t height = 0;
  for (const auto& cell : cells) height = std::max(height, cell.size());
  std::string lines;
  for (size_t i = 0; i < height; ++i) {
    std::string line;
    for (size_t k = 0; k < cells.size(); ++k) {
      line += fmt::format("{:{}} ", i < cells[k].size() ? cells[k][i] : "", widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

std::string TableText(const std::vector<Column>& columns,
                      const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(columns.size());
  std::vector<std::vector<std::vector<std::string>>> broken;
  for (const auto& row : rows) {
    auto& cells = broken.emplace_back();
    for (size_t k = 0; k < columns.size(); ++k) {
      cells.push_back(LinesOf(Wrapped(row[k], 0, columns[k].most_characters)));
      for (const std::string& line : cells[k]) widths[k] = std::max(widths[k], line.size());
    }
  }
  std::vector<std::vector<std::string>> heads;
  for (size_t k = 0; k < columns.size(); ++k) {
    widths[k] = std::max(widths[k], columns[k].head.size());
    heads.push_back({columns[k].head});
  }
  std::string text = LinesOfRow(heads, widths);
  for (const auto& cells : broken) text += LinesOfRow(cells, widths);
  return text;
}

std::vector<ProbeReply> Loaded(std::vector<ProbeReply> engines) {
  std::erase_if(engines, [](const ProbeReply& engine) { return !engine.is_loaded; });
  return engines;
}

}  // namespace

std::string FeaturesText(const std::vector<ProbeReply>& engines) {
  const std::vector<ProbeReply> loaded = Loaded(engines);
  std::vector<std::vector<std::string>> rows;
  for (const ProbeReply& engine : loaded) rows.push_back(CellsOf(engine));
  std::string text = TableText(ColumnsOfFeatures(), rows);
  text += "\n" + Wrapped(
                     "none, process, synced: the level that each class keeps, D0 (lost with "
                     "the process) to D4 (survives a power cut); txn: transactions; snap: "
                     "snapshots; mget: many keys a call; rdel: a range erased by one write.",
                     0, kScreenColumns);
  for (const std::string& line : Refusals(loaded)) text += Wrapped(line, 2, kScreenColumns);
  return text + "`levelfield engines NAME` has the reason for each `-`\n";
}

std::string FeaturesMarkdown(const std::vector<ProbeReply>& engines) {
  const std::vector<ProbeReply> loaded = Loaded(engines);
  std::vector<std::string> heads = {"engine"};
  for (const std::string_view name : kDurabilityClasses) heads.push_back(fmt::format("`{}`", name));
  for (const FeatureRow& row : kFeatures) heads.emplace_back(row.name);
  heads.insert(heads.end(), {"language", "licence", "compressors"});
  std::string page = PageHead(heads);
  for (const ProbeReply& engine : loaded) {
    std::vector<std::string> cells = CellsOf(engine);
    cells.pop_back();  // The year is that of the library that is here, not of the page.
    page += PageRow(cells);
  }
  for (const std::string& line : Refusals(loaded)) page += "\n" + line + ".\n";
  return page;
}

}  // namespace levelfield
