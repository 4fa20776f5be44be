// A report as a line of JSON, for programs: the blocks that people read, in their order, with a
// number besides the text of each figure. Unknown values are left out. Pure.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "report/model.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Indexed by Unit.
constexpr const char* kUnitNames[] = {"", "per_second", "ns", "us", "s", "bytes", "count", "ratio"};

Json CellJson(const Cell& cell) {
  Json json = {{"text", cell.text}};
  if (cell.unit == Unit::kNone) return json;
  json["unit"] = kUnitNames[static_cast<size_t>(cell.unit)];
  if (std::isfinite(cell.value)) json["value"] = cell.value;
  if (!std::isfinite(cell.interval.low) || !std::isfinite(cell.interval.high)) return json;
  json["low"] = cell.interval.low;
  json["high"] = cell.interval.high;
  return json;
}

void AddCompared(const ComparedFigure& compared, Json& json) {
  json.update({{"workload", compared.workload},
               {"figure", compared.figure},
               {"baseline", compared.baseline},
               {"candidate", compared.candidate},
               {"verdict", compared.verdict}});
  if (!compared.reason.empty()) json["reason"] = compared.reason;
  if (compared.ratio.ratio <= 0) return;
  json["ratio"] = compared.ratio.ratio;
  if (compared.ratio.interval) {
    json["low"] = compared.ratio.interval->low;
    json["high"] = compared.ratio.interval->high;
  }
  json["rounds"] = compared.rounds;
  json["in_slices"] = compared.in_slices;
  json["is_disturbed"] = compared.is_disturbed;
  if (compared.noise > 0) json["noise"] = compared.noise;
}

Json RowJson(const Row& row) {
  Json json = {{"title", row.title}, {"is_detail", row.is_detail}, {"cells", Json::array()}};
  for (const Cell& cell : row.cells) json["cells"].push_back(CellJson(cell));
  if (!row.remark.empty()) json["remark"] = row.remark;
  if (!row.figure.empty()) json.update({{"workload", row.workload}, {"figure", row.figure}});
  if (row.compared) AddCompared(*row.compared, json);
  if (row.changed) {
    json.update({{"change", row.changed->share},
                 {"p", row.changed->p},
                 {"before", row.changed->before},
                 {"after", row.changed->after}});
  }
  return json;
}

// By the unit's place in RemarkUnit.
constexpr const char* kRemarkUnits[] = {"count", "keys",  "rounds", "figures",
                                        "rows",  "share", "times",  "per_second",
                                        "s",     "ns",    "bytes",  "KB"};

Json FactsOf(const std::vector<RemarkNumber>& numbers, const RemarkTexts& texts) {
  Json facts = Json::object();
  for (const RemarkNumber& number : numbers) {
    facts[number.name] = {{"value", number.value},
                          {"unit", kRemarkUnits[static_cast<size_t>(number.unit)]}};
  }
  for (const auto& [name, text] : texts) {
    if (!text.empty()) facts[name] = text;
  }
  return facts;
}

Json RemarkJson(const Remark& remark) {
  Json json = {{"kind", NameOf(remark.kind)}, {"cases", Json::array()}};
  for (const RemarkCase& one : remark.cases) {
    Json of_case = Json::object();
    if (!one.engine.empty()) of_case["engine"] = one.engine;
    if (!one.workload.empty()) of_case["workload"] = one.workload;
    of_case.update(FactsOf(one.numbers, one.texts));
    json["cases"].push_back(std::move(of_case));
  }
  json.update(FactsOf(remark.numbers, remark.texts));
  return json;
}

struct JsonWriter {
  Json operator()(const Heading& heading) const {
    return {{"heading", heading.name}, {"when", heading.when}};
  }
  Json operator()(const Section& section) const { return {{"section", section.name}}; }
  Json operator()(const Paragraph& paragraph) const {
    Json json = {{"text", paragraph.words}};
    if (paragraph.remark) json["remark"] = RemarkJson(*paragraph.remark);
    return json;
  }
  Json operator()(const Gap&) const { return nullptr; }
  Json operator()(const Table& table) const {
    Json json = {{"table", table.title},
                 {"columns", Json::array()},
                 {"rows", Json::array()},
                 {"notes", table.above}};
    for (const Column& column : table.columns) json["columns"].push_back(column.head);
    for (const Row& row : table.rows) json["rows"].push_back(RowJson(row));
    for (const std::string& note : table.below) json["notes"].push_back(note);
    if (table.margin) json["margin"] = *table.margin;
    return json;
  }
  Json operator()(const Entry& entry) const {
    Json json = {{"finding", entry.kind},
                 {"engines", entry.engines},
                 {"workloads", entry.workloads},
                 {"text", entry.title}};
    for (const auto& [name, words] : entry.parts) {
      Json& part = json[name];  // Several of one name are a list.
      if (part.is_null()) part = Json::array();
      part.push_back(words);
    }
    return json;
  }
  Json operator()(const Verbatim& verbatim) const {
    return {{"title", verbatim.title}, {"lines", verbatim.lines}};
  }
};

}  // namespace

std::string WriteJson(const Report& report, size_t /*columns*/) {
  Json blocks = Json::array();
  for (const Report::Block& block : report.blocks) {
    if (Json json = std::visit(JsonWriter{}, block); !json.is_null())
      blocks.push_back(std::move(json));
  }
  return JsonText(blocks, -1, Letters::kAscii) + "\n";
}

}  // namespace levelfield
