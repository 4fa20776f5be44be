// db_bench_sqlite3: LevelDB's port of it to SQLite, and that of the LMDB benchmarks.
#include <cstdint>

#include "base/text.h"
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

constexpr std::string_view kSqlite3Defaults[] = {
    "--sqlite3.journal_mode=wal", "--sqlite3.wal_autocheckpoint=4096", "--sqlite3.rowids=0",
    "--compression=none"};

constexpr DialectFlag kSqlite3Flags[] = {
    {"WAL_enabled", ".journal_mode", "0=delete|1=wal", "1", "1: a write-ahead log."},
    {"use_rowids", ".rowids", "", "1", "1: an ordinary table; 0: one WITHOUT ROWID."},
    {"page_size", "block_size", "", "", "Bytes of a page; 1024 if it is not given."},
    {"num_pages", "", "*", "", "Pages of the cache, 4096 if it is not given."},
    {"no_transaction", "batch", "0=|1=1", "1", "The batches' writes are committed one by one."},
};

// SQLite's own since 3.12.
constexpr uint64_t kEnginesPageBytes = 4096;

// The cache is a number of pages. The original never sent its default page size, so its 4 MB were
// 16, as they are with --compat=exact. Like the original, it takes the exclusive lock if there is
// only one thread.
StatusOr<DerivedWords> DeriveSqlite3(const std::map<std::string, std::string>& given) {
  const auto number = [&](const std::string& name, uint64_t otherwise) {
    const auto it = given.find(name);
    return it == given.end() ? otherwise : Digits(it->second).value_or(otherwise);
  };
  DerivedWords words;
  const bool is_exact = given.contains("compat") && given.at("compat") == "exact";
  const uint64_t page_bytes = number("page_size", is_exact ? kEnginesPageBytes : 1024);
  if (!given.contains("page_size") && !given.contains("block_size") && !is_exact) {
    words.defaults.push_back("--block_size=" + std::to_string(page_bytes));
  }
  if (!given.contains("cache_size")) {
    words.defaults.push_back("--cache_size=" +
                             std::to_string(number("num_pages", 4096) * page_bytes));
  }
  if (number("threads", 1) == 1) {
    words.defaults.emplace_back("--sqlite3.locking_mode=exclusive");
  }
  return words;
}

}  // namespace

constexpr Dialect kSqlite3Dialect = {
    .name = "sqlite3",
    .program = "db_bench_sqlite3",
    .label = "SQLite",
    .benchmarks =
        "fillseq,fillseqsync,fillseqbatch,fillrandom,fillrandsync,fillrandbatch,overwrite,"
        "overwritebatch,readrandom,readseq,fillrand100K,fillseq100K,readseq,readrand100K",
    .defaults = kSqlite3Defaults,
    .flags = kSqlite3Flags,
    .compresses = false,
    .derive = DeriveSqlite3,
    .durability_by = "a write-ahead log, synchronous=OFF",
    .has_threads = false,
};

}  // namespace levelfield
