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

// The unit of a figure. A row may have several. The first one of the page leads.
enum class FigureUnit { kOpsPerSecond, kMicros, kMebibytesPerSecond };
std::string_view NameOf(FigureUnit unit);  // "ops/s", "us/op", "MB/s"

// A number as printed, and the bounds of the values that it may stand for: half a unit of its last
// digit. Zeros before the point may be fillers, so they do not count as digits.
struct Quoted {
  std::string text;
  double value = 0;
  double low = 0;
  double high = 0;
};
StatusOr<Quoted> ParseQuoted(const std::string& text);

// One column of figures: an engine, or an engine in the runs of one job.
struct PublishedColumn {
  std::string id;  // For its figures in the file, and for names in claims.
  std::string name;
  std::string engine;
  std::string job;        // The job with its results, if the row does not name it.
  bool is_again = false;  // The publisher measured the same as in the previous column once more.
};

struct PublishedRow {
  std::string name;
  std::string job;
  std::string workload;
  uint64_t nth = 1;  // Which of the job's workloads of that name.
  double bytes = 0;  // Bytes of key and value per operation.
  std::map<std::string, std::vector<std::optional<Quoted>>> figures;  // By column; by unit.
  std::string baseline;                                               // "job.workload"
  std::map<std::string, Quoted> times;  // The published multiples of the baseline, by column.
};

struct PublishedSection {
  std::string title;
  std::string text;  // Its published conditions.
  std::vector<PublishedRow> rows;
};

// A sentence of the publication, and what follows from its own numbers. Both are templates in which
// `{expression:format}` is computed.
struct PublishedClaim {
  std::string said;
  std::string follows;
  // An expression. If it is true, nothing is wrong. Empty: quoted without a check.
  std::string holds;
};

struct Published {
  std::string title;
  std::string introduction;
  std::vector<FigureUnit> units;
  std::vector<PublishedColumn> columns;
  std::vector<PublishedSection> sections;
  std::map<std::string, double> constants;
  std::string notes;  // Text below the words about our own runs.
  std::vector<PublishedClaim> claims;
};

StatusOr<Published> ParsePublished(const std::string& name, std::string_view text);

// The compiled-in publications: (name of the suite, text).
std::span<const std::pair<std::string_view, std::string_view>> BuiltinPublished();
StatusOr<Published> FindPublished(const std::string& name);
bool HasPublished(const std::string& name);

// Whether a publication agrees with itself: sentences with numbers computed from the published
// ones, and checks on them (muParser expressions). Names are those of the constants, and
// `job.workload.column` for a figure in the page's first unit. Another unit follows the name
// (`.us`, `.mb`, `.ops`). The second workload of a name is `workload_2`. Pure. Any thread may call.

// All names that an expression may use.
std::map<std::string, double> NumbersOf(const Published& published);

// A number that is not negative: `expression` over `numbers`. An error if it uses another name.
StatusOr<double> Evaluate(const std::string& expression,
                          const std::map<std::string, double>& numbers);

// `text` with `{expression:format}` computed. Formats are fmt's, or `grouped`: 1,000,000.
StatusOr<std::string> Filled(const std::string& text, const std::map<std::string, double>& numbers);

// A published sentence, and what follows from the numbers.
struct Contradiction {
  std::string said;
  std::string follows;
};

// How the published figures agree, and how many comparisons held.
struct Consistency {
  std::vector<Contradiction> contradictions;
  std::vector<std::string> holds;  // Published sentences that hold.
  size_t times_compared = 0;       // "1.29x baseline" checked with the two figures.
  size_t times_wrong = 0;
  size_t rates_compared = 0;  // A time checked with a rate in bytes.
  size_t rates_wrong = 0;
};
StatusOr<Consistency> ConsistencyOf(const Published& published);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_H_
