// Whether what was published agrees with itself: sentences in which numbers are computed from the
// published ones, and checks over them (muParser's expressions). Names are those of the constants,
// and `job.workload.column` for a figure in the page's first unit, with the unit behind it for
// another (`.us`, `.mb`, `.ops`); the second workload of a name is `workload_2`. Pure; any thread.
#ifndef LEVELFIELD_REPORT_PUBLISHED_CLAIMS_H_
#define LEVELFIELD_REPORT_PUBLISHED_CLAIMS_H_

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/published/published.h"

namespace levelfield {

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
  std::vector<std::string> holds;  // What was said and is so.
  size_t times_compared = 0;       // "1.29x baseline" against the two figures,
  size_t times_wrong = 0;
  size_t rates_compared = 0;  // and a time against a rate in bytes.
  size_t rates_wrong = 0;
};
StatusOr<Consistency> ConsistencyOf(const Published& published);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_CLAIMS_H_
