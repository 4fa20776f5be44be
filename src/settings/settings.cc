#include "settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "settings/flag_text.h"
#include "settings/flag_values.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

using Kind = Flag::Kind;

constexpr std::string_view kWhat = "What runs";
constexpr std::string_view kLoad = "The load";
constexpr std::string_view kField = "The level field: what every engine gets alike";
constexpr std::string_view kFileSystems = "File systems made for a run";
constexpr std::string_view kMeasuring = "Measuring and keeping";

constexpr std::string_view kDistributions = "uniform,zipf,ycsb-zipf,latest,hotspot,exponential";

// A text that is put together when the program is compiled.
struct JoinedText {
  consteval void operator+=(std::string_view more) {
    for (const char letter : more) letters[size++] = letter;
  }
  constexpr std::string_view View() const { return {letters.data(), size}; }

  std::array<char, 2048> letters = {};
  size_t size = 0;
};
consteval JoinedText FormatNames() {
  JoinedText names;
  for (const ReportFormat& format : kReportFormats) {
    if (names.size != 0) names += ",";
    names += format.name;
  }
  return names;
}
consteval JoinedText FormatWords() {
  JoinedText words;
  words += "What `report` prints:";
  for (const ReportFormat& format : kReportFormats) {
    words += &format == &kReportFormats[0] ? " `" : ", `";
    words += format.name;
    words += "`";
    words += format.is;
  }
  words += ".";
  return words;
}
constexpr JoinedText kFormatNames = FormatNames();
constexpr JoinedText kFormatWords = FormatWords();

constexpr Flag Offering(std::string_view choices, Flag flag) {
  flag.choices = choices;
  return flag;
}
constexpr Flag OneOf(std::string_view choices, Flag flag) {
  flag.choices = choices;
  flag.is_closed = true;
  return flag;
}
constexpr Flag Several(Flag flag) {
  flag.takes_several = true;
  return flag;
}

