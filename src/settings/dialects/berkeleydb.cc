// db_bench_bdb: the BerkeleyDB port that came with the LMDB benchmarks.
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

constexpr std::string_view kBerkeleyDbDefaults[] = {"--key_format=hex", "--cache_size=4M",
                                                    "--compression=none"};

constexpr DialectFlag kBerkeleyDbFlags[] = {
    {"page_size", "block_size", "", "", "Bytes of a page."},
    {"compression", "compression", "0=none|*", "", "0: none, or a name."},
};

}  // namespace

constexpr Dialect kBerkeleyDbDialect = {
    .name = "berkeleydb",
    .program = "db_bench_bdb",
    .label = "BerkeleyDB",
    .benchmarks =
        "fillrandsync,fillrandom,fillrandbatch,fillseqsync,fillseq,fillseqbatch,overwrite,"
        "readrandom,readseq,readreverse",
    .defaults = kBerkeleyDbDefaults,
    .flags = kBerkeleyDbFlags,
    .durability_by = "DB_TXN_WRITE_NOSYNC",
    .lines = Lines::kLmdb,
};

}  // namespace levelfield
