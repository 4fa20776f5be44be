// The command lines of the db_bench family. Each is a table: its program's name, engine, benchmark
// list, defaults, and our names for its flags. Translation gives the words of our own command line,
// so a dialect can do nothing that `levelfield run` could not be asked for.
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
#include "settings/dialects/gflags.h"

namespace levelfield {

// A flag of the original that has another name here, or other values. Identical flags need no row.
struct DialectFlag {
  std::string_view name;
  // Our flag; ".x" is the engine's own option x. Empty: the values say everything.
  std::string_view target;
  // "0=none|1=snappy|*": our names for its values. Nothing after the `=` leaves the flag out; `*`
  // takes every other value as it is, `*M` with an M behind it, and `*=` leaves every other value
  // out with a note that it changes nothing. Empty: as typed.
  std::string_view values = "";
  std::string_view bare = "";  // The meaning of `--name` alone.
  std::string_view help = "";

  constexpr bool IsSwitch() const { return !bare.empty(); }
};

// Flags that take no other value than their default, "async_io=false readahead_size=0", and why.
// One that has another value that means the same is there twice.
struct RefusedFlags {
  std::string_view why;  // Goes on behind a colon, and ends without a point.
  std::string_view flags;
};

// Benchmarks of the original that are not here, "resetstats verify", and why.
struct RefusedBenchmarks {
  std::string_view why;
  std::string_view names;
};

// Flags that change nothing without another one: with `what` it is, which is not here.
struct FlagsOfOthers {
  std::string_view what;   // "--use_blob_db" or the name of a benchmark.
  std::string_view flags;  // "blob_db_file_size=268435456": with their default values.
};

// How a program writes its lines (report/db_bench/db_bench_text.h).
enum class Lines {
  kLevelDb,  // Time of all threads over operations.
  kLmdb,     // Time that passed over operations, and operations a second.
  kRocksDb
};

// Words that follow from several flags together.
struct DerivedWords {
  std::vector<std::string> given;       // From what was typed.
  std::vector<std::string> defaults;    // The program's own.
  std::vector<std::string> notes = {};  // What a typed flag comes to, a line each.
};

struct Dialect {
  std::string_view name;     // The engine's: the name for --dialect and --engine.
  std::string_view program;  // The original's name; a link of this name speaks the dialect.
  std::string_view label;    // Stands before the version in the header.
  std::string_view benchmarks;
  std::span<const std::string_view> defaults;  // Words that come before the typed ones.
  std::span<const DialectFlag> flags;
  std::span<const RefusedFlags> refused_flags = {};
  // "num_levels use_fsync": the original's flags that are options of the engine's library, which
  // checks their values.
  std::string_view engine_flags = "";
  std::span<const FlagsOfOthers> flags_of_others = {};
  bool compresses = true;  // The header shows sizes after compression.
  // Derived from the typed flags, or why they conflict; may be null.
  StatusOr<DerivedWords> (*derive)(const std::map<std::string, std::string>& given) = nullptr;
  // The class in which the original works unless told to sync, and by which flag.
  std::string_view durability = "process";
  std::string_view durability_by = "WriteOptions::sync = false";
  bool has_exact = true;  // What the original draws is known, so --compat=exact can repeat it.
  // The original has no threads, so there is no number of operations for each.
  bool has_threads = true;
  Lines lines = Lines::kLevelDb;
  // Reads words as gflags does: also `-name` and `--noname`. An unknown flag is an option of the
  // engine, which refuses options that it lacks.
  bool gflags = false;
};

extern const Dialect kLevelDbDialect;
extern const Dialect kRocksDbDialect;
extern const Dialect kSqlite3Dialect;
extern const Dialect kTreeDbDialect;
extern const Dialect kLmdbDialect;
extern const Dialect kBerkeleyDbDialect;

std::span<const Dialect* const> Dialects();
// By name; an engine without its own dialect (memory, null) speaks LevelDB's.
const Dialect& DialectOf(std::string_view name);
// By the name of the program without its path; null: not one of the family.
const Dialect* DialectOfProgram(std::string_view argv0);

// What a flag of theirs is here, as "--compression" or "--rocksdb.max_subcompactions". Empty:
// nothing.
std::string OurFlagFor(std::string_view word);

struct Translation {
  std::vector<std::string> words;
  // The words that somebody typed, by name ("num", "rocksdb.block_size"). The others are the
  // program's defaults.
  std::set<std::string> given;
  std::vector<std::string> notes;  // What was typed and changes nothing or less, a line each.
  // What was typed and cannot be had, each with its reason. The words are without it.
  std::vector<std::string> refusals;
};

// The words of `levelfield run` that mean the same. `test_directory` is where the original would
// put its databases. Of a flag that is given twice the last counts, as in the originals. A flag
// that belongs neither to the dialect nor to us is a refusal, as are values that cannot be had. A
// usage error if the words cannot be read at all: two engines, a file of flags that is missing.
StatusOr<Translation> Translate(const Dialect& program, const std::vector<std::string>& words,
                                const std::string& test_directory, const GflagsTexts& texts);
// The same, with a usage error that names all refusals.
StatusOr<Translation> TranslateWords(const Dialect& program, const std::vector<std::string>& words,
                                     const std::string& test_directory, const GflagsTexts& texts);

// The dialect that the words ask for with --engine; else the program's.
const Dialect& DialectOfWords(const Dialect& program, const std::vector<std::string>& words);

// Which program this is, and whose command line it answers to.
std::string DialectVersion(const Dialect& dialect);

// The flags of the dialect, for people.
std::string DialectHelp(const Dialect& dialect);

// Tables of the flags that take their default value only, with the reasons.
std::string DialectRefusalsMarkdown(const Dialect& dialect);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_DIALECT_H_