constexpr Flag kFlags[] = {
    Several(Offering(
        "all,<engines>",
        {"engine", &Settings::engine, Kind::kText, kWhat,
         "Engines to run, separated by commas: `all`, names, `name@version`, `name@system`, or "
         "`name:/path/to/library`. `levelfield engines` lists them."})),
    Several(Offering(
        "<workloads>",
        {"benchmarks", &Settings::benchmarks, Kind::kText, kWhat,
         "Workloads to run in this order on one open store, separated by commas: names, or paths "
         "of "
         ".workload files; `name[X5-W1]` is once to warm up and five times. `levelfield workloads` "
         "lists them."})),
    OneOf(
        "exact",
        {"compat", &Settings::compat, Kind::kText, kWhat,
         "`exact`: the keys, values, seeds and counts of the original db_bench. Empty: our own."}),
    OneOf("leveldb,rocksdb,sqlite3,treedb,lmdb,berkeleydb",
          {"dialect", &Settings::dialect, Kind::kText, kWhat,
           "Whose names and lines are spoken: `leveldb`, `rocksdb`, `sqlite3`, `treedb`, `lmdb` or "
           "`berkeleydb`; the links named db_bench... set it."}),
    {"name", &Settings::name, Kind::kText, kWhat,
     "Name of the run; its directory is results/<time>-<name>."},

    {"num", &Settings::num, Kind::kCount, kLoad, "Keys in the store.", 1, 1e16},
    {"reads", &Settings::reads, Kind::kCount, kLoad, "Operations of a reading workload; 0: num."},
    {"writes", &Settings::writes, Kind::kCount, kLoad,
     "Writes of fillseq, fillrandom and overwrite, and with --finish_after_writes of the writer "
     "beside readers; 0: num."},
    {"key_size", &Settings::key_size, Kind::kBytes, kLoad,
     "Bytes of a key's number, which is padded with zeros; of `--key_format=integer` always 8.", 1,
     1024},
    {"value_size", &Settings::value_size, Kind::kBytes, kLoad, "Bytes of a value.", 0, 1 << 30},
    OneOf("fixed,uniform,normal",
          {"value_size_distribution_type", &Settings::value_size_distribution_type, Kind::kText,
           kLoad,
           "`fixed`: every value has --value_size bytes; `uniform`: each number from "
           "--value_size_min to "
           "--value_size_max alike; `normal`: around their middle, with a sixth of their distance "
           "as the "
           "standard deviation. A workload that names a size of its own keeps it."}),
    {"value_size_min", &Settings::value_size_min, Kind::kBytes, kLoad,
     "The smallest of values that vary.", 0, 1 << 30},
    {"value_size_max", &Settings::value_size_max, Kind::kBytes, kLoad,
     "The largest of values that vary.", 0, 1 << 30},
    {"compression_ratio", &Settings::compression_ratio, Kind::kRatio, kLoad,
     "What compression leaves of a value's body, as a share of it.", 0.05, 1},
    OneOf("decimal,hex,integer,rocksdb",
          {"key_format", &Settings::key_format, Kind::kText, kLoad,
           "How a key's number is written: `decimal`, `hex`, `integer` (8 bytes in the machine's "
           "order, "
           "for engines that have such keys), or `rocksdb` (8 bytes, the highest first, padded)."}),
    {"key_prefix", &Settings::key_prefix, Kind::kBytes, kLoad,
     "Bytes of `a` in front of every key, beside --key_size.", 0, 1008},
    {"threads", &Settings::threads, Kind::kCount, kLoad,
     "Threads of a role; they share its work, or repeat it, as the workload's file says.", 1, 1024},
    {"per_thread", &Settings::per_thread, Kind::kSwitch, kLoad,
     "Numbers of operations are of each of the --threads threads, not of all of them together; so "
     "it is in the db_bench programs that have threads, and under their names."},
    {"batch", &Settings::batch, Kind::kCount, kLoad, "Entries of a batch.", 1, 1e6},
    {"batch_size", &Settings::batch_size, Kind::kCount, kLoad,
     "Entries of one write of fillseq, fillrandom, overwrite, deleteseq and deleterandom.", 1, 1e6},
    {"readwritepercent", &Settings::readwritepercent, Kind::kCount, kLoad,
     "Reads in a hundred operations of readrandomwriterandom and randomwithverify.", 0, 100},
    {"deletes", &Settings::deletes, Kind::kCount, kLoad,
     "Erasures of deleteseq and deleterandom, whose keys come again if there are more; 0: num.", 0,
     1e16},
    {"merge_keys", &Settings::merge_keys, Kind::kCount, kLoad,
     "Keys that mergerandom and readrandommergerandom work on, the first so many; 0: all.", 0,
     1e16},
    {"mergereadpercent", &Settings::mergereadpercent, Kind::kCount, kLoad,
     "Merges in a hundred operations of readrandommergerandom; the others read.", 0, 100},
    {"bgwriter_num", &Settings::bgwriter_num, Kind::kCount, kLoad,
     "Keys that the writer beside readers writes over, the first so many; 0: all.", 0, 1e16},
    {"finish_after_writes", &Settings::finish_after_writes, Kind::kSwitch, kLoad,
     "The writer beside readers does --writes operations, and the readers end when it does."},
    {"deletepercent", &Settings::deletepercent, Kind::kCount, kLoad,
     "Erases in a hundred operations of randomwithverify.", 0, 100},
    {"numdistinct", &Settings::numdistinct, Kind::kCount, kLoad,
     "Groups of three keys of randomwithverify; keys of randomreplacekeys.", 1, 7e8},
    {"stddev", &Settings::stddev, Kind::kCount, kLoad,
     "Standard deviation, in keys, of what randomreplacekeys draws.", 0, 1e15},
    {"key_id_range", &Settings::key_id_range, Kind::kCount, kLoad, "Ids of timeseries.", 1,
     2147483647.0},
    {"time_range", &Settings::time_range, Kind::kCount, kLoad,
     "Writes after which an entry of timeseries has expired.", 0, 1e16},
    OneOf("none,delete,(compaction_filter)",
          {"expire_style", &Settings::expire_style, Kind::kText, kLoad,
           "What becomes of an entry of timeseries that has expired: `none`, or `delete`."}),
    {"num_deletion_threads", &Settings::num_deletion_threads, Kind::kCount, kLoad,
     "Threads that erase such entries, with `--expire_style=delete`.", 1, 1024},
    {"disposable_entries_batch_size", &Settings::disposable_entries_batch_size, Kind::kCount, kLoad,
     "Entries that fillanddeleteuniquerandom puts and erases again together; 0: it erases none.", 0,
     1e9},
    {"disposable_entries_delete_delay", &Settings::disposable_entries_delete_delay, Kind::kCount,
     kLoad, "Microseconds that such a batch is there before it is erased.", 0, 3.6e9},
    {"disposable_entries_value_size", &Settings::disposable_entries_value_size, Kind::kBytes, kLoad,
     "Bytes of a value of such an entry.", 0, 1 << 30},
    {"persistent_entries_batch_size", &Settings::persistent_entries_batch_size, Kind::kCount, kLoad,
     "Entries that stay, which it puts before it erases a batch of those that do not.", 0, 1e9},
    {"persistent_entries_value_size", &Settings::persistent_entries_value_size, Kind::kBytes, kLoad,
     "Bytes of a value of such an entry.", 0, 1 << 30},
    {"writes_per_second", &Settings::writes_per_second, Kind::kCount, kLoad,
     "Rate that the writer beside the readers keeps to; 0: as fast as it can.", 0, 1e9},
    {"write_bytes_per_second", &Settings::write_bytes_per_second, Kind::kBytes, kLoad,
     "Bytes of keys and values a second of workloads that only write (fills, overwrites, updates, "
     "merges, deletions), all threads together; what is loaded for others is not slowed down. 0: "
     "as fast as they can.",
     0, 1e15},
    {"reads_per_second", &Settings::reads_per_second, Kind::kCount, kLoad,
     "Operations a second of workloads that read or do both, all threads of readers together; 0: "
     "as fast as they can.",
     0, 1e9},
    Offering(
        "sweep",
        {"rate", &Settings::rate, Kind::kText, kLoad,
         "Open loop: operations a second, `50k` or `50k/s`, of each workload's first role, all its "
         "threads together, on a schedule that does not wait for the engine; or `sweep`, a series "
         "of "
         "rates up to what the closed loop reaches. Empty: closed loop."}),
    OneOf("poisson,constant", {"arrival", &Settings::arrival, Kind::kText, kLoad,
                               "When operations of an open loop are due: `poisson`, as users who "
                               "know nothing of each other "
                               "come, or `constant`, one after the other at equal distances."}),
    {"slo", &Settings::slo, Kind::kText, kLoad,
     "Open loop: finds the highest rate at which this is kept, `p99<1ms`: a percentile of the "
     "response time and its limit in ns, us, ms or s. Empty: none."},
    {"transaction_sets", &Settings::transaction_sets, Kind::kCount, kLoad,
     "Sets of --num keys of which randomtransaction changes one key each.", 1, 9'999},
    {"transaction_batches", &Settings::transaction_batches, Kind::kSwitch, kLoad,
     "randomtransaction writes a batch instead of using the engine's transactions, and so with one "
     "thread only."},
    {"seek_nexts", &Settings::seek_nexts, Kind::kCount, kLoad,
     "Entries that a seek of seekrandom, and of its forms beside writers, reads behind the first.",
     0, 1e9},
    {"reverse_iterator", &Settings::reverse_iterator, Kind::kSwitch, kLoad,
     "Those are the ones before it."},
    {"max_scan_distance", &Settings::max_scan_distance, Kind::kCount, kLoad,
     "How far from the sought key such a seek may get, in keys; 0: as far as it comes.", 0, 1e16},
    {"read_random_exp_range", &Settings::read_random_exp_range, Kind::kRatio, kLoad,
     "Keys that roles which only read draw uniformly are drawn with this skew instead: of N keys, "
     "the one at N * "
     "exp(-u * this), u being uniform from 0 to 1, and then these are spread over all. 0: none.",
     0, 1000},
    OneOf(kDistributions,
          {"key_distribution", &Settings::key_distribution, Kind::kText, kLoad,
           "How roles which only read draw keys that they would draw uniformly: `uniform`, `zipf`, "
           "`ycsb-zipf` (what YCSB calls zipfian), `latest` (Zipf's law counted back from the last "
           "key), "
           "`hotspot`, or `exponential` (counted back from the last key, as YCSB's)."}),
    {"zipf_exponent", &Settings::zipf_exponent, Kind::kRatio, kLoad,
     "Exponent of `zipf` and `latest`: the k-th hottest key gets a share in proportion to "
     "k^-exponent. 0: uniform.",
     0, 100},
    {"hot_keys", &Settings::hot_keys, Kind::kRatio, kLoad,
     "Share of the keys that `hotspot` has more requests for, at least one.", 0, 1},
    {"hot_requests", &Settings::hot_requests, Kind::kRatio, kLoad,
     "Share of the requests that they get.", 0, 1},
    {"contiguous_hot_keys", &Settings::contiguous_hot_keys, Kind::kSwitch, kLoad,
     "The hot keys of `zipf` and `hotspot` are the first ones, neighbours of each other, instead "
     "of being spread over all."},
    OneOf(kDistributions,
          {"ycsb_requests", &Settings::ycsb_requests, Kind::kText, kLoad,
           "How ycsb-a, -b, -c, -e and -f draw the records that they ask for: a name that "
           "--key_distribution takes. YCSB's is `ycsb-zipf`."}),
    OneOf("hashed,ordered", {"ycsb_key_order", &Settings::ycsb_key_order, Kind::kText, kLoad,
                             "Order of the keys of YCSB's records, which are loaded by their "
                             "number: `hashed` (in random "
                             "order of keys, YCSB's default) or `ordered`."}),
    Offering("<files>",
             {"trace", &Settings::trace, Kind::kText, kLoad,
              "The trace that `replay` replays: a file that `levelfield trace convert` has made."}),
    {"trace_speed", &Settings::trace_speed, Kind::kRatio, kLoad,
     "Open loop on the trace's own schedule, so many times as fast: 1, 2.5, ... 0: closed loop, as "
     "fast as it can.",
     0, 1e6},
    {"trace_load", &Settings::trace_load, Kind::kSwitch, kLoad,
     "Load the store with the keys whose first operation in the trace reads them, and does not say "
     "that it found nothing; else it is empty at the begin."},
    {"trace_records", &Settings::trace_records, Kind::kCount, kLoad,
     "Only the first so many operations of the trace; 0: all.", 0, 1e16},
    {"trace_value_max", &Settings::trace_value_max, Kind::kBytes, kLoad,
     "Traces with longer values are refused.", 0, 1 << 30},
    {"multiread_stride", &Settings::multiread_stride, Kind::kCount, kLoad,
     "Distance, in keys, between the keys that one call of multireadrandom gets; 0: each is drawn.",
     0, 1e16},
    {"mix_get_ratio", &Settings::mix_get_ratio, Kind::kRatio, kLoad,
     "Share of gets among mixgraph's operations; the three shares need not come to 1.", 0, 1e9},
    {"mix_put_ratio", &Settings::mix_put_ratio, Kind::kRatio, kLoad, "The same of puts.", 0, 1e9},
    {"mix_seek_ratio", &Settings::mix_seek_ratio, Kind::kRatio, kLoad, "The same of seeks.", 0,
     1e9},
    {"mix_max_scan_len", &Settings::mix_max_scan_len, Kind::kCount, kLoad,
     "What the lengths of mixgraph's scans are taken modulo.", 1, 1e9},
    {"mix_max_value_size", &Settings::mix_max_value_size, Kind::kBytes, kLoad,
     "The largest value that mixgraph puts; what is drawn beyond it is taken modulo it.", 10,
     1 << 30},
    {"keyrange_dist_a", &Settings::keyrange_dist_a, Kind::kRatio, kLoad,
     "How hot the i-th range of mixgraph's keys is: a * exp(b * i) + c * exp(d * i). All four 0: "
     "all alike.",
     -1e18},
    {"keyrange_dist_b", &Settings::keyrange_dist_b, Kind::kRatio, kLoad, "b of that.", -1e18},
    {"keyrange_dist_c", &Settings::keyrange_dist_c, Kind::kRatio, kLoad, "c of that.", -1e18},
    {"keyrange_dist_d", &Settings::keyrange_dist_d, Kind::kRatio, kLoad, "d of that.", -1e18},
    {"keyrange_num", &Settings::keyrange_num, Kind::kCount, kLoad,
     "Ranges of mixgraph's keys, if their shares differ.", 1, 1e6},
    {"key_dist_a", &Settings::key_dist_a, Kind::kRatio, kLoad,
     "How hot the keys of a range are: the x hottest have the share a * x^b of it. a or b 0: all "
     "alike.",
     0},
    {"key_dist_b", &Settings::key_dist_b, Kind::kRatio, kLoad, "b of that.", -1e18},
    {"value_theta", &Settings::value_theta, Kind::kRatio, kLoad,
     "Location of the generalized Pareto distribution of mixgraph's value sizes.", -1e18},
    {"value_k", &Settings::value_k, Kind::kRatio, kLoad, "Its shape.", -1e18},
    {"value_sigma", &Settings::value_sigma, Kind::kRatio, kLoad, "Its scale, above 0.", 0},
    {"iter_theta", &Settings::iter_theta, Kind::kRatio, kLoad,
     "Location of the generalized Pareto distribution of the lengths of mixgraph's scans: entries "
     "that a seek reads behind the one that it finds.",
     -1e18},
    {"iter_k", &Settings::iter_k, Kind::kRatio, kLoad, "Its shape.", -1e18},
    {"iter_sigma", &Settings::iter_sigma, Kind::kRatio, kLoad, "Its scale, above 0.", 0},
    {"duration", &Settings::duration, Kind::kSeconds, kLoad,
     "Seconds of each workload that does not fill a store, in place of its number of operations; "
     "fills, and what measures the machine, stop at this time if they are not done. 0: no limit."},
    {"warmup", &Settings::warmup, Kind::kText, kLoad,
     "A warm-up before each workload that reads a store, timed and reported by itself: seconds "
     "(`5s`) or operations (`100k`) of the same workload, on other draws. Empty: none."},
    {"seed", &Settings::seed, Kind::kCount, kLoad,
     "Seed of every random stream: the same seed gives every engine the same operations.", 0,
     18446744073709551615.0},

    OneOf("none,process,synced", {"durability", &Settings::durability, Kind::kText, kField,
                                  "What an acknowledged write survives: `none`, `process` (kill "
                                  "-9) or `synced` (a power cut)."}),
    OneOf("equal,default,tuned",
          {"settings", &Settings::settings, Kind::kText, kField,
           "`equal`: every engine gets the same of the flags below, their defaults too; `default`: "
           "only "
           "those that are given, and else what the engine's plug-in has (engines.md); `tuned`: as "
           "`equal`, and besides what the engine's own authors recommend for such a load "
           "(engines.md)."}),
    {"cache_size", &Settings::cache_size, Kind::kBytes, kField, "The engine's own cache of data.",
     0, 1e18, true},
    {"write_buffer_size", &Settings::write_buffer_size, Kind::kBytes, kField,
     "What is gathered in memory before it is written to tables.", 0, 1e18, true},
    {"block_size", &Settings::block_size, Kind::kBytes, kField, "Size of a block or page.", 0, 1e18,
     true},
    {"bloom_bits", &Settings::bloom_bits, Kind::kCount, kField,
     "Bits of Bloom filter to a key; 0: none.", 0, 1e18, true},
    Offering("none,prefix,snappy,zlib,lzo,lzma,lz4,lz4hc,zstd",
             {"compression", &Settings::compression, Kind::kText, kField,
              "Compression of blocks: `none`, or what the engine has.", 0, 1e18, true}),
    {"max_open_files", &Settings::max_open_files, Kind::kCount, kField,
     "Files that the engine keeps open.", 0, 1e18, true},

    Several(OneOf("ext2,ext3,ext4,xfs,btrfs,f2fs,jfs,nilfs2,reiserfs,exfat,ntfs,fuse2fs,(zfs)",
                  {"fs", &Settings::fs, Kind::kText, kFileSystems,
                   "Kind of the file system that each run of each round gets for its store alone, "
                   "freshly made "
                   "on an image in --db, or else in the results' directory. Several, separated by "
                   "commas, are "
                   "compared; those that this machine cannot make are rows with the reason. Needs "
                   "root. Empty: "
                   "the stores are on the file system that is there."})),
    {"fs_size", &Settings::fs_size, Kind::kBytes, kFileSystems,
     "Size of such a file system; its image takes what is written. 0: room for what the workloads "
     "may need.",
     0, 1e18},
    {"fs_mount", &Settings::fs_mount, Kind::kText, kFileSystems,
     "What it is mounted with, as for mount -o; behind `kind:` for this kind alone, parts divided "
     "by semicolons: `noatime;ext4:data=journal;xfs:allocsize=1m`. Empty: what the kernel takes."},
    {"fs_journal", &Settings::fs_journal, Kind::kText, kFileSystems,
     "Where the journal of an ext3, ext4 or xfs is kept instead of in it: a directory, like one "
     "of a tmpfs, for an image of its own, or a block device that nothing is on. Empty, or "
     "`internal`: in it."},

    {"repeat", &Settings::repeat, Kind::kCount, kMeasuring,
     "Rounds: each runs every engine once, in a fresh process on a fresh store, in balanced random "
     "order. From 6 on figures have an interval, and are compared.",
     1, 1000},
    {"precision", &Settings::precision, Kind::kRatio, kMeasuring,
     "Further rounds behind --repeat, until the median of every rate is known to this share of it "
     "(0.02: 2 %); 0: none.",
     0, 1},
    {"repeat_most", &Settings::repeat_most, Kind::kCount, kMeasuring,
     "Rounds that --precision stops at.", 1, 1000},
    {"quick", &Settings::quick, Kind::kSwitch, kMeasuring,
     "Three rounds: medians to look at, which rank nothing."},
    {"publish", &Settings::publish, Kind::kSwitch, kMeasuring,
     "Ten rounds, or --repeat where that is more: figures that others are to believe."},
    Offering(
        "<engines>",
        {"against", &Settings::against, Kind::kText, kMeasuring,
         "An engine that those of --engine are compared with, in the same rounds. Without --repeat "
         "there are as many rounds as a verdict needs: 6, for several engines more."}),
    Offering("<engines>", {"baseline", &Settings::baseline, Kind::kText, kMeasuring,
                           "`compare` of one result: the engine that the others are compared with; "
                           "empty: the first."}),
    {"margin", &Settings::margin, Kind::kRatio, kMeasuring,
     "A difference that nobody minds: what lies within it is equivalent.", 0, 1},
    Offering(
        "<directories>",
        {"noise", &Settings::noise, Kind::kText, kMeasuring,
         "A result of `levelfield noise`, of the same machine: no smaller difference is claimed."}),
    {"vary", &Settings::vary, Kind::kText, kMeasuring,
     "`setting=value,value,...`: run with each value, in the same rounds, and compare; given "
     "several times, with each combination. Any setting of a single run, and options of engines "
     "(`rocksdb.block_size=4K,16K`); where a value has a comma, `;` separates them.",
     0, 1e18, false, true},
    {"try", &Settings::tries, Kind::kSwitch, kMeasuring,
     "`diagnose` runs what it advises: the settings as they were against the changed ones, in the "
     "same rounds, and says whether it helped."},
    {"mix", &Settings::mix, Kind::kText, kMeasuring,
     "What `choose` is to find an engine for: shares of operations in percent, as in "
     "`get:80,put:15,seek:5`."},
    {"histogram", &Settings::histogram, Kind::kSwitch, kMeasuring,
     "Read the clock around every operation, for percentiles; without it the loop costs about 20 "
     "ns less an operation."},
    OneOf("tsc,monotonic",
          {"clock", &Settings::clock, Kind::kText, kMeasuring,
           "`tsc` (the time-stamp counter, where it can be trusted) or `monotonic`."}),
    {"stall", &Settings::stall, Kind::kSeconds, kMeasuring,
     "An engine that makes no progress for so long is ended and reported; opening, closing, "
     "compacting and settling may take ten times as long.",
     0.1, 1e9},
    Offering(
        "<directories>",
        {"db", &Settings::db, Kind::kText, kMeasuring,
         "Directory that the stores are made in, each in one of its own. Empty: in the results' "
         "directory."}),
    {"use_existing_db", &Settings::use_existing_db, Kind::kSwitch, kMeasuring,
     "Measure the store that is in --db, whoever made it; workloads that need an empty store are "
     "skipped. A store that is not Levelfield's, or that another version of the engine's library "
     "filled, stays byte for byte as it is: it is opened read-only where the engine can do that, "
     "else a copy of it in the results' directory is measured, and workloads that write are "
     "skipped."},
    {"allow_writes_to_foreign_store", &Settings::allow_writes_to_foreign_store, Kind::kSwitch,
     kMeasuring,
     "With --use_existing_db: workloads that write run on such a store too, in its place. The "
     "version that made it may be unable to open it afterwards."},
    {"read_only", &Settings::read_only, Kind::kSwitch, kMeasuring,
     "With --use_existing_db: no store is written to, not even one of Levelfield's own."},
    {"single_db", &Settings::single_db, Kind::kSwitch, kMeasuring,
     "--db is the store's directory itself, for one engine, instead of one that stores are made "
     "in."},
    {"keep", &Settings::keep, Kind::kSwitch, kMeasuring,
     "Keep the stores instead of removing them."},
    {"carry_debt", &Settings::carry_debt, Kind::kSwitch, kMeasuring,
     "Begin the next workload while the engine still works off what the last one has left to its "
     "background, instead of settling that first, timed and charged apart."},
    OneOf("refuse,stop,off",
          {"space_guard", &Settings::space_guard, Kind::kText, kMeasuring,
           "`refuse`: a run that the disk may have no room for does not begin, and a workload that "
           "leaves "
           "little free is stopped before the disk is full; `stop`: only the latter; `off`: "
           "neither."}),
    Offering("<directories>",
             {"backup_dir", &Settings::backup_dir, Kind::kText, kMeasuring,
              "Directory that `backup` makes its copies in. Empty: beside the store."}),
    Offering("<directories>",
             {"restore_dir", &Settings::restore_dir, Kind::kText, kMeasuring,
              "Directory that `restore` makes its stores in. Empty: beside the store."}),
    {"stats_interval", &Settings::stats_interval, Kind::kCount, kMeasuring,
     "Operations between two lines on standard error with the rate so far; looked at ten times a "
     "second. 0: none."},
    {"stats_interval_seconds", &Settings::stats_interval_seconds, Kind::kSeconds, kMeasuring,
     "Time between two such lines. 0: none."},
    {"interval_seconds", &Settings::interval_seconds, Kind::kSeconds, kMeasuring,
     "Length of the intervals whose operations and latencies the results keep one by one, in steps "
     "of 0.1 s. 0: none."},
    Offering("<files>", {"report_file", &Settings::report_file, Kind::kText, kMeasuring,
                         "File for the rate of each interval of each workload, as CSV; it must not "
                         "exist yet. Empty: "
                         "none."}),
    {"report_interval_seconds", &Settings::report_interval_seconds, Kind::kSeconds, kMeasuring,
     "Length of such an interval.", 0.1, 1e9},
    {"watch", &Settings::watch, Kind::kSwitch, kMeasuring,
     "Look on while it runs: on a terminal a view that is drawn over, with the rate, the 99th "
     "percentile and a chart of the last minute; elsewhere a line each second."},
    {"phase_property", &Settings::phase_property, Kind::kText, kMeasuring,
     "A property of the engine, like `rocksdb.stats`, that is kept and printed after each workload "
     "on the store. Empty: none."},
    {"phase_counters", &Settings::phase_counters, Kind::kSwitch, kMeasuring,
     "Print what the engine counted in each workload, behind its lines in the db_bench format; the "
     "results have it always."},
    {"memory", &Settings::memory, Kind::kBytes, kMeasuring,
     "Memory of each engine's process, page cache included, by a memory cgroup of its own; refused "
     "where none can be made. 0: not capped."},
    OneOf("warm,cold", {"cache", &Settings::cache, Kind::kText, kMeasuring,
                        "`warm`: workloads meet the page cache as those before them left it; "
                        "`cold`: before each one "
                        "that reads the store is closed and the page cache has to forget it."}),
    {"cpus", &Settings::cpus, Kind::kText, kMeasuring,
     "Processors that each engine's process runs on, all its threads together: `0,2-3`, by the "
     "kernel's numbers. Empty: all that this program may use."},
    {"price", &Settings::price, Kind::kSwitch, kMeasuring,
     "Measure first what the harness itself costs: the same workloads on `null` and `memory`, with "
     "100,000 keys at most."},
    {"audit", &Settings::audit, Kind::kCount, kMeasuring,
     "Before an engine runs, commit so many times to a store beside, one by one, to see whether "
     "each commit is flushed before it is acknowledged. 0: no commit is looked at, and of a "
     "workload that made too few calls for a flush nothing is said but `not seen`; what does not "
     "come "
     "to the device is invalid all the same.",
     0, 10'000},
    {"allow_volatile", &Settings::allow_volatile, Kind::kSwitch, kMeasuring,
     "Run `--durability=synced` also where nothing survives a power cut (tmpfs, a file system "
     "mounted without barriers); the numbers are labelled volatile."},
    {"confidence_interval_only", &Settings::confidence_interval_only, Kind::kSwitch, kMeasuring,
     "Repetitions in db_bench's lines are told with their 95 % interval, not with their mean, "
     "until "
     "the last."},
    OneOf(kFormatNames.View(),
          {"format", &Settings::format, Kind::kText, kMeasuring, kFormatWords.View()}),
    Offering(
        "<files>",
        {"to", &Settings::to, Kind::kText, kMeasuring,
         "Directory that `--format=hlog` makes and writes to, which must not exist yet; file that "
         "`--format=html` writes, instead of report.html in the directory of the result."}),
    {"expected_interval", &Settings::expected_interval, Kind::kSeconds, kMeasuring,
     "Time between two operations of one client that `--format=corrected` supposes. 0: as long as "
     "the threads took for one on the average."},
    {"report_row", &Settings::report_row, Kind::kText, kMeasuring,
     "The workload that the row of `--format=tsv` is of; it is called as the run is. Empty: a row "
     "for each."},
    {"job_id", &Settings::job_id, Kind::kText, kMeasuring, "What `job_id` is in such a row."},
    Offering("<directories>", {"results", &Settings::results, Kind::kText, kMeasuring,
                               "Directory that the results' directories are made in."}),
};

// A field of another type than its kind's would be found out at the first run: rather here.
constexpr bool KindsFit() {
  for (const Flag& flag : kFlags) {
    const bool fits = std::holds_alternative<std::string Settings::*>(flag.field)
                          ? flag.kind == Kind::kText || flag.engine_option
                      : std::holds_alternative<uint64_t Settings::*>(flag.field)
                          ? flag.kind == Kind::kCount || flag.kind == Kind::kBytes
                      : std::holds_alternative<bool Settings::*>(flag.field)
                          ? flag.kind == Kind::kSwitch
                          : flag.kind == Kind::kSeconds || flag.kind == Kind::kRatio;
    if (!fits) return false;
  }
  return true;
}
static_assert(KindsFit());

// Breaks a text into lines of at most `width`, each behind `indent`.
std::string Wrapped(std::string_view text, size_t width, const std::string& indent) {
  std::string result;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column != 0 && column + 1 + end > width) {
      result += "\n";
      column = 0;
    }
    result += column == 0 ? indent : " ";
    result += text.substr(0, end);
    column += end + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + "\n";
}

}  // namespace

