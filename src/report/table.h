// The tables that a person reads: one for each family of workloads, engines as columns, then what
// has to be said about the numbers. Pure: the same result gives the same bytes.
#ifndef LEVELFIELD_REPORT_TABLE_H_
#define LEVELFIELD_REPORT_TABLE_H_

#include <string>

#include "report/paper.h"
#include "result/result.h"

namespace levelfield {

// Columns go on below each other where they do not fit into `columns` characters.
std::string RenderTables(const Result& result, size_t columns = 120);
std::string RenderTables(const Result& result, const Paper& paper);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_TABLE_H_
