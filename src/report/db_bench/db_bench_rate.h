// The bytes a second of a line of db_bench: which lines have them, and how many. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_RATE_H_
#define LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_RATE_H_

#include <optional>

#include "result/result.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

// MiB of keys and values, which the whole family calls MB. None: the original's line has no such
// figure.
std::optional<double> MegabytesPerSecond(Lines lines, const RoleResult& role);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_RATE_H_
