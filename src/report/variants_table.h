// What several ways of setting things came to, side by side: for each workload a table with a row
// for each variant and a column for each engine. The tables of one variant alone, with all that is
// to be said of them, are ResultReport of that part. Pure.
#ifndef LEVELFIELD_REPORT_VARIANTS_TABLE_H_
#define LEVELFIELD_REPORT_VARIANTS_TABLE_H_

#include "report/model.h"

namespace levelfield {

// For a result with variants; nothing for others.
void AddVariants(const Result& result, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_VARIANTS_TABLE_H_
