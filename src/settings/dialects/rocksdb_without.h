// The flags of RocksDB's db_bench (11.8's) that have no other value here than their default, and
// why: the one table from which the program's refusals, its help and
// docs/generated/db_bench_rocksdb.md are made. Rows for dialect.h. Benchmarks that are not here:
// workload/find_workload.cc.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_WITHOUT_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_WITHOUT_H_

#include "settings/dialects/dialect.h"

namespace levelfield {

inline constexpr RefusedFlags kRocksDbRefusedFlags[] = {
    {"RocksDB's C interface makes no secondary or tiered cache",
     "use_compressed_secondary_cache=false secondary_cache_uri= use_tiered_cache=false "
     "tiered_adm_policy=auto"},
    {"RocksDB's C interface makes no persistent cache", "read_cache_path="},
    {"RocksDB's C interface does not say what is charged to a cache",
     "charge_blob_cache=false charge_compression_dictionary_building_buffer=false "
     "charge_file_metadata=false charge_filter_construction=false charge_table_reader=false"},
    {"RocksDB's C interface gives a cache no such allocator",
     "use_cache_jemalloc_no_dump_allocator=false use_cache_memkind_kmem_allocator=false"},
    {"RocksDB's C interface takes no file system of somebody's own; a store is in one of this "
     "machine, and --fs makes one for a run",
     "env_uri= fs_uri= simulate_hdd=false simulate_hybrid_fs_file= "
     "fault_injection_read_after_reads=0 tolerate_io_errors_for_remote_dbs=false"},
    {"every measured call would choose the store or column family of its key, "
     "also of runs that have one",
     "num_column_families=1 num_column_families=0 num_multi_db=0 num_multi_db=1"},
    {"with timestamps every call has another form, and all answers another meaning",
     "user_timestamp_size=0"},
    {"the order of keys would not be that of their numbers, by which scans are checked; "
     "--prefix_size alone is taken",
     "keys_per_prefix=0 use_uint64_comparator=false"},
    {"keys are made from their numbers, so that each answer can be checked; --num, --key_size and "
     "--key_format=rocksdb say which there are",
     "use_existing_keys=false"},
    {"each key is written once; `overwrite` behind it writes them again",
     "overwrite_probability=0"},
    {"a value is a function of its key and version, so that it can be checked",
     "same_value_percentage=0"},
    {"what fills a store erases no ranges; `op = 90% put, 10% erase range` in a workload file does",
     "writes_per_range_tombstone=0 max_num_range_tombstones=0"},
    {"a process reads the store that it writes", "use_secondary_db=false open_as_follower=false"},
    {"what is in force is read from RocksDB's LOG", "use_stderr_info_logger=false"},
    {"the stacked BlobDB is gone; enable_blob_files is RocksDB's own", "use_blob_db=false"},
    {"RocksDB's C interface makes no limiter with a burst of its own",
     "rate_limiter_single_burst_bytes=0"},
    {"a restore makes a store, and has no options here; --backup_rate_limit is of backups",
     "restore_rate_limit=0"},
    {"a seek and its steps are those of --seek_nexts, --reverse_iterator and --max_scan_distance",
     "seek_missing_prefix=false seek_nexts_to_delete=0"},
    {"RocksDB's C interface adds no index of another make", "use_trie_index=false"},
    {"RocksDB decides by itself whether it reads by io_uring", "io_uring_enabled=true"},
    {"numactl in front of the command places it", "enable_numa=false"},
    {"--stall says when a run that hangs is ended", "fatal_shutdown_watchdog_seconds=180"},
    {"--statistics=1 keeps RocksDB's own", "statistics_string="},
};

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
     "compressed_secondary_cache_compress_format_version=2 "
     "compressed_secondary_cache_compression_level=32767 "
     "compressed_secondary_cache_compression_type=lz4 "
     "compressed_secondary_cache_high_pri_pool_ratio=0.0 "
     "compressed_secondary_cache_low_pri_pool_ratio=0.0 "
     "compressed_secondary_cache_numshardbits=6 compressed_secondary_cache_size=33554432"},
    {"--writes_per_range_tombstone",
     "expand_range_tombstones=false range_tombstone_width=100 writes_before_delete_range=0"},
    {"--read_cache_path",
     "read_cache_direct_read=true read_cache_direct_write=true "
     "read_cache_size=4294967296"},
    {"--user_timestamp_size", "read_with_latest_user_timestamp=true"},
    {"--use_secondary_db", "secondary_path= secondary_update_interval=5"},
    {"--simulate_hdd and --simulate_hybrid_fs_file", "simulate_hybrid_hdd_multipliers=1"},
    {"--open_as_follower", "leader_path="},
    {"--overwrite_probability", "overwrite_window_size=1"},
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
