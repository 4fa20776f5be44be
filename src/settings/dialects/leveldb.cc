// LevelDB's own db_bench, and flags that people's notes mention although it never had them.
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

// LevelDB's options are the original's defaults: its cache of 8 MiB, Snappy, no filter.
constexpr std::string_view kLevelDbDefaults[] = {"--cache_size=8M", "--compression=snappy"};

constexpr DialectFlag kLevelDbFlags[] = {
    {"compression", "compression", "0=none|1=snappy|*", "", "0: none, 1: Snappy, or a name."},
    {"cache_size", "cache_size", "-1=8M|*", "", "-1: LevelDB's own 8 MiB."},
    {"bloom_bits", "bloom_bits", "-1=|*", "", "-1: no filter."},
    {"write_buffer_size", "write_buffer_size", "0=|*", "", "0: the engine's own."},
    {"block_size", "block_size", "0=|*", "", "0: the engine's own."},
    {"open_files", "max_open_files", "0=|*", "", "0: the engine's own."},
    {"max_file_size", ".max_file_size", "0=|*", "", "0: the engine's own."},
    {"reuse_logs", ".reuse_logs", "", "1", "Goes on in the log and manifest found at open."},
    {"comparisons", ".comparisons", "", "1", "Counts the comparisons of keys."},
};

}  // namespace

constexpr Dialect kLevelDbDialect = {
    .name = "leveldb",
    .program = "db_bench",
    .label = "LevelDB",
    .benchmarks =
        "fillseq,fillsync,fillrandom,overwrite,readrandom,readrandom,readseq,readreverse,"
        "compact,readrandom,readseq,readreverse,fill100K,crc32c,snappycomp,snappyuncomp,"
        "zstdcomp,zstduncomp",
    .defaults = kLevelDbDefaults,
    .flags = kLevelDbFlags,
};

}  // namespace levelfield
