// The results of several variants side by side: for each workload a table with a row for each
// variant and a column for each engine. ResultReport of a part has the tables of one variant alone,
// with its notes. Pure.
#ifndef LEVELFIELD_REPORT_VARIANTS_TABLE_H_
#define LEVELFIELD_REPORT_VARIANTS_TABLE_H_

#include "report/model.h"

namespace levelfield {

// Adds nothing for a result without variants.
void AddVariants(const Result& result, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_VARIANTS_TABLE_H_
