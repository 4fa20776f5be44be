// Published figures of an experiment, quoted as data: suites/*.json, compiled in, beside the suite
// of the same name (docs/reference/suites.md has the format). Numbers stay the texts that were
// published, because their digits show how exact they are. Pure; any thread.
#ifndef LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_H_
#define LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

// How a figure is told; a row may have several, of which the first of the page's units leads.
enum class FigureUnit { kOpsPerSecond, kMicros, kMebibytesPerSecond };
std::string_view NameOf(FigureUnit unit);  // "ops/s", "us/op", "MB/s"

// A number as it was printed, and between which bounds what it stands for lies: half a unit of its
// last digit; zeros before a point that may only fill the places are no digits.
struct Quoted {
  std::string text;
  double value = 0;
  double low = 0;
  double high = 0;
};
StatusOr<Quoted> ParseQuoted(const std::string& text);

// One configuration that figures are of: an engine, or an engine in the runs of one job.
struct PublishedColumn {
  std::string id;  // For its figures in the file, and in names of claims.
  std::string name;
  std::string engine;
  std::string job;        // Where its results are, if that is not said by the row.
  bool is_again = false;  // The same as the column before it, measured once more by them.
};

struct PublishedRow {
  std::string name;
  std::string job;
  std::string workload;
  uint64_t nth = 1;  // Which of the job's workloads of that name.
  double bytes = 0;  // Key and value of an operation.
  std::map<std::string, std::vector<std::optional<Quoted>>> figures;  // By column; by unit.
  std::string baseline;                                               // "job.workload"
  std::map<std::string, Quoted> times;  // How many times that, as published, by column.
};

struct PublishedSection {
  std::string title;
  std::string text;  // Its conditions, as published.
  std::vector<PublishedRow> rows;
};

// A sentence of the publication, and what follows from its own numbers. Both are templates in which
// `{expression:format}` is computed (claims.h).
struct PublishedClaim {
  std::string said;
  std::string follows;
  std::string holds;  // An expression: where it is true nothing is wrong. Empty: quoted, no check.
};

struct Published {
  std::string title;
  std::string introduction;
  std::vector<FigureUnit> units;
  std::vector<PublishedColumn> columns;
  std::vector<PublishedSection> sections;
  std::map<std::string, double> constants;
  std::string notes;  // Below what is said of our own runs.
  std::vector<PublishedClaim> claims;
};

StatusOr<Published> ParsePublished(const std::string& name, std::string_view text);

// Those that are compiled in: (name of the suite, text).
std::span<const std::pair<std::string_view, std::string_view>> BuiltinPublished();
StatusOr<Published> FindPublished(const std::string& name);
bool HasPublished(const std::string& name);

// Whether what was published agrees with itself: sentences in which numbers are computed from the
// published ones, and checks over them (muParser's expressions). Names are those of the constants,
// and `job.workload.column` for a figure in the page's first unit, with the unit behind it for
// another (`.us`, `.mb`, `.ops`); the second workload of a name is `workload_2`. Pure; any thread.

// Everything that an expression may name.
std::map<std::string, double> NumbersOf(const Published& published);

// A number from 0: `expression` over `numbers`; an error where it names something else.
StatusOr<double> Evaluate(const std::string& expression,
                          const std::map<std::string, double>& numbers);

// `text` with `{expression:format}` computed; formats are fmt's, or `grouped`: 1,000,000.
StatusOr<std::string> Filled(const std::string& text, const std::map<std::string, double>& numbers);

// What was said, and what follows.
struct Contradiction {
  std::string said;
  std::string follows;
};

// What the figures say of each other, and how many comparisons held.
struct Consistency {
  std::vector<Contradiction> contradictions;
  size_t times_compared = 0;  // "1.29x baseline" against the two figures,
  size_t times_wrong = 0;
  size_t rates_compared = 0;  // and a time against a rate in bytes.
  size_t rates_wrong = 0;
};
StatusOr<Consistency> ConsistencyOf(const Published& published);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_H_
