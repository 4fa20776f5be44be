// `levelfield report`: result directories in one of the formats.
#ifndef LEVELFIELD_VERBS_REPORT_H_
#define LEVELFIELD_VERBS_REPORT_H_

#include "verbs/answer.h"

namespace levelfield {

Answer ReportVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_H_
