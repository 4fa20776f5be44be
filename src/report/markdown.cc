#include "report/markdown.h"

#include "base/quote.h"
#include "report/comparison_text.h"
#include "report/markdown_paper.h"
#include "report/table.h"

namespace levelfield {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Folded: of interest to whoever doubts the figures, or wants them again.
std::string Folded(const std::string& summary, const Rows& rows) {
  return "\n<details><summary>" + summary + "</summary>\n" + MarkdownTable({"", ""}, "ll", rows) +
         "\n</details>\n";
}

void AddRow(const std::string& name, const std::string& value, Rows& rows) {
  if (!value.empty()) rows.push_back({Printable(name), Printable(value)});
}

Rows ConditionsOf(const Result& result) {
  Rows rows;
  AddRow("command", result.command, rows);
  AddRow("Levelfield", result.version + (result.git.empty() ? "" : ", " + result.git), rows);
  AddRow("processors", result.cpu, rows);
  AddRow("their cache", result.cpu_cache, rows);
  AddRow("kernel", result.kernel, rows);
  AddRow("machine's fingerprint", result.fingerprint, rows);
  for (const auto& [name, value] : result.conditions) AddRow(name, value, rows);
  return rows;
}

Rows SettingsOf(const Result& result) {
  Rows rows;
  for (const auto& [name, value] : result.settings) AddRow("--" + name, value, rows);
  return rows;
}

}  // namespace

std::string RenderMarkdown(const Result& result, const std::vector<Comparison>& comparisons,
                           double margin) {
  std::string text = RenderTables(result, MarkdownPaper());
  if (!comparisons.empty()) text += MarkdownOfComparisons(comparisons, margin);
  if (const Rows rows = ConditionsOf(result); !rows.empty()) text += Folded("Conditions", rows);
  if (const Rows rows = SettingsOf(result); !rows.empty()) text += Folded("Settings", rows);
  return text.substr(text.find_first_not_of('\n'));
}

}  // namespace levelfield