std::string DefaultOf(const Flag& flag) {
  const std::string text = TextOf(flag, Settings());
  return !text.empty() ? text : flag.engine_option ? "the engine's own" : "";
}

std::string_view UnitOf(Kind kind) {
  switch (kind) {
    case Kind::kText:
      return "text";
    case Kind::kCount:
      return "count";
    case Kind::kBytes:
      return "bytes";
    case Kind::kSeconds:
      return "seconds";
    case Kind::kRatio:
      return "share";
    case Kind::kSwitch:
      return "0 or 1";
  }
  return "";
}

std::span<const Flag> Flags() { return kFlags; }

std::string TextOf(const Flag& flag, const Settings& settings) {
  return std::visit(
      [&](auto field) {
        const auto& value = settings.*field;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
          return std::string(value ? "1" : "0");
        } else {
          return fmt::format("{}", value);
        }
      },
      flag.field);
}

std::string FlagsHelp(std::span<const Flag* const> flags) {
  std::string help;
  std::string_view group;
  for (const Flag* const flag : flags) {
    if (flag->group != group) {
      group = flag->group;
      help += fmt::format("\n{}:\n", group);
    }
    const std::string value = DefaultOf(*flag);
    help += fmt::format("  --{}={}\n", flag->name, value.size() > 60 ? "..." : value);
    help += Wrapped(flag->help, 86, "        ");
    if (flag->is_closed) {
      help += Wrapped("One of: " + fmt::format("{}", fmt::join(ChoicesOf(*flag), ", ")), 86,
                      "        ");
    }
  }
  return help;
}

