// The flags of RocksDB's db_bench that take their default value only. Rows for dialect.h.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_WITHOUT_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_WITHOUT_H_

#include <string_view>

#include "settings/dialects/dialect.h"

namespace levelfield {

// Of 11.9's db_bench. What it has for other kinds of tables, stores, caches, reads and file
// systems.
inline constexpr std::string_view kRocksDbOnlyDefaults =
    "backup_rate_limit=0 charge_blob_cache=false "
    "charge_compression_dictionary_building_buffer=false charge_file_metadata=false "
    "charge_filter_construction=false charge_table_reader=false "
    "cost_write_buffer_to_cache=false enable_numa=false explicit_snapshot=false "
    "fatal_shutdown_watchdog_seconds=180 fault_injection_read_after_reads=0 "
    "io_uring_enabled=true open_as_follower=false rate_limit_auto_wal_flush=false "
    "rate_limit_user_ops=false rate_limiter_single_burst_bytes=0 read_cache_path= "
    "restore_rate_limit=0 same_value_percentage=0 secondary_cache_uri= "
    "seek_missing_prefix=false seek_nexts_to_delete=0 simulate_hdd=false "
    "simulate_hybrid_fs_file= statistics_string= tolerate_io_errors_for_remote_dbs=false "
    "use_cache_jemalloc_no_dump_allocator=false use_cache_memkind_kmem_allocator=false "
    "use_compressed_secondary_cache=false use_hash_search=false use_keep_filter=false "
    "use_secondary_db=false use_stderr_info_logger=false use_trie_index=false "
    "use_uint64_comparator=false";

// Flags that count only with another flag, or in a benchmark.
inline constexpr FlagsOfOthers kRocksDbFlagsOfOthers[] = {
    {"--use_blob_db, whose stacked BlobDB is gone",
     "blob_db_enable_gc=false blob_db_file_size=268435456 blob_db_max_db_size=0 "
     "blob_db_max_ttl_range=0 blob_db_ttl_range_secs=3600"},
    {"--block_cache_trace_file",
     "block_cache_trace_max_trace_file_size_in_bytes=68719476736 "
     "block_cache_trace_sampling_frequency=1"},
    {"--num_column_families", "num_hot_column_families=0 column_family_distribution="},
    {"--use_compressed_secondary_cache",
     "compressed_secondary_cache_compression_level=32767 "
     "compressed_secondary_cache_compression_type=lz4 "
     "compressed_secondary_cache_high_pri_pool_ratio=0.0 "
     "compressed_secondary_cache_low_pri_pool_ratio=0.0 "
     "compressed_secondary_cache_numshardbits=6 "
     "compressed_secondary_cache_size=33554432 tiered_adm_policy=auto "
     "use_tiered_cache=false"},
    {"--use_cuckoo_table", "cuckoo_hash_ratio=0.9 identity_as_first_hash=false"},
    {"--memtablerep=prefix_hash and hash_linkedlist, which need --prefix_size",
     "hash_bucket_count=1048576"},
    {"--writes_per_range_tombstone",
     "expand_range_tombstones=false max_num_range_tombstones=0 "
     "range_tombstone_width=100 writes_before_delete_range=0"},
    {"--read_cache_path",
     "read_cache_direct_read=true read_cache_direct_write=true "
     "read_cache_size=4294967296"},
    {"--user_timestamp_size", "read_with_latest_user_timestamp=true"},
    {"--use_secondary_db", "secondary_path= secondary_update_interval=5"},
    {"--simulate_hdd and --simulate_hybrid_fs_file", "simulate_hybrid_hdd_multipliers=1"},
    {"--open_as_follower", "leader_path="},
    {"--overwrite_probability", "overwrite_window_size=1"},
    {"replay", "trace_replay_fast_forward=1.0 trace_replay_threads=1"},
    {"ingestexternalfile",
     "ingest_external_file_batch_size=10 ingest_external_file_file_opening_threads=1 "
     "ingest_external_file_fill_cache=true ingest_external_file_num_batches=1 "
     "ingest_external_file_prefetch_lmax_index_and_filter_blocks=true "
     "ingest_external_file_use_file_info=false"},
    {"multiscan and multiscanrandom",
     "io_dispatcher_max_prefetch_memory_bytes=0 multiscan_coalesce_threshold=16384 "
     "multiscan_max_prefetch_size=0 multiscan_size=10 multiscan_stride=100 "
     "multiscan_use_async_io=false use_multiscan=true"},
    {"openandcompact",
     "openandcompact_allow_resumption=false openandcompact_cancel_after_millseconds=1 "
     "openandcompact_test_cancel_on_odd=false"},
    {"readrandomentity, multireadentity and fillembeddedentity",
     "num_short_wide_columns=1 num_wide_columns=4 embedded_blob_min_size=2048"},
    {"readrandomcoroutine and multireadrandomcoroutine", "coro_jobs_per_thread=1"},
    {"verify", "truth_db=/dev/shm/truth_db/dbbench"},
    {"nothing in the original", "transaction_sleep=0"},
};

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_WITHOUT_H_
