// What several ways of setting things came to, side by side: for each workload a table with a row
// for each variant and a column for each engine. The tables of one variant alone, with all that is
// to be said of them, are RenderTables of that part. Pure.
#ifndef LEVELFIELD_REPORT_SWEEP_TEXT_H_
#define LEVELFIELD_REPORT_SWEEP_TEXT_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// Of a result with variants; empty of another.
std::string RenderSweep(const Result& result, size_t columns = 120);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_SWEEP_TEXT_H_
