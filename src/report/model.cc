#include "report/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/number.h"
#include "base/quote.h"

namespace levelfield {

Cell RateCell(double per_second) { return {Rate(per_second), Unit::kPerSecond, per_second}; }
Cell RateCell(double per_second, const std::optional<Interval>& interval) {
  Cell cell = RateCell(per_second);
  if (!interval) return cell;
  cell.interval = *interval;
  cell.text += fmt::format(" [{} .. {}]", Rate(interval->low), Rate(interval->high));
  return cell;
}
Cell RatioCell(const RateRatio& ratio) {
  Cell cell(fmt::format("{:.3f}", ratio.ratio), Unit::kRatio, ratio.ratio);
  if (!ratio.interval) return cell;
  cell.interval = *ratio.interval;
  cell.text += fmt::format(" [{:.3f}, {:.3f}]", cell.interval.low, cell.interval.high);
  return cell;
}
Cell LatencyCell(uint64_t nanoseconds) {
  return {Latency(nanoseconds), Unit::kNanoseconds, static_cast<double>(nanoseconds)};
}
Cell LatencyCell(std::optional<uint64_t> nanoseconds) {
  return nanoseconds ? LatencyCell(*nanoseconds) : Cell("n/a");
}
Cell CountCell(uint64_t count) {
  return {Grouped(count), Unit::kCount, static_cast<double>(count)};
}

void Report::AddRemark(const Remark& remark, std::string words, size_t indent) {
  if (words.empty()) return;
  const bool is_warning = RowOf(remark.kind).tone == RemarkTone::kWarning;
  Add(Paragraph{std::move(words), indent, true, is_warning ? Tone::kWarning : Tone::kPlain,
                remark});
}
void Report::AddLine(std::string words) { Add(Paragraph{std::move(words), 0, false}); }
void Report::AddNote(std::string words) { Add(Paragraph{std::move(words), 4}); }
void Report::Append(Report more) { std::ranges::move(more.blocks, std::back_inserter(blocks)); }

std::string Marks::Mark(const std::string& note) {
  const auto it = std::ranges::find(notes_, note);
  const auto number = it - notes_.begin() + 1;
  if (it == notes_.end()) notes_.push_back(note);
  return fmt::format("[{}]", number);
}

void Marks::AddTo(Report& report) const {
  for (size_t i = 0; i < notes_.size(); ++i) {
    report.AddNote(fmt::format("[{}] {}", i + 1, notes_[i]));
  }
}

Column ColumnOf(const RunResult& run) {
  const std::string name = Printable(run.engine);
  if (name.size() <= 32) return {name};
  return {Printable(name.substr(0, 9) + "..." + name.substr(name.size() - 20))};
}

std::vector<Column> ColumnsOf(const Result& result) {
  std::vector<Column> columns;
  for (const RunResult& run : result.runs) columns.push_back(ColumnOf(run));
  return columns;
}

}  // namespace levelfield
