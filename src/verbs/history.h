// `levelfield history`: benchmarks over the results that there are, with the points at which they
// became slower or faster. Exit codes are for scripts: 0, or 1 where one has become slower lately.
#ifndef LEVELFIELD_VERBS_HISTORY_H_
#define LEVELFIELD_VERBS_HISTORY_H_

#include "verbs/answer.h"

namespace levelfield {

Answer HistoryVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_HISTORY_H_
