#include "report/html/history_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "base/number.h"
#include "base/text.h"
#include "base/version.h"
#include "report/html/page.h"

namespace levelfield {
namespace {

constexpr const char* kStyle =
    ":root{color-scheme:light dark;--line:#8886;--dot:#2463b0;--worse:#b3261e;--better:#1d7a36}\n"
    "@media(prefers-color-scheme:dark){:root{--dot:#7fb2f0;--worse:#ff8a80;--better:#7bd88f}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}\n"
    "h2,h3{margin:2rem 0 .5rem}h3{font-size:1rem}p,ul{margin:.3rem 0}\n"
    "svg{width:100%;height:auto}svg text{font-size:12px;fill:currentColor}\n"
    ".line{fill:none;stroke:var(--dot);stroke-width:1.5}.dot{fill:var(--dot)}\n"
    ".interval{fill:none;stroke:var(--dot);opacity:.55}\n"
    ".grid{stroke:var(--line)}.worse{stroke:var(--worse);color:var(--worse)}\n"
    ".better{stroke:var(--better);color:var(--better)}\n"
    "svg .worse text,svg .better text{stroke:none}\n"
    "pre{overflow-x:auto;padding:.8rem;border:1px solid var(--line)}\n"
    "table{border-collapse:collapse;display:block;overflow-x:auto}\n"
    "th,td{text-align:left;padding:.2rem .8rem .2rem 0;white-space:nowrap}\n";

// Places in the chart.
constexpr double kWidth = 960;
constexpr double kHeight = 240;
constexpr double kLeft = 80;
constexpr double kTop = 24;
constexpr double kBottom = 210;

// A longer list of results is folded.
constexpr size_t kMostUnfolded = 20;

// A pair of results between which the levels of some benchmarks changed.
struct Step {
  const HistoryPoint* before = nullptr;
  const HistoryPoint* after = nullptr;
  std::vector<std::pair<const History*, double>> changes = {};  // As a share.
};

const char* ClassOf(double share) { return share < 0 ? "worse" : "better"; }

// The last result before a change that has a rate. The first level has some.
const HistoryPoint& LastBefore(const History& history, size_t index) {
  while (index > 1 && !history.points[index - 1].failure.empty()) --index;
  return history.points[index - 1];
}

// The newest first.
std::vector<Step> StepsIn(const std::vector<History>& shown) {
  std::map<std::tuple<std::string, uint64_t, std::string, std::string>, Step, std::greater<>> steps;
  for (const History& history : shown) {
    for (const ChangePoint& change : history.changes) {
      if (change.index == 0) continue;
      const HistoryPoint& before = LastBefore(history, change.index);
      const HistoryPoint& after = history.points[change.index];
      Step& step = steps[{after.started, after.started_ns, before.directory, after.directory}];
      step.before = &before;
      step.after = &after;
      step.changes.emplace_back(&history, change.size);
    }
  }
  std::vector<Step> in_order;
  for (auto& [key, step] : steps) in_order.push_back(std::move(step));
  return in_order;
}

std::string NameOf(const History& history) {
  return fmt::format("{}, {}", history.key.workload, history.key.engine);
}

// "2026-01-16T00:00:00Z, 92311b8e3f1c"
std::string NameOf(const HistoryPoint& point) {
  return point.started + (point.name.empty() ? "" : ", " + point.name);
}

std::string StepHtml(const Step& step, const ExplainChange& explain) {
  std::string html =
      fmt::format("<h3>{} &#8594; {}</h3>\n<ul>\n", HtmlEscaped(NameOf(*step.before)),
                  HtmlEscaped(NameOf(*step.after)));
  for (const auto& [history, share] : step.changes) {
    html += fmt::format("<li class=\"{}\">{}: {:+.1f} %</li>\n", ClassOf(share),
                        HtmlEscaped(NameOf(*history)), 100 * share);
  }
  return html + fmt::format(
                    "</ul>\n<details open><summary>What differs between the two</summary>"
                    "<pre>{}</pre></details>\n",
                    HtmlEscaped(explain(step.before->directory, step.after->directory)));
}

// The interval of a point's value, if it has one.
std::optional<Interval> IntervalOf(const HistoryPoint& point) {
  return point.multiple ? point.multiple->interval : point.interval;
}

// Where a value is drawn. The scale reaches at least 5 % to both sides, so that noise looks small,
// and to the ends of the intervals. One that is very wide would flatten the line, so it is cut off.
class Scale {
 public:
  explicit Scale(const History& history) : count_(history.points.size()) {
    const std::vector<std::optional<double>> values = ValuesOf(history);
    double least = 0;
    double most = 0;
    for (const std::optional<double>& value : values) {
      if (!value) continue;
      least = most == 0 ? *value : std::min(least, *value);
      most = std::max(most, *value);
    }
    double low = least;
    double high = most;
    for (size_t i = 0; i < values.size(); ++i) {
      const std::optional<Interval> interval = IntervalOf(history.points[i]);
      if (!values[i] || !interval) continue;
      low = std::min(low, interval->low);
      high = std::max(high, interval->high);
    }
    constexpr double kBeyond = 0.05;
    constexpr double kMostForIntervals = 2;
    low_ = std::max(low, least / kMostForIntervals) * (1 - kBeyond);
    high_ = std::min(high, most * kMostForIntervals) * (1 + kBeyond);
  }

