// `levelfield report`: result directories in one of the formats.
#ifndef LEVELFIELD_REPORT_H_
#define LEVELFIELD_REPORT_H_

#include "answer.h"

namespace levelfield {

Answer ReportVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_H_
