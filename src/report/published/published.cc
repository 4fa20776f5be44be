#include "report/published/published.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json_text.h"
#include "base/number.h"
#include "base/quote.h"

namespace levelfield {
namespace {

std::string SuffixOf(FigureUnit unit) {
  return unit == FigureUnit::kOpsPerSecond ? ".ops" : unit == FigureUnit::kMicros ? ".us" : ".mb";
}

std::string NameOfFigure(const PublishedColumn& column, const PublishedRow& row) {
  const std::string& job = column.job.empty() ? row.job : column.job;
  return fmt::format("{}.{}{}.{}", job, row.workload,
                     row.nth == 1 ? "" : fmt::format("_{}", row.nth), column.id);
}

const PublishedColumn& ColumnOf(const Published& published, const std::string& id) {
  return *std::ranges::find(published.columns, id, &PublishedColumn::id);
}

// Checks each row's "so many times the baseline" with the two figures.
void CompareTimes(const Published& published, Consistency& consistency) {
  std::map<std::string, const Quoted*> leading;
  for (const PublishedSection& section : published.sections) {
    for (const PublishedRow& row : section.rows) {
      for (const auto& [column, figures] : row.figures) {
        if (figures.front()) {
          leading[NameOfFigure(ColumnOf(published, column), row)] = &*figures.front();
        }
      }
    }
  }
  for (const PublishedSection& section : published.sections) {
    for (const PublishedRow& row : section.rows) {
      for (const auto& [id, times] : row.times) {
        const PublishedColumn& column = ColumnOf(published, id);
        const auto own = leading.find(NameOfFigure(column, row));
        const auto base = leading.find(fmt::format("{}.{}", row.baseline, id));
        if (own == leading.end() || base == leading.end() || base->second->low <= 0) continue;
        ++consistency.times_compared;
        const double low = own->second->low / base->second->high;
        const double high = own->second->high / base->second->low;
        if (times.high >= low && times.low <= high) continue;
        ++consistency.times_wrong;
        consistency.contradictions.push_back(
            {fmt::format("{}, {}, {}: {} ({}x baseline)", section.title, row.name, column.name,
                         own->second->text, times.text),
             fmt::format("over the baseline's {} that is {}x; with all roundings between {}x "
                         "and {}x",
                         base->second->text, Significant(own->second->value / base->second->value),
                         Significant(low), Significant(high))});
      }
    }
  }
}

// A time and a rate in bytes of the same operations together give the bytes of an operation.
void CompareRates(const Published& published, Consistency& consistency) {
  const auto at = [&](FigureUnit unit) {
    return static_cast<size_t>(std::ranges::find(published.units, unit) - published.units.begin());
  };
  const size_t micros = at(FigureUnit::kMicros);
  const size_t rate = at(FigureUnit::kMebibytesPerSecond);
  if (std::max(micros, rate) >= published.units.size()) return;
  for (const PublishedSection& section : published.sections) {
    for (const PublishedRow& row : section.rows) {
      for (const auto& [id, figures] : row.figures) {
        if (!figures[micros] || !figures[rate] || row.bytes <= 0) continue;
        ++consistency.rates_compared;
        const auto bytes = [](double us, double mib) { return us * 1e-6 * mib * kMiB; };
        const Quoted& us = *figures[micros];
        const Quoted& mib = *figures[rate];
        if (row.bytes >= bytes(us.low, mib.low) && row.bytes <= bytes(us.high, mib.high)) continue;
        ++consistency.rates_wrong;
        consistency.contradictions.push_back(
            {fmt::format("{}, {}, {}: {} us/op at {} MB/s", section.title, row.name,
                         ColumnOf(published, id).name, us.text, mib.text),
             fmt::format("that is {:.0f} bytes an operation, and it has {:.0f}",
                         bytes(us.value, mib.value), row.bytes)});
      }
    }
  }
}

using Json = nlohmann::ordered_json;

constexpr std::pair<FigureUnit, std::string_view> kUnits[] = {
    {FigureUnit::kOpsPerSecond, "ops/s"},
    {FigureUnit::kMicros, "us/op"},
    {FigureUnit::kMebibytesPerSecond, "MB/s"}};

// Parses the file. Keeps the first mistake.
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

  // Reads a member if it exists.
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

std::map<std::string, double> NumbersOf(const Published& published) {
  std::map<std::string, double> numbers = published.constants;
  for (const PublishedSection& section : published.sections) {
    for (const PublishedRow& row : section.rows) {
      for (const auto& [id, figures] : row.figures) {
        const std::string name = NameOfFigure(ColumnOf(published, id), row);
        for (size_t i = 0; i < figures.size(); ++i) {
          if (!figures[i]) continue;
          if (i == 0) numbers[name] = figures[i]->value;
          numbers[name + SuffixOf(published.units[i])] = figures[i]->value;
        }
      }
    }
  }
  return numbers;
}

StatusOr<double> Evaluate(const std::string& expression,
                          const std::map<std::string, double>& numbers) {
  try {
    mu::Parser parser;
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const auto& [name, value] : numbers) parser.DefineConst(name, value);
    parser.SetExpr(expression);
    const double value = parser.Eval();
    if (std::isfinite(value)) return value;
    return Status::Failed(fmt::format("{}: comes to no number", expression));
  } catch (const mu::Parser::exception_type& error) {
    return Status::Failed(fmt::format("{}: {}", expression, error.GetMsg()));
  }
}

StatusOr<std::string> Filled(const std::string& text,
                             const std::map<std::string, double>& numbers) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '{') {
      result += text[i++];
      continue;
    }
    const size_t end = text.find('}', i);
    const size_t colon = end == text.npos ? text.npos : text.rfind(':', end);
    if (colon == text.npos || colon < i) {
      return Status::Failed(text + ": a number is {expression:format}");
    }
    ASSIGN_OR_RETURN(const double value, Evaluate(text.substr(i + 1, colon - i - 1), numbers));
    const std::string format = text.substr(colon + 1, end - colon - 1);
    try {
      result += format == "grouped"
                    ? Grouped(static_cast<uint64_t>(std::llround(std::max(0.0, value))))
                    : fmt::format(fmt::runtime("{:" + format + "}"), value);
    } catch (const fmt::format_error& error) {
      return Status::Failed(fmt::format("{}: {}", text, error.what()));
    }
    i = end + 1;
  }
  return result;
}

StatusOr<Consistency> ConsistencyOf(const Published& published) {
  Consistency consistency;
  CompareTimes(published, consistency);
  CompareRates(published, consistency);
  const std::map<std::string, double> numbers = NumbersOf(published);
  for (const PublishedClaim& claim : published.claims) {
    ASSIGN_OR_RETURN(std::string said, Filled(claim.said, numbers));
    ASSIGN_OR_RETURN(std::string follows, Filled(claim.follows, numbers));
    ASSIGN_OR_RETURN(const double holds,
                     Evaluate(claim.holds.empty() ? "0" : claim.holds, numbers));
    if (holds == 0) consistency.contradictions.push_back({std::move(said), std::move(follows)});
  }
  return consistency;
}

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
  int place = 0;  // Power of ten of the last digit.
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