  double X(double place) const {
    const double last = static_cast<double>(std::max<size_t>(count_, 2) - 1);
    return kLeft + (kWidth - kLeft - 20) * place / last;
  }
  double Y(double value) const {
    if (high_ <= low_) return kBottom;
    const double height = std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
    return kBottom - (kBottom - kTop) * height;
  }
  bool Has(double value) const { return low_ <= value && value <= high_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  size_t count_;
  double low_ = 0;
  double high_ = 0;
};

std::string ValueText(double value, bool has_yardstick) {
  return has_yardstick ? fmt::format("{:.3f}", value) : Rate(value);
}

// The link to a result's page. Characters that mean something in an address are escaped, so that
// no name of a directory is taken for a scheme.
std::string AddressOf(const std::string& directory) {
  constexpr std::string_view kPlain = "-._~/";
  std::string address;
  for (const char c : directory + "/report.html") {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          kPlain.find(c) != std::string_view::npos;
    address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return address;
}

// An upright line with a cap at each end that the chart reaches.
std::string IntervalSvg(const Interval& interval, double x, const Scale& scale) {
  std::string path =
      fmt::format("M{:.1f} {:.1f}V{:.1f}", x, scale.Y(interval.low), scale.Y(interval.high));
  for (const double end : {interval.low, interval.high}) {
    if (scale.Has(end)) path += fmt::format("M{:.1f} {:.1f}h8", x - 4, scale.Y(end));
  }
  return fmt::format("<path class=\"interval\" d=\"{}\"/>", path);
}

std::string PointsSvg(const History& history, const Scale& scale) {
  const std::vector<std::optional<double>> values = ValuesOf(history);
  const bool has_yardstick = HasYardstick(history);
  std::string line;
  std::string dots;
  bool is_begun = false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      is_begun = false;
      continue;
    }
    const HistoryPoint& point = history.points[i];
    const double x = scale.X(static_cast<double>(i));
    line += fmt::format("{}{:.1f} {:.1f}", is_begun ? "L" : "M", x, scale.Y(*values[i]));
    is_begun = true;
    if (const std::optional<Interval> interval = IntervalOf(point)) {
      dots += IntervalSvg(*interval, x, scale);
    }
    dots += fmt::format(
        "<a href=\"{}\"><circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}: {}"
        "</title></circle></a>\n",
        AddressOf(point.directory), x, scale.Y(*values[i]), HtmlEscaped(NameOf(point)),
        ValueText(*values[i], has_yardstick));
  }
  return fmt::format("<path class=\"line\" d=\"{}\"/>\n", line) + dots;
}

std::string ChartSvg(const History& history) {
  const std::vector<std::optional<double>> values = ValuesOf(history);
  const bool has_yardstick = HasYardstick(history);
  const Scale scale(history);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"group\" aria-label=\"{}\">\n", kWidth, kHeight,
                  HtmlEscaped(fmt::format(
                      "{}: {} over {}, {}", NameOf(history),
                      has_yardstick ? "multiples of the yardstick's rate" : "ops/s",
                      Plural(values.size(), "result"), Plural(history.changes.size(), "change"))));
  svg += fmt::format("<text x=\"{}\" y=\"14\">{}</text>\n", kLeft,
                     has_yardstick ? "times the yardstick&#39;s rate" : "ops/s");
  for (const double value : {scale.low(), (scale.low() + scale.high()) / 2, scale.high()}) {
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        kLeft, scale.Y(value), kWidth - 20, kLeft - 8, scale.Y(value) + 4,
        ValueText(value, has_yardstick));
  }
  for (const ChangePoint& change : history.changes) {
    const double x = scale.X(static_cast<double>(change.index) - 0.5);
    svg += fmt::format(
        "<g class=\"{}\"><path d=\"M{:.1f} {}V{}\" stroke-dasharray=\"4 3\"/><text x=\"{:.1f}\" "
        "y=\"14\" text-anchor=\"middle\">{:+.1f} %</text></g>\n",
        ClassOf(change.size), x, kTop, kBottom, x, 100 * change.size);
  }
  svg += PointsSvg(history, scale);
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
      kLeft, kHeight - 6, HtmlEscaped(history.points.front().started), kWidth - 20, kHeight - 6,
      HtmlEscaped(history.points.back().started));
  return svg + "</svg>\n";
}

