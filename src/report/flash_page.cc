#include "report/flash_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/quote.h"
#include "report/number.h"
#include "report/whole.h"
#include "result/setting_of.h"

namespace levelfield {
namespace {

constexpr double kMiB = 1 << 20;
constexpr double kGB = 1e9;

// What the page says, as it says it: RocksDB 5.13.1, July 2018, i3.8xlarge.
struct Published {
  std::string_view job;  // The beginning of what the row of benchmark.sh is called.
  std::string_view name;
  double seconds;
  double mib_per_second;  // 0: not said.
  double ops_per_second;  // 0: not said.
  double micros_per_op;   // 0: not said.
  double keys;            // NUM_KEYS of its command.
  double threads;
};
constexpr Published kPublished[] = {
    {"bulkload", "1: bulk load in random order", 157.6 * 60, 353.6, 0, 0, 8e9, 1},
    {"fillseq.wal_disabled", "2: bulk load in order", 159 * 60, 335.7, 0, 0, 8e9, 1},
    {"overwrite", "3: random overwrite", 15 * 3600 + 38 * 60, 13.8, 17000, 56.295, 2e9, 1},
    {"readrandom", "4: random read", 18 * 3600, 0, 15400, 64.7, 1e9, 1},
    {"readwhilewriting", "5: reads beside a writer", 75 * 60, 0, 713376, 1.42, 1e8, 32},
};
constexpr double kAllKeys = 8e9;
constexpr double kKeyBytes = 20;
constexpr double kValueBytes = 400;
constexpr double kEntryBytes = kKeyBytes + kValueBytes;
constexpr double kSaidCacheBytes = 1 << 30;         // "1G block cache"
constexpr double kCommandCacheBytes = 17179869184;  // CACHE_SIZE of its command.
constexpr double kMemoryBytes = 244e9;
constexpr double kStoreBytes = 1448482656.0 * 1024;  // du -s -k, behind test 2.

struct Ours {
  const Result* result = nullptr;
  const RunResult* run = nullptr;
  const PhaseResult* phase = nullptr;
  const RoleResult& role() const { return phase->roles.front(); }
};

double NumberOf(const Result& result, std::string_view name) {
  return std::strtod(SettingOf(result, name).c_str(), nullptr);
}

StatusOr<Ours> FindOurs(const std::vector<Result>& results, const Published& published) {
  for (const Result& result : results) {
    if (!result.name.starts_with(published.job)) continue;
    for (const RunResult& run : result.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (phase.workload != SettingOf(result, "report_row")) continue;
        if (phase.outcome == Outcome::kOk && !phase.roles.empty())
          return Ours{&result, &run, &phase};
        return Status::Failed(
            fmt::format("{} of {} has no number: {}", phase.workload, run.engine, phase.message));
      }
    }
  }
  return Status::Usage(fmt::format(
      "no result of {} is among these directories; `make flash` makes them", published.job));
}

double MibPerSecond(const RoleResult& role) {
  double bytes = 0;
  for (const LaneResult& lane : role.lanes) bytes += static_cast<double>(lane.bytes);
  return role.seconds > 0 ? bytes / kMiB / role.seconds : 0;
}

double OpsPerSecond(const Published& published) {
  return published.ops_per_second > 0 ? published.ops_per_second
                                      : published.mib_per_second * kMiB / kEntryBytes;
}

std::string Row(const Published& published, const Ours& ours) {
  const RoleResult& role = ours.role();
  const double theirs = OpsPerSecond(published);
  const double here = role.OperationsPerSecond();
  const double micros = role.Operations() > 0
                            ? role.thread_seconds * 1e6 / static_cast<double>(role.Operations())
                            : 0;
  return fmt::format(
      "| {} | {:.0f}{} | {} | {:.0f} | {:.1f} | {:.1f} | {:.2f} |\n", published.name, theirs,
      published.ops_per_second > 0 ? "" : " (from MB/s)",
      published.mib_per_second > 0 ? fmt::format("{:.1f}", published.mib_per_second) : "-", here,
      MibPerSecond(role), micros, theirs > 0 ? here / theirs : 0);
}

std::string Contradiction(const std::string& said, const std::string& follows) {
  return fmt::format("| {} | {} |\n", said, follows);
}

// Of a bulk load: its time against its rate.
std::string LoadTime(const Published& load) {
  const double minutes = kAllKeys * kEntryBytes / (load.mib_per_second * kMiB) / 60;
  return Contradiction(
      fmt::format("{}: {:.1f} minutes at {:.1f} MB/s", load.name, load.seconds / 60,
                  load.mib_per_second),
      fmt::format(
          "{:.0e} keys of {:.0f} bytes at that rate (MiB) take {:.1f} minutes: the two differ "
          "by {:.1f} %",
          kAllKeys, kEntryBytes, minutes, (load.seconds / 60 / minutes - 1) * 100));
}

std::string OverwriteRows(const Published& overwrite) {
  const double done = overwrite.seconds * 1e6 / overwrite.micros_per_op;
  const double entry = overwrite.mib_per_second * kMiB / (1e6 / overwrite.micros_per_op);
  return Contradiction(
             fmt::format("{}: {:.0e} keys in {:.1f} hours, {:.3f} us each", overwrite.name,
                         overwrite.keys, overwrite.seconds / 3600, overwrite.micros_per_op),
             fmt::format("that time is {:.2e} operations, {:.2f} of what is said; and "
                         "NUM_KEYS={:.0e} keeps it to {:.2f} of the keys",
                         done, done / overwrite.keys, overwrite.keys, overwrite.keys / kAllKeys)) +
         Contradiction(fmt::format("{}: {:.1f} MB/s", overwrite.name, overwrite.mib_per_second),
                       fmt::format("that is {:.0f} bytes an operation, and an entry has {:.0f}",
                                   entry, kEntryBytes)) +
         Contradiction(fmt::format("{}: the log is not synced", overwrite.name),
                       "the printed command runs with --sync=1: DB_BENCH_NO_SYNC is not set");
}

std::string Contradictions() {
  const auto& [bulk, sequential, overwrite, read, mixed] = kPublished;
  const auto on_disk = [](double keys) { return keys / kAllKeys * kStoreBytes / kGB; };
  const double mixed_reads = mixed.seconds * mixed.ops_per_second;
  return "| what is said | what follows from its own numbers, or from the script of its version |\n"
         "| --- | --- |\n" +
         Contradiction(fmt::format("{:.0f} GiB of block cache", kSaidCacheBytes / (1 << 30)),
                       fmt::format("its command sets CACHE_SIZE={:.0f}, {:.0f} GiB",
                                   kCommandCacheBytes, kCommandCacheBytes / (1 << 30))) +
         LoadTime(bulk) + LoadTime(sequential) + OverwriteRows(overwrite) +
         Contradiction(
             fmt::format("{}: {:.0e} reads in {:.0f} hours, bound by I/O", read.name, read.keys,
                         read.seconds / 3600),
             fmt::format("that is {:.1f} us each, as said; but NUM_KEYS={:.0e} reads {:.3f} of the "
                         "keys, {:.0f} GB of the {:.0f} GB on disk, on a machine with {:.0f} GB",
                         read.seconds * 1e6 / read.keys, read.keys, read.keys / kAllKeys,
                         on_disk(read.keys), on_disk(kAllKeys), kMemoryBytes / kGB)) +
         Contradiction(
             fmt::format("{}: {:.0e} reads in {:.0f} minutes, {:.0f} a second", mixed.name,
                         mixed.keys, mixed.seconds / 60, mixed.ops_per_second),
             fmt::format("that time at that rate is {:.1e} reads: {:.0f} times as many, as its "
                         "{:.0f} threads each do them all",
                         mixed_reads, mixed_reads / mixed.keys, mixed.threads)) +
         Contradiction(fmt::format("{}: {:.2f} us a read", mixed.name, mixed.micros_per_op),
                       fmt::format("time over operations; a read of one of {:.0f} threads takes "
                                   "{:.0f} us",
                                   mixed.threads, mixed.threads * 1e6 / mixed.ops_per_second)) +
         Contradiction(
             fmt::format("{}: of all keys, bound by I/O", mixed.name),
             fmt::format(
                 "NUM_KEYS={:.0e} is {:.2f} % of the keys, {:.0f} GB on disk: they are read "
                 "from memory",
                 mixed.keys, mixed.keys / kAllKeys * 100, on_disk(mixed.keys))) +
         Contradiction(
             "4, 5: keys of 10 bytes, values of 800, blocks of 4 KB, no compression; 3: "
             "zlib from level 2, files of 64 MB, 20 threads",
             fmt::format("keys of {:.0f} bytes, values of {:.0f}, blocks of 8 KB, Snappy, "
                         "files of 128 MB, 16 jobs",
                         kKeyBytes, kValueBytes));
}

std::string HowItWasRun(const std::vector<Ours>& all) {
  std::string text =
      "| test | keys | operations | threads | durability | limit of memory | its peak | on disk | "
      "read from "
      "the disk | checked |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Ours& ours : all) {
    const auto& memory = ours.run->memory;
    const auto& used = ours.phase->resources;
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", Printable(ours.result->name),
        Printable(SettingOf(*ours.result, "num")), Grouped(ours.role().Operations()),
        ours.role().threads, Printable(ours.phase->durability),
        memory ? Size(memory->limit_bytes) : "uncapped", memory ? Size(memory->peak_bytes) : "-",
        Size(ours.phase->disk_bytes), used && used->io ? Size(used->io->storage_read_bytes) : "-",
        Printable(ours.phase->checked));
  }
  return text;
}

}  // namespace

