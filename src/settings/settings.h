// Every flag of the program, in one table. The parser, the help, the manifest and docs/flags.md are
// loops over it; adding a flag is one row here, its field, and its use.
#ifndef LEVELFIELD_SETTINGS_SETTINGS_H_
#define LEVELFIELD_SETTINGS_SETTINGS_H_

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"

namespace levelfield {

struct Settings {
  std::string name = "run";
  std::string engine = "all";
  std::string dialect = "leveldb";
  std::string compat;
  std::string benchmarks =
      "fillrandom,readrandom,readmissing,readhot,seekrandom,readseq,readreverse,overwrite,"
      "readwhilewriting,readrandomwriterandom,compact,open,deleterandom,fillseq,deleteseq,"
      "fillbatch,fillsync,fill100K";
  uint64_t num = 1'000'000;
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t key_size = 16;
  uint64_t value_size = 100;
  std::string value_size_distribution_type = "fixed";
  uint64_t value_size_min = 100;
  uint64_t value_size_max = 102'400;
  double compression_ratio = 0.5;
  std::string key_format = "decimal";
  uint64_t key_prefix = 0;
  uint64_t threads = 1;
  bool per_thread = false;
  uint64_t batch = 1000;
  uint64_t batch_size = 1;
  uint64_t readwritepercent = 90;
  uint64_t deletepercent = 2;
  uint64_t numdistinct = 1000;
  uint64_t stddev = 2000;
  uint64_t key_id_range = 100'000;
  uint64_t time_range = 100'000;
  std::string expire_style = "none";
  uint64_t num_deletion_threads = 1;
  uint64_t disposable_entries_batch_size = 0;
  uint64_t disposable_entries_delete_delay = 0;
  uint64_t disposable_entries_value_size = 64;
  uint64_t persistent_entries_batch_size = 0;
  uint64_t persistent_entries_value_size = 64;
  uint64_t writes_per_second = 0;
  uint64_t write_bytes_per_second = 0;
  uint64_t deletes = 0;
  uint64_t merge_keys = 0;
  uint64_t mergereadpercent = 70;
  uint64_t bgwriter_num = 0;
  bool finish_after_writes = false;
  uint64_t reads_per_second = 0;
  std::string rate;
  std::string arrival = "poisson";
  std::string slo;
  uint64_t transaction_sets = 2;
  bool transaction_batches = false;
  uint64_t seek_nexts = 0;
  bool reverse_iterator = false;
  uint64_t max_scan_distance = 0;
  double read_random_exp_range = 0;
  std::string key_distribution = "uniform";
  double zipf_exponent = 0.99;
  double hot_keys = 0.2;
  double hot_requests = 0.8;
  bool contiguous_hot_keys = false;
  std::string ycsb_requests = "ycsb-zipf";
  std::string ycsb_key_order = "hashed";
  std::string trace;
  double trace_speed = 0;
  bool trace_load = true;
  uint64_t trace_records = 0;
  uint64_t trace_value_max = 1 << 20;
  uint64_t multiread_stride = 0;
  double mix_get_ratio = 1;
  double mix_put_ratio = 0;
  double mix_seek_ratio = 0;
  uint64_t mix_max_scan_len = 10'000;
  uint64_t mix_max_value_size = 1024;
  double keyrange_dist_a = 0;
  double keyrange_dist_b = 0;
  double keyrange_dist_c = 0;
  double keyrange_dist_d = 0;
  uint64_t keyrange_num = 1;
  double key_dist_a = 0;
  double key_dist_b = 0;
  double value_theta = 0;
  double value_k = 0.2615;
  double value_sigma = 25.45;
  double iter_theta = 0;
  double iter_k = 2.517;
  double iter_sigma = 14.236;
  double duration = 0;
  std::string warmup;
  uint64_t seed = 1;
  uint64_t repeat = 1;
  uint64_t repeat_most = 30;
  double precision = 0;
  bool quick = false;
  bool publish = false;
  std::string against;
  std::string baseline;
  double margin = 0.02;
  std::string noise;
  std::string vary;
  bool tries = false;
  std::string mix;
  bool histogram = true;
  std::string durability = "process";
  std::string settings = "equal";
  std::string cache_size = "64M";
  std::string write_buffer_size;
  std::string block_size;
  std::string bloom_bits;
  std::string compression = "none";
  std::string max_open_files;
  std::string db;
  std::string fs;
  uint64_t fs_size = 0;
  std::string fs_mount;
  std::string fs_journal;
  bool single_db = false;
  bool use_existing_db = false;
  bool allow_writes_to_foreign_store = false;
  bool read_only = false;
  bool keep = false;
  bool carry_debt = false;
  std::string space_guard = "refuse";
  std::string backup_dir;
  std::string restore_dir;
  std::string results = "results";
  std::string clock = "tsc";
  uint64_t stats_interval = 0;
  double stats_interval_seconds = 0;
  double interval_seconds = 1;
  std::string report_file;
  double report_interval_seconds = 1;
  std::string phase_property;
  bool phase_counters = false;
  uint64_t memory = 0;
  bool price = true;
  uint64_t audit = 50;
  bool allow_volatile = false;
  std::string cache = "warm";
  std::string cpus;
  std::string report_row;
  std::string job_id;
  bool confidence_interval_only = false;
  std::string format = "table";
  std::string to;
  double expected_interval = 0;
  bool watch = false;
  double stall = 30;

  // `--<engine>.<option>=`: by engine, in the order given.
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> engine_options;
  // The flags that were given, and the engines' options ("rocksdb.block_size"); the others have
  // their defaults.
  std::set<std::string> given;
  // What is no flag: the result directories of `report`.
  std::vector<std::string> arguments;
};

struct Flag {
  using Field = std::variant<std::string Settings::*, uint64_t Settings::*, double Settings::*,
                             bool Settings::*>;
  enum class Kind { kText, kCount, kBytes, kSeconds, kRatio, kSwitch };

  std::string_view name;
  Field field;
  Kind kind;
  std::string_view group;
  std::string_view help;
  double min = 0;  // Of numbers.
  double max = 1e18;
  // An option that every engine answers: passed on as typed, by this name.
  bool engine_option = false;
  // It may be given several times: the texts stand behind each other, with a space between.
  bool repeats = false;
  // What there is to choose from, separated by commas: words, and kinds of words that depend on the
  // machine or on files: <engines>, <workloads>, <directories>, <files>. A word in parentheses is
  // taken but not offered: what it is for refuses it with a reason of its own. Empty: anything.
  std::string_view choices = {};
  bool is_closed = false;      // Nothing but these choices is taken.
  bool takes_several = false;  // Of them, separated by commas.
};

std::span<const Flag> Flags();

// The value as people would type it, for the manifest and the help.
std::string TextOf(const Flag& flag, const Settings& settings);

// From the words behind the verb. A mistake is a kUsage error that names the flag, what it accepts,
// and the nearest name where the flag is unknown.
StatusOr<Settings> ParseSettings(const std::vector<std::string>& words);

// As if `--name=text` had been given last; `name` may be an engine's own option
// ("rocksdb.block_size").
Status SetFlag(const std::string& name, const std::string& text, Settings& settings);

// The flags as text for a terminal, and as the Markdown of docs/flags.md.
std::string FlagsHelp();
std::string FlagsMarkdown();

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SETTINGS_H_
