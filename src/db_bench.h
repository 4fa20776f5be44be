// The program under its other names: db_bench, db_bench_sqlite3, db_bench_tree_db, db_bench_mdb,
// db_bench_bdb. The words are translated into our own, the run is the same as that of `levelfield
// run`, and each benchmark's line is printed when it ends.
#ifndef LEVELFIELD_DB_BENCH_H_
#define LEVELFIELD_DB_BENCH_H_

#include "answer.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

Answer RunDbBench(const Dialect& program, const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_DB_BENCH_H_
