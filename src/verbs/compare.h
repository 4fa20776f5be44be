// The verbs that compare: `compare` result directories, `noise` (a thing with itself), and what
// `run --against` says at its end. Their exit codes are for scripts: 0 nothing is slower, 1
// something is, 2 something is unresolved, 3 something is invalid.
#ifndef LEVELFIELD_VERBS_COMPARE_H_
#define LEVELFIELD_VERBS_COMPARE_H_

#include "analysis/comparison.h"
#include "report/model.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

Answer CompareVerb(const Words& words);
Answer NoiseVerb(const Words& words);

// Of one result: all its engines with --against, or --baseline; of one with variants, each of them
// with the first.
StatusOr<std::vector<Comparison>> ComparisonsOf(const Result& result, const Settings& settings);
// With what it was compared with when it ran, unless `settings` ask for something else.
StatusOr<std::vector<Comparison>> ComparisonsAsItRan(const Result& result, Settings settings);
struct Compared {
  Report report;
  int exit_code = 0;
};
StatusOr<Compared> CompareEngines(const Result& result, const Settings& settings);
// Whether one of the result's engines is the one that --baseline names, if it names one.
Status CheckBaseline(const Result& result, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_COMPARE_H_
