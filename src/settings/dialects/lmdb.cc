// db_bench_mdb: the LMDB port of db_bench. The list is from its published results of 2012, the
// flags are from its last version (2015).
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

constexpr std::string_view kLmdbDefaults[] = {"--key_format=hex", "--lmdb.writemap=1",
                                              "--compression=none"};

constexpr DialectFlag kLmdbFlags[] = {
    {"writemap", ".writemap", "", "1", "1, the default: writes through the memory map."},
    {"metasync", ".metasync", "", "1", "0: a commit does not sync the meta page."},
    {"readahead", ".readahead", "", "1", "0: no read-ahead of the map."},
    {"intkey", "key_format", "0=|1=integer", "1", "1: keys are integers of 8 bytes."},
    {"compression", "compression", "0=none|*", "",
     "LMDB has none (the original compressed values itself)."},
    {"shuffle", "", "0=|1=", "1",
     "Random orders are permutations here with it and without; the original's did nothing."},
    {"cleanmem", "", "0=", "", "Only 0: no memory is cleared before a benchmark."},
};

}  // namespace

constexpr Dialect kLmdbDialect = {
    .name = "lmdb",
    .program = "db_bench_mdb",
    .label = "LMDB",
    .benchmarks =
        "fillseq,fillseqsync,fillseqbatch,fillrandom,fillrandint,fillrandibatch,"
        "fillrandsync,fillrandbatch,overwrite,overwritebatch,readrandom,readseq,"
        "readreverse,fillrand100K,fillseq100K,readseq100K,readrand100K",
    .defaults = kLmdbDefaults,
    .flags = kLmdbFlags,
    .durability_by = "MDB_NOSYNC",
    .lines = Lines::kLmdb,
};

}  // namespace levelfield
