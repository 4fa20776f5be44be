#include "report/published/claims.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

#include "report/number.h"

namespace levelfield {
namespace {

constexpr double kMiB = 1 << 20;

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

// Each row's "so many times the baseline" against the two figures.
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
             fmt::format("over the baseline's {} that is {}x; by all that their digits leave open "
                         "it lies between {}x and {}x",
                         base->second->text, Significant(own->second->value / base->second->value),
                         Significant(low), Significant(high))});
      }
    }
  }
}

// A time and a rate in bytes of the same operations: together they are the bytes of one.
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
    StatusOr<std::string> said = Filled(claim.said, numbers);
    StatusOr<std::string> follows = Filled(claim.follows, numbers);
    const StatusOr<double> holds = Evaluate(claim.holds.empty() ? "0" : claim.holds, numbers);
    if (!said.ok()) return said.status();
    if (!follows.ok()) return follows.status();
    if (!holds.ok()) return holds.status();
    if (*holds != 0) {
      consistency.holds.push_back(std::move(*said));
    } else {
      consistency.contradictions.push_back({std::move(*said), std::move(*follows)});
    }
  }
  return consistency;
}

}  // namespace levelfield
