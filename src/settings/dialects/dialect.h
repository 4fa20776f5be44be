// The command lines of the db_bench family, each a table: its program's name, engine, benchmark
// list, defaults, and what its flags are called here. Translating gives the words of our own
// command line, so that a dialect decides nothing that `levelfield run` could not be asked for.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_DIALECT_H_
#define LEVELFIELD_SETTINGS_DIALECTS_DIALECT_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// A flag of the original that is called otherwise here, or takes other values. Flags that are the
// same need no row.
struct DialectFlag {
  std::string_view name;
  // Our flag; ".x" is the engine's own option x. Empty: the values say all there is to it.
  std::string_view target;
  // "0=none|1=snappy|*": what its values are called here; nothing behind the `=` leaves the flag
  // out, `*` takes every other value as it is. Empty: as typed.
  std::string_view values = "";
  std::string_view bare = "";  // What `--name` alone means.
  std::string_view help = "";
};

// How a program writes its lines (report/db_bench/db_bench_text.h).
enum class Lines {
  kLevelDb,  // Time of all threads over operations.
  kLmdb,     // Time that passed over operations, and operations a second.
  kRocksDb
};

// Words that follow from several flags together.
struct DerivedWords {
  std::vector<std::string> given;     // What was typed says so.
  std::vector<std::string> defaults;  // The program would have it so.
};

struct Dialect {
  std::string_view name;     // The engine's: what --dialect and --engine call it.
  std::string_view program;  // The original's name; a link of this name speaks the dialect.
  std::string_view label;    // In front of the version in the header.
  std::string_view benchmarks;
  std::span<const std::string_view> defaults;  // Words, before those that are typed.
  std::span<const DialectFlag> flags;
  bool compresses = true;  // The header tells sizes after compression.
  // From the flags that were typed, or why they do not go together; may be null.
  StatusOr<DerivedWords> (*derive)(const std::map<std::string, std::string>& given) = nullptr;
  // The class that the original works in where it is not told to sync, and by what.
  std::string_view durability = "process";
  std::string_view durability_by = "WriteOptions::sync = false";
  // The original has no threads, so that there is no number of operations of each.
  bool has_threads = true;
  Lines lines = Lines::kLevelDb;
  // Words are taken as gflags takes them: `-name` as well, and `--noname`; and what is no flag here
  // is an option of the engine, which refuses those that it does not have.
  bool gflags = false;
};

extern const Dialect kLevelDbDialect;
extern const Dialect kRocksDbDialect;
extern const Dialect kSqlite3Dialect;
extern const Dialect kTreeDbDialect;
extern const Dialect kLmdbDialect;
extern const Dialect kBerkeleyDbDialect;

std::span<const Dialect* const> Dialects();
// By name; an engine that has no dialect of its own (memory, null) speaks LevelDB's.
const Dialect& DialectOf(std::string_view name);
// By the name of the program, its path left out; null: it is none of the family.
const Dialect* DialectOfProgram(std::string_view argv0);

struct Translation {
  std::vector<std::string> words;
  // Those of the words that somebody has typed, by their names ("num", "rocksdb.block_size"). The
  // others are the program's defaults.
  std::set<std::string> given;
};

// The words of `levelfield run` that say the same. `test_directory` is where the original would put
// its databases. A usage error where a flag is not the dialect's, nor ours.
StatusOr<Translation> TranslateWords(const Dialect& program, const std::vector<std::string>& words,
                                     const std::string& test_directory);

// The dialect that the words ask for with --engine; that of the program where they do not.
const Dialect& DialectOfWords(const Dialect& program, const std::vector<std::string>& words);

// The flags of the dialect, for people.
std::string DialectHelp(const Dialect& dialect);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_DIALECT_H_
