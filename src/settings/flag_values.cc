#include "settings/flag_values.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace levelfield {
namespace {

constexpr std::string_view kDistributions = "uniform,zipf,ycsb-zipf,latest,hotspot,exponential";

constexpr std::pair<std::string_view, std::string_view> kValues[] = {
    {"engine", "all,<engines>"},
    {"against", "<engines>"},
    {"baseline", "<engines>"},
    {"benchmarks", "<workloads>"},
    {"compat", "exact"},
    {"dialect", "leveldb,rocksdb,sqlite3,treedb,lmdb,berkeleydb"},
    {"value_size_distribution_type", "fixed,uniform,normal"},
    {"key_format", "decimal,hex,integer,rocksdb"},
    {"expire_style", "none,delete"},
    {"rate", "sweep"},
    {"arrival", "poisson,constant"},
    {"key_distribution", kDistributions},
    {"ycsb_requests", kDistributions},
    {"ycsb_key_order", "hashed,ordered"},
    {"trace", "<files>"},
    {"durability", "none,process,synced"},
    {"settings", "equal,default"},
    {"compression", "none,prefix,snappy,zlib,lzo,lzma,lz4,lz4hc,zstd"},
    {"db", "<directories>"},
    {"space_guard", "refuse,stop,off"},
    {"backup_dir", "<directories>"},
    {"restore_dir", "<directories>"},
    {"results", "<directories>"},
    {"noise", "<directories>"},
    {"clock", "tsc,monotonic"},
    {"cache", "warm,cold"},
    {"report_file", "<files>"},
    {"format", "<formats>"},
    {"to", "<files>"},
};

constexpr std::string_view kSeveral[] = {"engine", "benchmarks"};

}  // namespace

std::string_view ValuesOf(std::string_view flag) {
  const auto* const it =
      std::ranges::find(kValues, flag, [](const auto& row) { return row.first; });
  return it == std::end(kValues) ? "" : it->second;
}

bool TakesSeveral(std::string_view flag) {
  return std::ranges::find(kSeveral, flag) != std::end(kSeveral);
}

}  // namespace levelfield
