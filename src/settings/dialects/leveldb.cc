// LevelDB's own db_bench, and flags that people's notes mention although it never had them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
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
    {"open_files", "", "0=|*", "", "0: the engine's own. LevelDB keeps 74 to 50000 open."},
    {"max_file_size", ".max_file_size", "0=|*", "", "0: the engine's own."},
    {"reuse_logs", ".reuse_logs", "", "1", "Goes on in the log and manifest found at open."},
    {"comparisons", ".comparisons", "", "1", "Counts the comparisons of keys."},
};

// LevelDB clips the number when it opens a store (SanitizeOptions). Its plug-in refuses what would
// be clipped, since several engines may be given the same number.
StatusOr<DerivedWords> DeriveLevelDb(const std::map<std::string, std::string>& given) {
  constexpr uint64_t kLeastFiles = 64 + 10;
  constexpr uint64_t kMostFiles = 50'000;
  DerivedWords words;
  const auto typed = given.find("open_files");
  if (typed == given.end()) return words;
  const StatusOr<uint64_t> files = ParseCount(typed->second);
  if (!files.ok()) {
    return Status::Usage(
        fmt::format("--open_files={}: {}", Printable(typed->second), files.status().message()));
  }
  if (*files == 0) return words;
  const auto engine = given.find("engine");
  const bool is_leveldb = engine == given.end() || EngineName(engine->second) == "leveldb";
  const uint64_t kept = is_leveldb ? std::clamp(*files, kLeastFiles, kMostFiles) : *files;
  words.given.push_back(fmt::format("--max_open_files={}", kept));
  if (kept != *files) {
    words.notes.push_back(fmt::format("--open_files={}: LevelDB makes it {}", *files, kept));
  }
  return words;
}

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
    .derive = DeriveLevelDb,
};

}  // namespace levelfield
