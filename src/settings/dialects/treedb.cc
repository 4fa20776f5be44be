// db_bench_tree_db: LevelDB's port of it to Kyoto Cabinet's TreeDB, and that of the LMDB
// benchmarks.
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

// As the port opens it: 4 MiB of cache, pages of 1 KiB, LZO, small addresses, linear chains, a map
// of 256 MiB.
constexpr std::string_view kTreeDbDefaults[] = {"--cache_size=4M",   "--block_size=1K",
                                                "--compression=lzo", "--treedb.linear=1",
                                                "--treedb.small=1",  "--treedb.map_size=256M"};

constexpr DialectFlag kTreeDbFlags[] = {
    {"compression", "compression", "0=none|1=lzo|*", "", "0: none, 1: LZO, or a name."},
    {"page_size", "block_size", "", "", "Bytes at which a page splits."},
};

}  // namespace

constexpr Dialect kTreeDbDialect = {
    .name = "treedb",
    .program = "db_bench_tree_db",
    .label = "Kyoto Cabinet",
    .benchmarks =
        "fillseq,fillseqsync,fillrandsync,fillrandom,overwrite,readrandom,readseq,"
        "fillrand100K,fillseq100K,readseq100K,readrand100K",
    .defaults = kTreeDbDefaults,
    .flags = kTreeDbFlags,
    .durability = "none",
    .durability_by = "OWRITER | OCREATE, no transactions",
    .has_threads = false,
};

}  // namespace levelfield