StatusOr<std::string> RenderFlashPage(const std::vector<Result>& results) {
  std::vector<Ours> all;
  std::string rows;
  for (const Published& published : kPublished) {
    const StatusOr<Ours> ours = FindOurs(results, published);
    if (!ours.ok()) return ours.status();
    all.push_back(*ours);
    rows += Row(published, *ours);
  }
  const Ours& first = all.front();
  const double entry = NumberOf(*first.result, "key_size") + NumberOf(*first.result, "value_size");
  std::string page = fmt::format(
      "# The five tests of \"Performance Benchmarks\" on flash\n\n"
      "Made by `make flash`, from the results of the five jobs (`levelfield docs rocksdb_flash`): "
      "every figure of \"here\" is measured. The published ones are quoted from "
      "[RocksDB's wiki](https://github.com/facebook/rocksdb/wiki/Performance-Benchmarks) as of "
      "July "
      "2018: RocksDB 5.13.1 on an i3.8xlarge with 32 CPUs, 244 GB of memory and four NVMe drives, "
      "8e9 keys of 20 bytes with values of 400.\n\nHere: {}, {} on {}, {} keys of {:.0f} bytes "
      "with their values. **The ratio compares two machines, two sizes and two versions: it says "
      "that the commands run, and ranks nothing.**\n\n",
      Printable(first.run->label), Printable(first.result->started.substr(0, 10)),
      Printable(first.result->cpu), Grouped(Whole(NumberOf(*first.result, "num"))), entry);
  page +=
      "| test | published ops/s | published MB/s | here ops/s | here MiB/s | here us of a thread "
      "for an "
      "operation | here / published |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
      rows + "\n## How it was run here\n\n" + HowItWasRun(all) +
      "\n`read from the disk` is what the process had fetched for it while the operations ran; the "
      "limit holds the page cache too. Test 3 is run without syncs, as its text says and its "
      "command "
      "does not; test 5 has 32 times NUM_KEYS reads, which is what the original did.\n\n"
      "## Where the published page contradicts itself\n\n"
      "On the left its claims, quoted; on the right what is computed from its own constants.\n\n" +
      Contradictions();
  return page;
}

}  // namespace levelfield
