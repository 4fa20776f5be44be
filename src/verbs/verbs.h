// The verbs of the program, a file each, and the programs that it succeeds. verbs.cc has the one
// list of them: dispatch, help, completion, the man page and docs loop over it.
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
#include "settings/dialects/gflags.h"
#include "settings/settings.h"

namespace levelfield {

struct Result;

using Words = std::vector<std::string>;

// A verb's output, or why it failed. With both, the output that it could still make.
struct Answer {
  Answer() = default;
  Answer(std::string its_text, int its_exit_code = 0)  // NOLINT(google-explicit-constructor)
      : text(std::move(its_text)), exit_code(its_exit_code) {}
  Answer(Status why) : status(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  Answer(StatusOr<std::string> words)             // NOLINT(google-explicit-constructor)
      : text(words.ok() ? std::move(*words) : ""), status(words.status()) {}

  std::string text;
  Status status = Status::Ok();
  int exit_code = 0;  // If the status is ok.
};

// Takes `--name=value` or `--name value` out of the words and returns the value, or `otherwise` if
// the flag is not there. kUsage: it is there twice, or without a value.
StatusOr<std::string> TakeFlag(std::string_view name, std::string_view otherwise, Words& words);

// The environment variable of that name, or `otherwise` if it is not set, or empty.
std::string EnvironmentOr(const char* name, const std::string& otherwise);

// Files and the environment of this process, for words that are read as gflags does.
GflagsTexts TextsHere();

// The command line as typed, for the record.
std::string Typed(std::string_view program, const Words& words);

// `names` are those by which the program was called (base/program_path.h). The programs that it
// succeeds (db_bench, cache_bench, ...) have command lines of their own, which a link to one of
// them has, too. By any other name it is itself.
Answer AnswerTo(const std::vector<std::string>& names, const Words& words);

// Runs the role of a child process if the words name one, and returns its exit code. This program
// starts itself so for each engine. Nothing if a person has typed the words.
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
  std::string_view synopsis;     // The rest of its command line: "[FLAGS] RESULT...".
  std::string_view words = "";   // Its possible words, in the form of a flag's choices.
  bool takes_all_flags = false;  // Otherwise only flags whose rows name it.
  const OwnFlags* own = nullptr;
  std::string_view defaults = "";  // Its own: "repeat=10,name=noise".
  std::string_view refuses = "";   // Flags that it does not take after all, separated by commas,
  std::string_view why = "";       // and why.
};
std::span<const Verb> Verbs();
const Verb& VerbNamed(std::string_view name);

// Whether the flag's row names the verb.
bool IsFlagOf(std::string_view verb, const Flag& flag);
// An error if a flag or an engine's option was given that the verb does not take.
Status CheckFlagsOf(std::string_view verb, const Settings& settings);
// The settings where no flag is given.
Settings DefaultsOf(const Verb& verb);
// The settings of a verb's command line. kUsage: a word is no flag of the verb, or no value of one.
StatusOr<Settings> ParseSettingsOf(std::string_view verb, const Words& words);
// The flags of a verb, in the order of the table.
std::vector<const Flag*> FlagsOf(const Verb& verb);

Answer RunVerb(const Words& words);
Answer PlanVerb(const Words& words);
Answer ReportVerb(const Words& words);
// Exit codes of comparisons are for scripts: 0 nothing is slower, 1 something is (or, with
// --fail-on=unresolved, is unresolved), 3 something is invalid.
Answer CompareVerb(const Words& words);
// Writes the result that it makes of several.
Answer MergeVerb(const Words& words);
Answer NoiseVerb(const Words& words);
// Exit code 1 if a benchmark has become slower lately.
Answer HistoryVerb(const Words& words);
Answer DiagnoseVerb(const Words& words);
Answer ChooseVerb(const Words& words);
Answer EnginesVerb(const Words& words);
// `new engine NAME`: writes a directory with an engine that builds from the kit.
Answer NewVerb(const Words& words);
Answer WorkloadsVerb(const Words& words);
// With --preset, runs all jobs of a suite and makes the page that compares them with published
// figures.
Answer SuiteVerb(const Words& words);
// Like RocksDB's script of this name: jobs, then flags. The environment has everything else.
Answer BenchmarkShVerb(const Words& words);
// Exit code of `verify store`: 0 it is sound, 1 damage was found, 3 it could not be checked.
Answer VerifyVerb(const Words& words);
Answer TraceVerb(const Words& words);
// Like YCSB's client: its words, files of properties and lines.
Answer YcsbVerb(const Words& words);
Answer DocsVerb(const Words& words);
Answer CompletionVerb(const Words& words);
// For a verb: its most used flags by group, or with the further word `all` all of them. For a flag:
// its help. For `flags`: all flags. For any other word: everything that mentions it. Without a
// word: the verbs and the most used flags.
Answer HelpVerb(const Words& words);

// LevelDB's program c_test: conformance, for LevelDB if no engine is named.
Answer CTest(const Words& words);
// db_bench, db_bench_sqlite3, ...: translates their words into ours, and prints each benchmark's
// line when it ends.
Answer RunDbBench(const Dialect& program, const Words& words);
// RocksDB's cache_bench, which measures caches alone.
Answer RunCacheBench(const Words& words);

// The name of its results.
inline constexpr std::string_view kCacheBenchName = "cache_bench";

// For `report` and `docs` on directories that other verbs have written.
Answer ReportCacheBench(const Result& result, const std::string& directory);
bool HasDurability(const std::string& directory);
Answer ReportDurability(const std::string& directory);
Answer DurabilityPage(const Words& directories);
Answer FairnessPage(const Words& files);
std::string SettingsToMeasure();  // For benchmarks/settings_effects.py.
// A suite's results beside the published ones. Exit code 1 if a result is missing.
Answer PublishedPageOf(const std::string& suite, const Words& directories);
Words DocsPages();      // The names of all pages.
std::string ManPage();  // In roff.

// The verb `verify durability`: kills and power cuts at random instants, and a check of the store
// afterwards.
Answer VerifyDurability(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERBS_H_
