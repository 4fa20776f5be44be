// A suite: a published experiment as a list of jobs, in a text (suites/*.suite, compiled in;
// docs/reference/suites.md is the grammar). A job becomes words of `levelfield run`, so a suite can
// do nothing that the command line could not be asked for. Its variables get their values, typed
// flags win over the suite's, and options reach their engines.
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
  std::string value;  // The default; for a refused one, the accepted values, separated by blanks.
  std::string meaning;
};

// `name = value` of a section; `$NAME` in it is a variable.
struct SuiteFlag {
  std::string name;
  std::string value;
  bool unless_zero = false;  // `?=`: left out if its variables are 0.
};

struct SuiteSection {
  std::vector<std::string> also;  // Groups whose flags come first.
  std::vector<SuiteFlag> flags;
};

// What a job works on.
enum class SuiteStore {
  kFresh,     // Its own stores, which are removed afterwards: it can have several rounds.
  kNew,       // A new one, which is kept for the jobs after it.
  kExisting,  // The one that a job before it left.
};

struct SuiteJob {
  std::string name;
  std::string summary;
  SuiteStore store = SuiteStore::kNew;
  std::vector<std::string> workloads;  // None: it only sets variables for the jobs after it.
  std::string row;                     // The workload behind the report's row; "": each.
  std::string test;                    // The name of the row; "": the job's.
  std::vector<std::string> left_out;   // Workloads of the original that are not run here.
  std::string only;                    // The only engine of the suite that does it; "": all do.
  std::string only_why;                // Why no other engine does.
  std::vector<SuiteVariable> sets;  // Values for this job; without workloads, for those after it.
  SuiteVariable each;               // It runs once with each of these values.
  SuiteSection section;
};

struct Suite {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<std::string> engines;  // The engines of the publication.
  std::vector<SuiteVariable> variables;
  std::vector<SuiteVariable> refused;
  std::map<std::string, SuiteVariables> presets;  // Values other than the defaults, by name.
  SuiteSection common;
  std::map<std::string, SuiteSection> groups;
  std::vector<SuiteJob> jobs;
};

// The compiled-in suites: (name, text), by name.
std::span<const std::pair<std::string_view, std::string_view>> BuiltinSuites();
StatusOr<Suite> FindSuite(const std::string& name);

// The first mistake in a text is an error that names its line.
StatusOr<Suite> ParseSuite(const std::string& name, std::string_view text);

// The values of a preset; an error if the suite has none of that name.
StatusOr<SuiteVariables> PresetOf(const Suite& suite, const std::string& name);

// Adds the variables that follow from others.
Status Derive(SuiteVariables& variables);

// `text` with the values of `$NAME` and `${NAME}`; `find` gives null for an unknown name.
StatusOr<std::string> Expanded(const std::string& text,
                               const std::function<const std::string*(const std::string&)>& find);

// Whether a variable in it is 0.
bool HasZero(const std::string& text, const SuiteVariables& variables);

// Environment names that are probably misspelt variables: (name, variable). `known` are names that
// mean something beside the suite's own.
std::vector<std::pair<std::string, std::string>> MisspeltVariables(
    const Suite& suite, const std::vector<std::string>& known,
    const std::vector<std::string>& environment);

// One run of a job, as words for `levelfield run`.
struct JobRun {
  std::string job;
  std::string test;
  std::string row;
  std::vector<std::string> words;
  std::vector<std::string> left_out;
  // Engines that were asked for but cannot do the job, so the words lack them; and why.
  std::vector<std::string> without = {};
  std::string without_why = {};
  bool has_engines = true;  // False: no engine is left, and there is nothing to run.
  bool is_kept = true;      // Other jobs use its store, which has its own directory.
};

// All of its jobs, in PlanJobs' form.
std::string JobsOf(const Suite& suite);

// The runs of `jobs` ("bulkload,readrandom"), in order. `values` are variables with other values
// than their defaults; `words` are flags of `levelfield run`, which win over the suite's.
StatusOr<std::vector<JobRun>> PlanJobs(const Suite& suite, const std::string& jobs,
                                       const SuiteVariables& values,
                                       const std::vector<std::string>& words);

// To choose from: which suites there are, and what is in one.
std::string SuitesText();
std::string SuiteText(const Suite& suite);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_H_
