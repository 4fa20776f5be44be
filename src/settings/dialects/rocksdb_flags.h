// The flags of RocksDB's db_bench that have another name or other values here, and those that are
// options of RocksDB's own. Rows for dialect.h.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_FLAGS_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_FLAGS_H_

#include <string_view>

#include "settings/dialects/dialect.h"

namespace levelfield {

inline constexpr DialectFlag kRocksDbFlags[] = {
    {"reads", "reads", "-1=0|*", "", "Reads of each thread; -1: as many as --num."},
    {"writes", "writes", "-1=0|*", "", "Writes of each thread; -1: as many as --num."},
    {"deletes", "deletes", "-1=0|*", "", "Deletions of each thread; -1: as many as --num."},
    {"merge_keys", "merge_keys", "-1=0|*", "",
     "Keys that are merged into, the first so many; -1: all."},
    {"seed", "seed", "0=|*", "", "0: ours, 1; the result records it."},
    {"cache_size", "cache_size", "-1=32M|*", "", "-1: 32 MiB."},
    {"bloom_bits", "bloom_bits", "-1=|*", "", "-1: no filter."},
    {"open_files", "max_open_files", "-1=|*", "", "-1: all."},
    {"compression_type", "compression", "", "", "none, snappy, zlib, lz4, lz4hc or zstd."},
    {"sync", "", "0=|1=", "1", "1: every write survives a power cut."},
    {"disable_wal", "", "0=|1=", "1", "1: no log; a write survives nothing until it is flushed."},
    {"verify_checksum", ".verify_checksums", "0=0|1=1", "1", "1, the default: of each block read."},
    {"subcompactions", ".max_subcompactions", "", "", "Threads that share one compaction."},
    {"mmap_read", ".allow_mmap_reads", "0=0|1=1", "1", "Tables are read through a memory map."},
    {"mmap_write", ".allow_mmap_writes", "0=0|1=1", "1", "Files are written through a map."},
    {"memtablerep", ".memtable_factory", "skip_list=|prefix_hash=|hash_linkedlist=|*", "",
     "skip_list is RocksDB's own."},
    {"hash_bucket_count", "", "*", "", "Of --memtablerep=prefix_hash and hash_linkedlist."},
    {"compaction_style", ".compaction_style",
     "0=kCompactionStyleLevel|1=kCompactionStyleUniversal|2=kCompactionStyleFIFO|"
     "3=kCompactionStyleNone",
     "", "Level, universal, FIFO or none."},
    {"compaction_pri", ".compaction_pri",
     "0=kByCompensatedSize|1=kOldestLargestSeqFirst|2=kOldestSmallestSeqFirst|"
     "3=kMinOverlappingRatio|4=kRoundRobin",
     "", "Which file is compacted next."},
    {"statistics", ".statistics", "0=0|1=1", "1",
     "RocksDB's counters of each benchmark on the store, printed after it."},
    {"report_interval_seconds", "report_interval_seconds", "0=|*", "",
     "Length of an interval in --report_file, which is report.csv if it is not given."},
    {"benchmark_write_rate_limit", "write_bytes_per_second", "", "",
     "Bytes a second of all writers, also of the one beside readers; 0: no limit."},
    {"benchmark_read_rate_limit", "reads_per_second", "", "",
     "Operations a second of readers; 0: no limit."},
    {"sine_write_rate", "", "0=|1=", "1",
     "What only puts keeps to A * sin(B * x + C) + D bytes a second, x being seconds: an open "
     "loop."},
    {"sine_mix_rate", "", "0=|1=", "1",
     "mixgraph keeps to A * sin(B * x + C) + D operations a second: an open loop."},
    {"sine_a", "", "*", "", "Of --sine_write_rate and --sine_mix_rate."},
    {"sine_b", "", "*", "", "Of --sine_write_rate and --sine_mix_rate."},
    {"sine_c", "", "*", "", "Of --sine_write_rate and --sine_mix_rate."},
    {"sine_d", "", "*", "", "Of --sine_write_rate and --sine_mix_rate. More than --sine_a."},
    {"sine_write_rate_interval_milliseconds", "", "*", "",
     "So long the rate is the same; 0: it changes all the time."},
    {"sine_mix_rate_interval_milliseconds", "", "*", "",
     "So long the rate is the same; 0: it changes all the time."},
    {"sine_mix_rate_noise", "", "*", "",
     "Each such rate is higher or lower by up to this part of half of --sine_a."},
    {"confidence_interval_only", "confidence_interval_only", "", "1",
     "Repetitions are told with their interval, not with their mean."},
    {"progress_reports", "", "0=|1=", "1", "Progress is on standard error, once in ten seconds."},
    {"ops_between_duration_checks", "", "1000=|*=", "",
     "--duration is looked at ten times a second."},
    {"readonly", "read_only", "0=0|1=1", "1",
     "With --use_existing_db: opens the store read-only; what writes is skipped."},
    {"mix_accesses", "", "-1=", "", "It does nothing in the original; --reads counts operations."},
    {"prefix_size", "", "0=|*", "",
     "Bytes of a key that are its prefix, for filters, hash indexes and prefix_same_as_start."},
    {"use_single_deletes", "", "0=|*=", "1", "randomreplacekeys erases by Delete."},
    {"transaction_db", "", "0=|1=", "1", "Transactions that lock keys (a TransactionDB)."},
    {"optimistic_transaction_db", "", "0=|1=", "1",
     "Transactions that find out at the commit (an OptimisticTransactionDB)."},
    {"transaction_sets", "transaction_sets", "", "",
     "Sets of keys of which randomtransaction changes one key each."},
    {"transaction_set_snapshot", ".transaction_set_snapshot", "0=0|1=1", "1",
     "A transaction conflicts with every change since it began."},
    {"transaction_lock_timeout", ".transaction_lock_timeout", "", "",
     "Milliseconds that a transaction waits for a lock."},
    {"use_plain_table", "", "0=|1=", "1", "Tables are PlainTable."},
    {"use_cuckoo_table", "", "0=|1=", "1", "Tables are CuckooTable; needs --mmap_read."},
    {"cuckoo_hash_ratio", "", "*", "", "Of --use_cuckoo_table."},
    {"identity_as_first_hash", "", "0=|1=", "1", "Of --use_cuckoo_table."},
    {"use_hash_search", "", "0=|1=", "1", "Indexes hash prefixes; needs --prefix_size."},
    {"use_keep_filter", ".keep_filter", "0=|1=1", "1",
     "A compaction filter that keeps every entry."},
    {"cache_type", ".cache_type",
     "hyper_clock_cache=hyper_clock|auto_hyper_clock_cache=hyper_clock|lru_cache=lru", "",
     "The library's own by default: HyperClockCache since 10.7, as in db_bench."},
    {"cache_numshardbits", ".cache_numshardbits", "-1=|*", "",
     "2^n shards of the block cache; -1: RocksDB chooses."},
    {"cache_high_pri_pool_ratio", ".cache_high_pri_pool_ratio", "", "",
     "The share of an LRU cache for indexes and filters. Other caches have none."},
    {"cache_low_pri_pool_ratio", ".cache_low_pri_pool_ratio", "", "",
     "The share of an LRU cache for blobs. Other caches have none."},
    {"disable_seek_compaction", "", "0=|*=", "1", "The original does nothing with it either."},
    {"multiread_batched", "", "1=|0=", "1",
     "multireadrandom always reads the keys of --batch_size by one call."},
    {"wal_dir", "", "=|*", "", "A directory for the logs alone."},
    {"row_cache_size", ".row_cache_size", "0=|*", "", "An LRU cache of rows; 0: none."},
    {"use_blob_cache", "", "0=|1=", "1",
     "Blobs are cached, in the block cache unless told otherwise."},
    {"use_shared_block_and_blob_cache", "", "0=|1=", "1",
     "0: blobs have an LRU cache of their own."},
    {"blob_cache_size", "", "*", "", "Of the blobs' own cache."},
    {"blob_cache_numshardbits", "", "*", "", "2^n shards of the blobs' own cache."},
    {"perf_level", ".perf_level", "", "",
     "1: RocksDB counts nothing; 2: it counts. More times calls, by another number in each "
     "version."},
    {"stats_per_interval", "", "0=|*=", "", "Put `stats` into the list of benchmarks."},
    {"thread_status_per_interval", "", "0=|*", "",
     "Threads are tracked, as in the original, and not asked while they work."},
    {"slow_usecs", "", "1000000=|*=", "", "--histogram shows the slowest operation."},
    {"stats_level", "", "3=|*", "", "Of --statistics: 1 counts, more times as well; 5 is all."},
    {"show_table_properties", "", "0=|*=", "1", "`sstables` lists the tables."},
    {"print_malloc_stats", "", "0=|*=", "1", "`memstats` is what the allocator says."},
    {"report_file_operations", "", "0=|*=", "1", "`report -v` counts writes, reads and syncs."},
    {"report_open_timing", "", "0=|*=", "1", "`open` measures it."},
    {"build_info", "", "0=", "1", "Tells what this program is, and ends, as --version does."},
    {"compressed_cache_size", "", "*", "",
     "A cache of compressed blocks, until RocksDB 8, which has none; -1 and 0: none."},
    {"simcache_size", "", "-1=|*=", "", "It simulates another cache, and speeds up nothing."},
    {"trace_file", "", "=|*", "",
     "`replay` replays it, ours or RocksDB's own; other benchmarks are recorded to it, in our "
     "form."},
    {"trace_replay_fast_forward", "", "*", "", "Of `replay`: so many times as fast as recorded."},
    {"trace_replay_threads", "", "*", "", "Of `replay`: its threads."},
    {"block_cache_trace_file", "", "=", "", "Nothing is traced."},
    {"value_size_min", "value_size_min", "100=|*", "", "Of sizes that vary."},
    {"value_size_max", "value_size_max", "102400=|*", "", "Of sizes that vary."},
    {"merge_operator", ".merge_operator", "=|*", "", "put, uint64add, stringappend, max or none."},
    {"options_file", ".options_file", "=|*", "", "An OPTIONS file to begin with."},
    {"universal_size_ratio", ".compaction_options_universal.size_ratio", "0=|*", "",
     "Of universal compaction; 0: RocksDB's own."},
    {"universal_min_merge_width", ".compaction_options_universal.min_merge_width", "0=|*", "",
     "Runs that are merged at least; 0: RocksDB's own."},
    {"universal_max_merge_width", ".compaction_options_universal.max_merge_width", "0=|*", "",
     "Runs that are merged at most; 0: RocksDB's own."},
    {"universal_max_size_amplification_percent",
     ".compaction_options_universal.max_size_amplification_percent", "0=|*", "",
     "0: RocksDB's own."},
    {"universal_compression_size_percent", ".compaction_options_universal.compression_size_percent",
     "-1=|*", "", "-1: all is compressed."},
    {"universal_max_read_amp", ".compaction_options_universal.max_read_amp", "-1=|*", "",
     "Sorted runs at most; -1: as many as start a compaction."},
    {"universal_allow_trivial_move", ".compaction_options_universal.allow_trivial_move", "0=|1=1",
     "1", "Files are moved, not rewritten, where they can be."},
    {"universal_incremental", ".compaction_options_universal.incremental", "0=|1=1", "1",
     "Compacts in parts."},
    {"universal_reduce_file_locking", ".compaction_options_universal.reduce_file_locking", "", "1",
     "Locks fewer files."},
    {"universal_stop_style", ".compaction_options_universal.stop_style",
     "0=kCompactionStopStyleSimilarSize|1=kCompactionStopStyleTotalSize", "",
     "Similar or total size."},
    {"fifo_compaction_max_table_files_size_mb", ".compaction_options_fifo.max_table_files_size",
     "0=|*M", "", "MiB of all tables. 0, the default: FIFO compaction drops all that it finds."},
    {"fifo_compaction_allow_compaction", ".compaction_options_fifo.allow_compaction", "", "1",
     "Small files are merged."},
    {"fifo_compaction_ttl", "", "0=|*=", "",
     "The original sets ttl by it and then by --ttl_seconds, which wins."},
    {"delete_obsolete_files_period_micros", "", "0=|*=", "",
     "The original reads it and does nothing with it either."},
    {"ttl_seconds", ".ttl", "", "", "Seconds until a file is compacted or dropped."},
    {"wal_ttl_seconds", ".WAL_ttl_seconds", "", "", "Seconds that logs are kept."},
    {"wal_size_limit_MB", ".WAL_size_limit_MB", "", "", "MiB of logs that are kept."},
    {"compression_level", ".compression_opts.level", "", "", "Of the compressor."},
    {"compression_max_dict_bytes", ".compression_opts.max_dict_bytes", "", "", "Of a dictionary."},
    {"compression_zstd_max_train_bytes", ".compression_opts.zstd_max_train_bytes", "", "",
     "Of what a dictionary is made from."},
    {"compression_max_dict_buffer_bytes", ".compression_opts.max_dict_buffer_bytes", "", "",
     "Buffered while a dictionary is made."},
    {"compression_use_zstd_dict_trainer", ".compression_opts.use_zstd_dict_trainer", "", "1",
     "Makes dictionaries by zstd's trainer."},
    {"compression_parallel_threads", ".compression_opts.parallel_threads", "", "",
     "Threads that compress one file."},
    {"min_level_to_compress", "", "-1=|*", "", "Levels above it are not compressed; -1: all are."},
    {"partition_index", ".index_type", "0=|1=kTwoLevelIndexSearch", "1",
     "Indexes have two levels."},
    {"partition_index_and_filters", "", "0=|1=", "1", "Indexes and filters have two levels."},
    {"index_with_first_key", ".index_type", "0=|1=kBinarySearchWithFirstKey", "1",
     "Indexes have the first key of each block."},
    {"index_shortening_mode", ".index_shortening",
     "0=kNoShortening|1=kShortenSeparators|2=kShortenSeparatorsAndSuccessor", "",
     "How the keys of an index are shortened."},
    {"index_block_search_type", ".index_block_search_type",
     "binary_search=|interpolation_search=kInterpolation|*", "", "How an index is searched."},
    {"use_ribbon_filter", "", "0=|1=", "1", "Filters of --bloom_bits are ribbon filters."},
    {"use_data_block_hash_index", ".data_block_index_type", "0=|1=kDataBlockBinaryAndHash", "1",
     "Data blocks have a hash index."},
    {"prepopulate_block_cache", ".prepopulate_block_cache",
     "0=kDisable|1=kFlushOnly|2=kFlushAndCompaction", "", "What is written goes into the cache."},
    {"prepopulate_blob_cache", "", "0=|1=", "", "What is written goes into the blobs' cache."},
    {"level_compaction_dynamic_level_bytes", "", "0=|1=", "1",
     "Level sizes follow from the last level; only where there are levels."},
    {"compaction_measure_io_stats", ".report_bg_io_stats", "0=0|1=1", "1",
     "The name of report_bg_io_stats until 2016."},
    {"checksum_type", ".checksum", "0=kNoChecksum|1=kCRC32c|2=kxxHash|3=kxxHash64|4=kXXH3", "",
     "Of blocks."},
    {"memtable_bloom_size_ratio", ".memtable_prefix_bloom_size_ratio", "", "",
     "A memtable's filter, as a share of it."},
    {"memtable_use_huge_page", ".memtable_huge_page_size", "0=|1=2048", "1",
     "Memtables ask for huge pages, as the original does."},
    {"file_opening_threads", ".max_file_opening_threads", "", "", "Threads that open files."},
    {"max_bytes_for_level_multiplier_additional", "", "=|*", "",
     "Of each level, with commas between them, as many as --num_levels."},
    {"readahead_size", ".readahead_size", "", "",
     "Bytes that an iterator reads ahead; 0: RocksDB's."},
    {"async_io", ".async_io", "0=0|1=1", "1", "Reads ahead in the background."},
    {"adaptive_readahead", ".adaptive_readahead", "0=0|1=1", "1",
     "The read-ahead of an iterator goes on in the next file."},
    {"auto_readahead_size", ".auto_readahead_size", "0=0|1=1", "1",
     "Reads ahead no further than an iterator's bound."},
    {"optimize_multiget_for_io", ".optimize_multiget_for_io", "0=0|1=1", "1",
     "Reads of several levels at once, with --async_io."},
    {"total_order_seek", ".total_order_seek", "0=0|1=1", "1", "No seek by the prefix alone."},
    {"prefix_same_as_start", ".prefix_same_as_start", "0=0|1=1", "1",
     "An iterator ends with the prefix at which it began."},
    {"auto_prefix_mode", ".auto_prefix_mode", "0=0|1=1", "1",
     "By the prefix where that is enough."},
    {"auto_refresh_iterator_with_snapshot", ".auto_refresh_iterator_with_snapshot", "0=0|1=1", "1",
     "An iterator lets go of what it does not need."},
    {"use_tailing_iterator", ".use_tailing_iterator", "0=0|1=1", "1",
     "An iterator of each thread sees what is written after it was made."},
    {"write_batch_protection_bytes_per_key", ".write_batch_protection_bytes_per_key", "0=|*", "",
     "Bytes of checksum for each entry of a write; 0 or 8."},
    {"num_high_pri_threads", ".num_high_pri_threads", "0=|*", "",
     "Threads that flush; 0: RocksDB's."},
    {"num_low_pri_threads", ".num_low_pri_threads", "0=|*", "",
     "Threads that compact; 0: RocksDB's."},
    {"num_bottom_pri_threads", ".num_bottom_pri_threads", "0=|*", "",
     "Threads that compact into the last level; 0: none of their own."},
    {"enable_io_prio", ".enable_io_prio", "0=|1=1", "1",
     "Background threads have idle I/O priority."},
    {"enable_cpu_prio", ".enable_cpu_prio", "0=|1=1", "1",
     "Background threads have the least CPU priority."},
    {"rate_limiter_refill_period_us", ".rate_limiter_refill_period_us", "100000=|*", "",
     "Of --rate_limiter_bytes_per_sec."},
    {"rate_limiter_auto_tuned", ".rate_limiter_auto_tuned", "0=|1=1", "1",
     "Of --rate_limiter_bytes_per_sec."},
    {"rate_limit_bg_reads", ".rate_limit_bg_reads", "0=|1=1", "1",
     "--rate_limiter_bytes_per_sec limits reads, not writes."},
    {"rate_limit_user_ops", ".rate_limit_user_ops", "0=|1=1", "1",
     "It limits the reads of a benchmark, too, with --rate_limit_bg_reads."},
    {"rate_limit_auto_wal_flush", ".rate_limit_auto_wal_flush", "0=|1=1", "1",
     "It limits what writes add to the log, too, without --rate_limit_bg_reads."},
    {"cost_write_buffer_to_cache", ".cost_write_buffer_to_cache", "0=|1=1", "1",
     "Memtables count against the block cache."},
    {"explicit_snapshot", ".explicit_snapshot", "0=|1=1", "1",
     "Scans of a thread see the store as it was when the benchmark began."},
    {"backup_rate_limit", ".backup_rate_limit", "0=|*", "", "Bytes a second of `backup`."},
    {"file_checksum", ".file_checksum_gen_factory", "0=|1=FileChecksumGenCrc32cFactory", "1",
     "Files have checksums in the manifest."},
    {"fifo_age_for_warm", ".compaction_options_fifo.age_for_warm", "0=|*", "",
     "Seconds until a file is moved to warm storage."},
    {"fifo_compaction_max_data_files_size_mb", ".compaction_options_fifo.max_data_files_size",
     "0=|*M", "", "MiB of all tables and blobs."},
    {"fifo_compaction_use_kv_ratio_compaction", ".compaction_options_fifo.use_kv_ratio_compaction",
     "0=|1=true", "1", "Compacts by the ratio of keys and values."},
    {"memtable_insert_with_hint_prefix_size", "", "0=|*", "",
     "Entries of one prefix are inserted beside each other."},
    {"skip_list_lookahead", "", "0=|*", "", "Entries that a skip list looks ahead in a scan."},
    {"cache_uri", ".block_cache", "=|*", "", "The block cache, in RocksDB's own words."},
};

// Its flags that are RocksDB's own options.
inline constexpr std::string_view kRocksDbEngineFlags =
    "advise_random_on_open allow_concurrent_memtable_write allow_data_in_errors "
    "arena_block_size async_wal_precreate avoid_flush_during_recovery "
    "avoid_flush_during_shutdown blob_compaction_readahead_size blob_compression_type "
    "blob_direct_write_partitions blob_file_size blob_file_starting_level "
    "blob_garbage_collection_age_cutoff blob_garbage_collection_force_threshold block_align "
    "block_protection_bytes_per_key block_restart_interval bloom_locality bytes_per_sync "
    "cache_index_and_filter_blocks compaction_readahead_size compression_manager "
    "data_block_hash_table_util_ratio db_write_buffer_size decouple_partitioned_filters "
    "delayed_write_rate disable_auto_compactions dump_malloc_stats enable_blob_direct_write "
    "enable_blob_files enable_blob_garbage_collection enable_index_compression "
    "enable_pipelined_write enable_write_thread_adaptive_yield experimental_mempurge_threshold "
    "force_consistency_checks format_version hard_pending_compaction_bytes_limit "
    "index_block_restart_interval initial_auto_readahead_size inplace_update_num_locks "
    "inplace_update_support level0_file_num_compaction_trigger level0_slowdown_writes_trigger "
    "level0_stop_writes_trigger log_readahead_size manual_wal_flush max_auto_readahead_size "
    "max_background_compactions max_background_flushes max_background_jobs "
    "max_bytes_for_level_base max_bytes_for_level_multiplier max_compaction_bytes "
    "max_compaction_trigger_wakeup_seconds max_manifest_file_size max_manifest_space_amp_pct "
    "max_successive_merges max_total_wal_size max_write_buffer_number "
    "max_write_buffer_size_to_maintain memtable_batch_lookup_optimization "
    "memtable_op_scan_flush_trigger memtable_protection_bytes_per_key "
    "memtable_verify_per_key_checksum_on_seek memtable_whole_key_filtering metadata_block_size "
    "min_blob_size min_tombstones_for_range_conversion min_write_buffer_number_to_merge "
    "num_file_reads_for_auto_readahead num_levels open_files_async optimize_filters_for_hits "
    "optimize_filters_for_memory paranoid_checks paranoid_memory_checks "
    "periodic_compaction_seconds persist_stats_to_disk pin_l0_filter_and_index_blocks_in_cache "
    "pin_top_level_index_and_filter preclude_last_level_data_seconds "
    "preserve_internal_time_seconds rate_limiter_bytes_per_sec read_amp_bytes_per_bit "
    "read_triggered_compaction_threshold report_bg_io_stats sample_for_compression "
    "separate_key_value_in_data_block skip_stats_update_on_db_open "
    "soft_pending_compaction_bytes_limit stats_dump_period_sec stats_history_buffer_size "
    "stats_persist_period_sec strict_max_successive_merges super_block_alignment_size "
    "super_block_alignment_space_overhead_ratio table_cache_numshardbits target_file_size_base "
    "target_file_size_multiplier track_and_verify_wals track_and_verify_wals_in_manifest "
    "uncache_aggressiveness uniform_cv_threshold unordered_write use_adaptive_mutex "
    "use_direct_io_for_compaction_reads use_direct_io_for_flush_and_compaction use_direct_reads "
    "use_fsync verify_compression verify_manifest_content_on_close wal_bytes_per_sync "
    "wal_compression whole_key_filtering writable_file_max_buffer_size "
    "write_thread_max_yield_usec write_thread_slow_yield_usec";

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_FLAGS_H_
