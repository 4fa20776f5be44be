// A suite: a published experiment as a list of jobs, in a text (suites/*.suite, compiled in;
// docs/suites.md is the grammar). A job becomes words of `levelfield run`, so that a suite decides
// nothing that the command line could not be asked for.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_SUITE_H_
#define LEVELFIELD_SETTINGS_SUITE_H_

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

// All jobs of it, as PlanJobs takes them (job_planner.h).
std::string JobsOf(const Suite& suite);

// What a preset sets; an error where the suite has none of that name.
StatusOr<SuiteVariables> PresetOf(const Suite& suite, const std::string& name);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_H_