std::string FlagsHelp() {
  std::vector<const Flag*> all;
  for (const Flag& flag : kFlags) all.push_back(&flag);
  return FlagsHelp(all) +
         "\nAn engine's own option is written --<engine>.<option>=, for example "
         "--rocksdb.max_background_jobs=4.\nSizes take k, M, G (of 1024), counts take k, M, G (of "
         "1000) or 1e6, times take ms, s, m, h.\n";
}

std::string FlagsMarkdown() {
  std::string page =
      "# Flags\n\nMade by `levelfield docs flags` from the one table in "
      "`src/settings/settings.cc`; "
      "a test fails when it is stale.\n";
  std::string_view group;
  for (const Flag& flag : kFlags) {
    if (flag.group != group) {
      group = flag.group;
      page += fmt::format(
          "\n## {}\n\n| flag | takes | default | meaning |\n| --- | --- | --- | --- |\n", group);
    }
    const std::string value = DefaultOf(flag);
    page += fmt::format("| `--{}` | {} | {} | {} |\n", flag.name,
                        flag.is_closed ? fmt::format("`{}`", fmt::join(ChoicesOf(flag), "`, `"))
                                       : std::string(UnitOf(flag.kind)),
                        value.empty() ? "" : "`" + value + "`", flag.help);
  }
  page +=
      "\n## Options of one engine\n\n`--<engine>.<option>=value`; [engines.md](engines.md) lists "
      "them. An option that the engine does not list is refused, but for RocksDB's: all options of "
      "its library can be given by their own names.\n";
  return page;
}

}  // namespace levelfield
