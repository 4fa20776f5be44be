// The contents of a report before they are written in a format. Builders make a report from results
// once, with every figure computed. A writer (settings/report_formats.h) only writes it. Texts are
// printable already (base/quote.h) and hold no markup. Plain data.
#ifndef LEVELFIELD_REPORT_MODEL_H_
#define LEVELFIELD_REPORT_MODEL_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/findings/remark.h"
#include "base/boxed.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

enum class Unit : uint8_t {
  kNone,
  kPerSecond,
  kNanoseconds,
  kMicroseconds,
  kSeconds,
  kBytes,
  kCount,
  kRatio,
};

// How a coloured terminal shows it. The words alone say the same.
enum class Tone : uint8_t { kPlain, kBest, kTied, kFar, kWarning };

// One place of a table: the text for people, and the number behind it with its interval.
struct Cell {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  Cell() = default;
  Cell(std::string words) : text(std::move(words)) {}
  Cell(const char* words) : text(words) {}
  Cell(std::string words, Unit its_unit, double its_value)
      : text(std::move(words)), value(its_value), unit(its_unit) {}

  bool HasFigure() const { return !std::isnan(value); }

  std::string text;  // Includes its marks.
  double value = kNone;
  Interval interval = {kNone, kNone};
  Unit unit = Unit::kNone;  // Words have kNone.
  Tone tone = Tone::kPlain;
};
Cell RateCell(double per_second);
// With its interval, if there is one: "1.23 M [1.20 M .. 1.25 M]".
Cell RateCell(double per_second, const std::optional<Interval>& interval);
Cell RatioCell(const RateRatio& ratio);  // "0.912 [0.903, 0.921]"
Cell LatencyCell(uint64_t nanoseconds);
Cell LatencyCell(std::optional<uint64_t> nanoseconds);  // "n/a" if there is none.
Cell CountCell(uint64_t count);

// What a row of a comparison says, in fields for programs. Its cells say it in words for people.
struct ComparedFigure {
  std::string workload;
  std::string figure;  // "rate", "CPU/op", "p50", "p99", "p99.9".
  std::string baseline;
  std::string candidate;
  std::string verdict;      // One word.
  std::string reason = {};  // Why there is no ratio, or why it says nothing. Empty: it does.
  RateRatio ratio = {};     // 0: there is none. More than 1: the candidate is faster, or cheaper.
  size_t rounds = 0;
  bool in_slices = false;
  bool is_disturbed = false;  // The machine was busy with other work.
  double noise = 0;           // As a share. 0: not known.
};

// Where a history changes its level, in fields for programs.
struct ChangedLevel {
  double share = 0;    // -0.05 is 5 % less.
  double p = 1;        // How often chance makes such a change.
  std::string before;  // The directories of the last result before it,
  std::string after;   // and of the first one behind it.
};

struct Row {
  std::string title;
  std::vector<Cell> cells = {};  // One for each column, or fewer if a remark follows.
  bool is_detail = false;        // It belongs to the last row above that is no detail.
  std::string remark = {};       // Replaces the cells that are left.
  std::optional<ComparedFigure> compared = {};
  Boxed<ChangedLevel> changed = {};  // Few of many rows have one.
  std::string workload = {};  // Of a workload's figure, for programs: the workload, without marks,
  std::string figure = {};    // and the figure: "rate", "p99", "CPU us/op".
};

struct Column {
  std::string head;
  std::string unit = {};  // If the heads do not have the same unit everywhere.
  bool is_left = false;   // Words are aligned left.
  size_t width = 0;       // Minimum, in characters.
};

// A grid compares: it has a column for each engine. A list has columns of different kinds. Details
// are a list for readers who doubt the figures or want to reproduce them.
struct Table {
  enum class Layout : uint8_t { kGrid, kList, kDetails };

  std::string title;
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  Layout layout = Layout::kGrid;
  std::string corner = {};              // The head above the titles of a list's rows.
  size_t title_width = 0;               // Like Column::width.
  std::vector<std::string> above = {};  // Lines between the title and the table.
  std::vector<std::string> chart = {};  // Lines of characters behind these, for people alone.
  std::vector<std::string> below = {};  // Remarks about this table alone.
  std::optional<double> margin = {};    // Of a comparison: the difference that nobody minds.
};

// The name of a result, or of a machine.
struct Heading {
  std::string name;
  std::string when = {};
};
// Above all blocks of one variant.
struct Section {
  std::string name;
};
struct Paragraph {
  std::string words;
  size_t indent = 0;       // For its second line: 0, or 4 and 8 if it belongs to something above.
  bool is_wrapped = true;  // Otherwise its line breaks are kept on a terminal.
  Tone tone = Tone::kPlain;
  std::optional<Remark> remark = {};  // What the words say, for programs.
};
struct Gap {};
// Lines with columns of their own, or with foreign text.
struct Verbatim {
  std::string title;
  std::string lines;
};

// One finding with its parts, a line each: "cause", "evidence", "advice". A part may repeat.
struct Entry {
  std::string kind = {};  // For programs.
  std::string title = {};
  std::vector<std::string> engines = {};
  std::vector<std::string> workloads = {};
  std::vector<std::pair<std::string, std::string>> parts = {};
};

struct Report {
  using Block = std::variant<Heading, Section, Paragraph, Gap, Table, Verbatim, Entry>;

  template <class OneBlock>
  void Add(OneBlock block) {
    blocks.emplace_back(std::move(block));
  }
  // Nothing where there are no words.
  void AddRemark(const Remark& remark, std::string words, size_t indent);
  void AddLine(std::string words);
  void AddNote(std::string words);
  void Append(Report more);

  std::vector<Block> blocks;
};

// Numbered notes that cells refer to.
class Marks {
 public:
  std::string Mark(const std::string& note);  // "[1]". The same note has the same number.
  void AddTo(Report& report) const;

 private:
  std::vector<std::string> notes_;
};

// A column for each run: its engine, with the middle of a long name (a path) left out.
std::vector<Column> ColumnsOf(const Result& result);
Column ColumnOf(const RunResult& run);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_MODEL_H_
