// RocksDB's db_bench: its names, its default values (those of 11.9, where versions differ), and its
// options without a prefix. Where the original leaves an option alone, Levelfield's own choices for
// RocksDB do not apply.
#include <string_view>

#include "settings/dialects/dialect.h"
#include "settings/dialects/rocksdb_derived.h"
#include "settings/dialects/rocksdb_flags.h"
#include "settings/dialects/rocksdb_without.h"

namespace levelfield {
namespace {

constexpr std::string_view kRocksDbDefaults[] = {
    "--rocksdb.enable_pipelined_write=1",
    "--rocksdb.transaction_lock_timeout=100",
    "--rocksdb.perf_level=1",
    "--key_format=rocksdb",
    "--batch_size=1",
    "--cache_size=32M",
    "--write_buffer_size=64M",
    "--compression=snappy",
    "--rocksdb.max_background_jobs=2",
    "--rocksdb.bytes_per_sync=0",
    "--rocksdb.level_compaction_dynamic_level_bytes=0",
    "--rocksdb.cache_index_and_filter_blocks=0",
    "--rocksdb.pin_l0_filter_and_index_blocks_in_cache=0",
    // Where db_bench's flag has another default than the library.
    "--rocksdb.pin_top_level_index_and_filter=0",
    "--rocksdb.index_shortening=kShortenSeparatorsAndSuccessor",
    "--rocksdb.table_cache_numshardbits=4",
    "--rocksdb.dump_malloc_stats=1",
    "--rocksdb.cache_high_pri_pool_ratio=0.0",
    "--rocksdb.cache_low_pri_pool_ratio=0.0",
    "--rocksdb.delayed_write_rate=8388608",
    "--rocksdb.hard_pending_compaction_bytes_limit=137438953472",
    "--rocksdb.compaction_options_fifo.allow_compaction=1",
    "--rocksdb.compaction_options_fifo.max_table_files_size=0",
};

}  // namespace

// The original's own list of 23 names fails at its second, fillseqdeterministic, which wants
// automatic compactions off. This list has what its readers ask for, and ends in seconds.
constexpr Dialect kRocksDbDialect = {
    .name = "rocksdb",
    .program = "db_bench_rocksdb",
    .label = "RocksDB",
    .benchmarks = "fillseq,readrandom,readseq,readreverse,overwrite",
    .defaults = kRocksDbDefaults,
    .flags = kRocksDbFlags,
    .refused_flags = kRocksDbRefusedFlags,
    .engine_flags = kRocksDbEngineFlags,
    .flags_of_others = kRocksDbFlagsOfOthers,
    .derive = DeriveRocksDb,
    .has_exact = false,
    .lines = Lines::kRocksDb,
    .gflags = true,
};

}  // namespace levelfield
