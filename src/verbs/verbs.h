// The verbs of the program, a file each, and the programs that it succeeds. verbs.cc has the one
// list of them: dispatch, help, completion, the man page and docs are loops over it.
#ifndef LEVELFIELD_VERBS_VERBS_H_
#define LEVELFIELD_VERBS_VERBS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "settings/dialects/dialect.h"
#include "settings/settings.h"

namespace levelfield {

struct Result;

using Words = std::vector<std::string>;

// What a verb prints, or why it failed; where both are there, what it could print nevertheless.
struct Answer {
  Answer() = default;
  Answer(std::string its_text, int its_exit_code = 0)  // NOLINT(google-explicit-constructor)
      : text(std::move(its_text)), exit_code(its_exit_code) {}
  Answer(Status why) : status(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  Answer(StatusOr<std::string> words)             // NOLINT(google-explicit-constructor)
      : text(words.ok() ? std::move(*words) : ""), status(words.status()) {}

  std::string text;
  Status status = Status::Ok();
  int exit_code = 0;  // Where the status is ok.
};

// The command line as it was typed, for the record.
std::string Typed(std::string_view program, const Words& words);

// `program` is the name that the program was called by: those of the programs that it succeeds
// (db_bench, cache_bench, ...) have command lines of their own; by any other name it is itself.
Answer AnswerTo(const std::string& program, const Words& words);

// An engine lives in a process of its own, in which this program starts itself: the exit code of
// that child; nothing where a person has typed these words.
std::optional<int> RunAsChild(const Words& words);

// Flags that only one word of a verb takes, or that have another meaning there.
struct OwnFlag {
  std::string_view name;
  std::string_view value;  // Where it is not given.
  std::string_view help;
  std::string_view accepted = "";  // The names of which it lists some; `all` is all of them.
};
struct OwnFlags {
  std::string_view word;
  std::span<const OwnFlag> flags;
};
extern const OwnFlags kFlagsOfDurability;

struct Verb {
  std::string_view name;
  std::string_view summary;
  Answer (*run)(const Words&);
  std::string_view synopsis;     // What stands behind it: "[FLAGS] RESULT...".
  std::string_view words = "";   // What its words may be, as the choices of a flag are written.
  bool takes_all_flags = false;  // Else those whose rows name it.
  const OwnFlags* own = nullptr;
};
std::span<const Verb> Verbs();

// Whether the flag's row names the verb.
bool IsFlagOf(std::string_view verb, const Flag& flag);
// The flags that mean something to a verb, in the order of the table.
std::vector<const Flag*> FlagsOf(const Verb& verb);

Answer RunVerb(const Words& words);
Answer PlanVerb(const Words& words);
Answer ReportVerb(const Words& words);
// Exit codes of comparisons are for scripts: 0 nothing is slower, 1 something is, or with
// --fail-on=unresolved cannot be told, 3 something is invalid.
Answer CompareVerb(const Words& words);
Answer NoiseVerb(const Words& words);
// Exit code 1 where a benchmark has become slower lately.
Answer HistoryVerb(const Words& words);
Answer DiagnoseVerb(const Words& words);
Answer ChooseVerb(const Words& words);
Answer EnginesVerb(const Words& words);
Answer WorkloadsVerb(const Words& words);
// With --preset all jobs of a suite, and the page of what was published beside what they came to.
Answer SuiteVerb(const Words& words);
// As RocksDB's script of this name: jobs, then flags; everything else from the environment.
Answer BenchmarkShVerb(const Words& words);
// Exit code of `verify store`: 0 it is sound, 1 damage was found, 3 it could not be checked.
Answer VerifyVerb(const Words& words);
Answer TraceVerb(const Words& words);
Answer DocsVerb(const Words& words);
Answer CompletionVerb(const Words& words);
// Of a verb, the flags most used by group, with the further word `all` all of them; of a flag, what
// it does; of `flags`, all of them; of any other word, what speaks of it; of none, the verbs and
// the flags most used.
Answer HelpVerb(const Words& words);

// LevelDB's program c_test: conformance, of LevelDB where no engine is named.
Answer CTest(const Words& words);
// db_bench, db_bench_sqlite3, ...: words are translated into ours, and each benchmark's line is
// printed when it ends.
Answer RunDbBench(const Dialect& program, const Words& words);
// RocksDB's cache_bench, which measures caches alone.
Answer RunCacheBench(const Words& words);

// The name of its results.
inline constexpr std::string_view kCacheBenchName = "cache_bench";

// What `report` and `docs` tell of directories that other verbs have left.
Answer ReportCacheBench(const Result& result, const std::string& directory);
bool HasDurability(const std::string& directory);
Answer ReportDurability(const std::string& directory);
Answer DurabilityPage(const Words& directories);
// What a suite's jobs came to beside what was published. Exit code 1 where a result is missing.
Answer PublishedPageOf(const std::string& suite, const Words& directories);
Words DocsPages();      // The names of all pages.
std::string ManPage();  // As roff.

// Behind `verify durability`: kills and power cuts at random instants, and what is left.
Answer VerifyDurability(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERBS_H_
