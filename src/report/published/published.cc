#include "report/published/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json_text.h"
#include "base/quote.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<FigureUnit, std::string_view> kUnits[] = {
    {FigureUnit::kOpsPerSecond, "ops/s"},
    {FigureUnit::kMicros, "us/op"},
    {FigureUnit::kMebibytesPerSecond, "MB/s"}};

// Takes the file apart; the first mistake is kept.
class Parser {
 public:
  explicit Parser(const Json& json) : json_(json) {}

  StatusOr<Published> Parse() {
    published_.title = Text(json_, "title");
    published_.introduction = Text(json_, "introduction");
    published_.notes = TextOr(json_, "notes");
    for (const Json& unit : List(json_, "units")) published_.units.push_back(Unit(unit));
    for (const Json& column : List(json_, "columns")) {
      published_.columns.push_back({Text(column, "id"), Text(column, "name"),
                                    Text(column, "engine"), TextOr(column, "job"),
                                    column.contains("again")});
    }
    for (const auto& [name, value] : Members(json_, "constants").items()) {
      if (!value.is_number()) Fail(name + ": a constant is a number");
      published_.constants[name] = value.is_number() ? value.get<double>() : 0;
    }
    for (const Json& section : List(json_, "sections")) Section(section);
    if (json_.contains("claims")) {
      for (const Json& claim : List(json_, "claims")) {
        published_.claims.push_back(
            {Text(claim, "said"), Text(claim, "follows"), TextOr(claim, "holds")});
      }
    }
    if (published_.units.empty() || published_.columns.empty()) Fail("no units or no columns");
    if (!error_.empty()) return Status::Failed(error_);
    return std::move(published_);
  }

 private:
  void Fail(const std::string& why) {
    if (error_.empty()) error_ = why;
  }

  std::string Text(const Json& json, const char* name) {
    if (json.is_object() && json.contains(name) && json[name].is_string()) return json[name];
    Fail(fmt::format("{} is missing, or no text", name));
    return "";
  }
  std::string TextOr(const Json& json, const char* name) {
    return json.is_object() && json.contains(name) ? Text(json, name) : "";
  }
  const Json& List(const Json& json, const char* name) {
    static const Json kNone = Json::array();
    if (json.is_object() && json.contains(name) && json[name].is_array()) return json[name];
    Fail(fmt::format("{} is missing, or no list", name));
    return kNone;
  }

  // Where it is there.
  const Json& Members(const Json& json, const char* name) {
    static const Json kNone = Json::object();
    if (!json.is_object() || !json.contains(name)) return kNone;
    if (!json[name].is_object()) Fail(fmt::format("{} is no object", name));
    return json[name].is_object() ? json[name] : kNone;
  }

  FigureUnit Unit(const Json& json) {
    for (const auto& [unit, name] : kUnits) {
      if (json == name) return unit;
    }
    Fail("units: ops/s, us/op and MB/s are accepted");
    return FigureUnit::kOpsPerSecond;
  }

  Quoted Number(const Json& json, const std::string& of) {
    const StatusOr<Quoted> quoted = ParseQuoted(json.is_string() ? json.get<std::string>() : "");
    if (quoted.ok()) return *quoted;
    Fail(of + ": " + quoted.status().message());
    return {};
  }

  void CheckColumn(const std::string& id) {
    const auto& columns = published_.columns;
    if (std::ranges::find(columns, id, &PublishedColumn::id) == columns.end()) {
      Fail(id + " is no column");
    }
  }

  void Section(const Json& json) {
    PublishedSection section{Text(json, "title"), TextOr(json, "text"), {}};
    for (const Json& row : List(json, "rows")) section.rows.push_back(Row(row, json));
    published_.sections.push_back(std::move(section));
  }

  PublishedRow Row(const Json& json, const Json& section) {
    PublishedRow row;
    row.name = Text(json, "name");
    row.job = json.contains("job") ? Text(json, "job") : TextOr(section, "job");
    row.workload = Text(json, "workload");
    if (json.contains("nth"))
      row.nth = json["nth"].is_number_unsigned() ? json["nth"].get<uint64_t>() : 0;
    if (row.nth == 0) Fail(row.name + ": nth begins at 1");
    const Json& of_bytes = json.contains("bytes") ? json : section;
    if (of_bytes.contains("bytes") && of_bytes["bytes"].is_number()) {
      row.bytes = of_bytes["bytes"].get<double>();
    }
    for (const auto& [column, figure] : Members(json, "figures").items()) {
      CheckColumn(column);
      std::vector<std::optional<Quoted>>& figures = row.figures[column];
      const Json list = figure.is_array() ? figure : Json::array({figure});
      for (const Json& one : list) {
        figures.push_back(one.is_null() ? std::nullopt : std::optional(Number(one, row.name)));
      }
      if (figures.size() > published_.units.size()) Fail(row.name + ": more figures than units");
      figures.resize(published_.units.size());
    }
    row.baseline = TextOr(json, "baseline");
    for (const auto& [column, times] : Members(json, "times").items()) {
      CheckColumn(column);
      row.times[column] = Number(times, row.name);
    }
    return row;
  }

  const Json& json_;
  Published published_;
  std::string error_;
};

}  // namespace

std::string_view NameOf(FigureUnit unit) {
  return std::ranges::find(kUnits, unit, [](const auto& pair) { return pair.first; })->second;
}

StatusOr<Quoted> ParseQuoted(const std::string& text) {
  Quoted quoted{.text = text};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quoted.value);
  const bool is_plain = text.find_first_not_of("0123456789.") == std::string::npos;
  if (text.empty() || !is_plain || error != std::errc() || end != text.data() + text.size()) {
    return Status::Failed(fmt::format("{}: a figure is a text of digits", Quote(text)));
  }
  const size_t point = text.find('.');
  int place = 0;  // Of the last digit, as a power of ten.
  if (point != std::string::npos) {
    place = -static_cast<int>(text.size() - point - 1);
  } else if (const size_t last = text.find_last_not_of('0'); last != std::string::npos) {
    place = static_cast<int>(text.size() - last - 1);
  }
  const double half = std::pow(10.0, place) / 2;
  quoted.low = std::max(0.0, quoted.value - half);
  quoted.high = quoted.value + half;
  return quoted;
}

StatusOr<Published> ParsePublished(const std::string& name, std::string_view text) {
  const StatusOr<Json> json = ParseBoundedJson(text);
  const StatusOr<Published> published = json.ok() ? Parser(*json).Parse() : json.status();
  if (published.ok()) return published;
  return Status::Failed(fmt::format("{}.json: {}", name, published.status().message()));
}

bool HasPublished(const std::string& name) {
  const auto all = BuiltinPublished();
  return std::ranges::find(all, name, [](const auto& pair) { return pair.first; }) != all.end();
}

StatusOr<Published> FindPublished(const std::string& name) {
  for (const auto& [known, text] : BuiltinPublished()) {
    if (known == name) return ParsePublished(name, text);
  }
  return Status::Usage(
      fmt::format("{}: nothing published is known of a suite of this name", Quote(name)));
}

}  // namespace levelfield
