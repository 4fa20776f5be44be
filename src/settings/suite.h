// A suite: a published experiment as a list of jobs, in a text (suites/*.suite, compiled in;
// docs/reference/suites.md is the grammar). A job becomes words of `levelfield run`, so that a suite decides
// nothing that the command line could not be asked for: its variables get their values, flags that
// were given win over the suite's, and options reach the engines that they are of.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_SUITE_H_
#define LEVELFIELD_SETTINGS_SUITE_H_

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

using SuiteVariables = std::map<std::string, std::string>;

struct SuiteVariable {
  std::string name;
  std::string value;  // The default; of a refused one, the values that are taken, by blanks.
  std::string meaning;
};

// `name = value` of a section; `$NAME` in it is a variable.
struct SuiteFlag {
  std::string name;
  std::string value;
  bool unless_zero = false;  // `?=`: left out where its variables are 0.
};

struct SuiteSection {
  std::vector<std::string> also;  // Groups whose flags come first.
  std::vector<SuiteFlag> flags;
};

// What a job works on.
enum class SuiteStore {
  kFresh,     // Stores of its own, which are gone behind it: it can have several rounds.
  kNew,       // A new one, which is kept for the jobs behind it.
  kExisting,  // The one that a job before it has left.
};

struct SuiteJob {
  std::string name;
  std::string summary;
  SuiteStore store = SuiteStore::kNew;
  std::vector<std::string> workloads;  // None: it only sets variables for the jobs behind it.
  std::string row;                     // The workload that the row of the report is of; "": each.
  std::string test;                    // What the row is called; "": as the job.
  std::vector<std::string> left_out;   // Workloads of the original that are not run here.
  std::string only;                    // The one of the suite's engines that does it; "": all.
  std::string only_why;                // Why no other one does.
  std::vector<SuiteVariable> sets;     // Values for this job; without workloads, for those behind.
  SuiteVariable each;                  // It runs once with each of these values.
  SuiteSection section;
};

struct Suite {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<std::string> engines;  // That it was published for.
  std::vector<SuiteVariable> variables;
  std::vector<SuiteVariable> refused;
  std::map<std::string, SuiteVariables> presets;  // Other values than the defaults, by name.
  SuiteSection common;
  std::map<std::string, SuiteSection> groups;
  std::vector<SuiteJob> jobs;
};

// Those that are compiled in: (name, text), by name.
std::span<const std::pair<std::string_view, std::string_view>> BuiltinSuites();
StatusOr<Suite> FindSuite(const std::string& name);

// The first mistake in a text is an error that names its line.
StatusOr<Suite> ParseSuite(const std::string& name, std::string_view text);

// What a preset sets; an error where the suite has none of that name.
StatusOr<SuiteVariables> PresetOf(const Suite& suite, const std::string& name);

// Adds the variables that follow from others.
Status Derive(SuiteVariables& variables);

// `text` with what `$NAME` and `${NAME}` stand for; `find` gives null for what it does not know.
StatusOr<std::string> Expanded(const std::string& text,
                               const std::function<const std::string*(const std::string&)>& find);

// Whether a variable in it is 0.
bool HasZero(const std::string& text, const SuiteVariables& variables);

// Names of the environment that are probably meant for a variable, and are none: (name, variable).
// `known` are names that mean something beside the suite's own.
std::vector<std::pair<std::string, std::string>> MisspeltVariables(
    const Suite& suite, const std::vector<std::string>& known,
    const std::vector<std::string>& environment);

// One run of a job, in words behind `levelfield run`.
struct JobRun {
  std::string job;
  std::string test;
  std::string row;
  std::vector<std::string> words;
  std::vector<std::string> left_out;
  // Engines that were asked for and are not in the words, as they cannot do the job, and why.
  std::vector<std::string> without = {};
  std::string without_why = {};
  bool has_engines = true;  // False: none is left, and there is nothing to run.
  bool is_kept = true;      // Other jobs use its store, which is in a directory of its own.
};

// All jobs of it, as PlanJobs takes them.
std::string JobsOf(const Suite& suite);

// The runs of `jobs` ("bulkload,readrandom"), in order. `values` are variables with other values
// than their defaults; `words` are flags of `levelfield run`, which win over the suite's.
StatusOr<std::vector<JobRun>> PlanJobs(const Suite& suite, const std::string& jobs,
                                       const SuiteVariables& values,
                                       const std::vector<std::string>& words);

// For those who choose one: which suites there are, and what is in one.
std::string SuitesText();
std::string SuiteText(const Suite& suite);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_H_