std::string TableHtml(const Table& table, const History& history) {
  std::string html = "<table><tr><th>" + HtmlEscaped(table.corner) + "</th>";
  for (const Column& column : table.columns) html += "<th>" + HtmlEscaped(column.head) + "</th>";
  html += "</tr>\n";
  auto point = history.points.begin();
  for (const Row& row : table.rows) {
    const bool is_result = !row.cells.empty();  // Else it says that the level changes.
    html += is_result ? fmt::format("<tr><td><a href=\"{}\">{}</a></td>",
                                    AddressOf((point++)->directory), HtmlEscaped(row.title))
                      : "<tr><td></td>";
    for (const Cell& cell : row.cells) html += "<td>" + HtmlEscaped(cell.text) + "</td>";
    if (!row.remark.empty()) {
      html += fmt::format("<td colspan=\"{}\">{}</td>", table.columns.size() - row.cells.size(),
                          HtmlEscaped(row.remark));
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string BenchmarkHtml(const History& history, const std::vector<History>& shown) {
  const Table table = HistoryTable(history, shown);
  std::string html = fmt::format("<section>\n<h3>{}</h3>\n", HtmlEscaped(table.title));
  for (const std::string& line : table.above) html += "<p>" + HtmlEscaped(line) + "</p>\n";
  html += ChartSvg(history);
  const bool is_short = history.points.size() <= kMostUnfolded;
  return html + fmt::format("<details{}><summary>{}</summary>\n{}</details>\n</section>\n",
                            is_short ? " open" : "", Plural(history.points.size(), "result"),
                            TableHtml(table, history));
}

// What the charts show.
std::string LegendHtml(const std::vector<History>& shown) {
  const auto has_interval = [](const History& history) {
    return std::ranges::any_of(
        history.points, [](const HistoryPoint& point) { return IntervalOf(point).has_value(); });
  };
  std::string html = "<p>A dot is a result, and leads to its page.";
  if (std::ranges::any_of(shown, has_interval)) {
    html +=
        " The upright line through it is its 95 % interval; an end without a cap lies beyond the "
        "chart.";
  }
  html += " A dashed line is a change of level.</p>\n";
  if (std::ranges::any_of(shown, HasYardstick)) {
    html +=
        "<p>The yardstick is a build that stays the same and took turns with each result. Its rate "
        "is 1: a day on which the machine is slower slows both, and changes nothing here.</p>\n";
  }
  return html;
}

}  // namespace

std::string HistoryPage(const std::vector<History>& shown, const ExplainChange& explain) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>Levelfield: history</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<h1>History of {}</h1>\n<h2>Changes</h2>\n",
      kStyle, Plural(shown.size(), "benchmark"));
  const std::vector<Step> steps = StepsIn(shown);
  if (steps.empty()) page += "<p>No level has changed.</p>\n";
  for (const Step& step : steps) page += StepHtml(step, explain);
  page += LegendHtml(shown);
  const History* before = nullptr;
  for (const History& history : shown) {
    if (before == nullptr || before->key.fingerprint != history.key.fingerprint) {
      page += fmt::format("<h2>Machine {}: {}</h2>\n", HtmlEscaped(history.key.fingerprint),
                          HtmlEscaped(history.machine));
    }
    before = &history;
    page += BenchmarkHtml(history, shown);
  }
  return page + fmt::format("<footer><p>Made by Levelfield {}.</p></footer>\n</body>\n</html>\n",
                            kVersion);
}

}  // namespace levelfield
