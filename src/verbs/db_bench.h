// The program under its other names: db_bench, db_bench_sqlite3, db_bench_tree_db, db_bench_mdb,
// db_bench_bdb. The words are translated into our own, the run is the same as that of `levelfield
// run`, and each benchmark's line is printed when it ends.
#ifndef LEVELFIELD_VERBS_DB_BENCH_H_
#define LEVELFIELD_VERBS_DB_BENCH_H_

#include "settings/dialects/dialect.h"
#include "verbs/answer.h"

namespace levelfield {

Answer RunDbBench(const Dialect& program, const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DB_BENCH_H_
