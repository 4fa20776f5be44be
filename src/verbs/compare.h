// What is compared in a result, as flags ask for it or as it ran.
#ifndef LEVELFIELD_VERBS_COMPARE_H_
#define LEVELFIELD_VERBS_COMPARE_H_

#include "analysis/comparison.h"
#include "report/model.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/verbs.h"

namespace levelfield {

// Of one result: all its engines with --against, or --baseline; of one with variants, each of them
// with the first.
StatusOr<std::vector<Comparison>> ComparisonsOf(const Result& result, const Settings& settings);
// With what it was compared with when it ran, unless `settings` ask for something else.
StatusOr<std::vector<Comparison>> ComparisonsAsItRan(const Result& result, Settings settings);
// Each engine as the baseline of all others, for readers who choose the baseline afterwards.
// Nothing where nothing can be compared.
std::vector<Comparison> ComparisonsOfAllPairs(const Result& result, const Settings& settings);
// With -v, and for programs, latencies besides.
Report ReportOf(const std::vector<Comparison>& comparisons, const Settings& settings);
struct Compared {
  Report report;
  int exit_code = 0;
  std::vector<Comparison> comparisons = {};
};
StatusOr<Compared> CompareEngines(const Result& result, const Settings& settings);
// The first screen, and below it what no table has. With the commands that go on from it, if
// `directory` is not empty.
Report ScreenOf(const Result& result, const Settings& settings, const std::string& directory);
// Whether one of the result's engines is the one that --baseline names, if it names one.
Status CheckBaseline(const Result& result, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_COMPARE_H_
