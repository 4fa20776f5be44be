// Turns the jobs of a suite into runs: words for `levelfield run`.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "settings/suite.h"

namespace levelfield {
namespace {

std::string NameOfWord(const std::string& word) {
  return word.substr(2, word.find('=') == std::string::npos ? word.npos : word.find('=') - 2);
}

// A job with its variables' values, as words.
class JobPlanner {
 public:
  JobPlanner(const Suite& suite, const SuiteJob& job, SuiteVariables variables,
             std::vector<std::string> words)
      : suite_(suite), job_(job), variables_(std::move(variables)), words_(std::move(words)) {}

  StatusOr<JobRun> Plan() {
    RETURN_IF_ERROR(Derive(variables_));
    FindEngines();
    Add("benchmarks", Joined(job_.workloads));
    Add("engine", job_.only.empty() ? Joined(suite_.engines) : job_.only);
    Add("name", job_.name);
    if (job_.store != SuiteStore::kFresh) {
      Add("keep", "1");
      Add("use_existing_db", job_.store == SuiteStore::kExisting ? "1" : "0");
    }
    RETURN_IF_ERROR(AddSection(suite_.common));
    RETURN_IF_ERROR(AddSection(job_.section));
    JobRun run{.job = job_.name,
               .test = "",
               .row = job_.row,
               .words = {},
               .left_out = job_.left_out,
               .without = without_,
               .without_why = without_.empty() ? "" : job_.only_why,
               .has_engines = has_own_ || without_.empty(),
               .is_kept = job_.store != SuiteStore::kFresh};
    std::map<std::string, std::string> of_words;
    for (const auto& [name, value] : flags_) {
      of_words[name] = value;
      if (!given_.contains(name)) run.words.push_back(fmt::format("--{}={}", name, value));
    }
    run.words.insert(run.words.end(), words_.begin(), words_.end());
    for (const auto& [name, value] : given_) of_words[name] = value;
    ASSIGN_OR_RETURN(const std::string test,
                     Expanded(job_.test, [&](const std::string& name) -> const std::string* {
                       const auto variable = variables_.find(name);
                       if (variable != variables_.end()) return &variable->second;
                       const auto flag = of_words.find(name);
                       return flag == of_words.end() ? nullptr : &flag->second;
                     }));
    run.test = test.empty() ? job_.name : test;
    return run;
  }

 private:
  // Finds the flags in the words. Returns the place of --engine, or the number of words.
  size_t TakeGiven() {
    size_t engine_at = words_.size();
    for (size_t i = 0; i < words_.size(); ++i) {
      if (!words_[i].starts_with("--")) continue;
      const size_t equals = words_[i].find('=');
      const std::string value = equals != std::string::npos ? words_[i].substr(equals + 1)
                                : i + 1 < words_.size() && !words_[i + 1].starts_with("--")
                                    ? words_[i + 1]
                                    : "1";
      given_[NameOfWord(words_[i])] = value;
      if (NameOfWord(words_[i]) == "engine") engine_at = i;
    }
    return engine_at;
  }

  // Finds the engines in the words.
  void FindEngines() {
    const size_t written_at = TakeGiven();
    const std::string engines = written_at != words_.size() ? given_["engine"]
                                : job_.only.empty()         ? Joined(suite_.engines)
                                                            : job_.only;
    std::string own;
    for (const std::string& engine : Split(engines, ',')) {
      const std::string name = EngineName(engine);
      const bool is_own = job_.only.empty()
                              ? std::ranges::find(suite_.engines, name) != suite_.engines.end()
                              : name == job_.only;
      const bool is_all = engine == "all";
      has_own_ = has_own_ || is_own || is_all;
      has_all_ = has_all_ || is_all;
      running_.insert(name);
      if (is_own || is_all) own += (own.empty() ? "" : ",") + (is_all ? job_.only : engine);
      if (is_own) continue;
      if (job_.only_why.empty()) {
        has_others_ = true;
      } else {
        without_.push_back(is_all ? "all others" : engine);
      }
    }
    if (without_.empty() || own.empty()) return;
    if (words_[written_at].find('=') == std::string::npos) {
      words_.erase(words_.begin() + static_cast<ptrdiff_t>(written_at) + 1);
    }
    words_[written_at] = "--engine=" + own;
    given_["engine"] = own;
  }

  void Add(const std::string& name, const std::string& value) {
    const auto it = std::ranges::find(flags_, name, &std::pair<std::string, std::string>::first);
    if (it != flags_.end()) {
      it->second = value;
    } else {
      flags_.emplace_back(name, value);
    }
  }

  Status AddSection(const SuiteSection& section) {
    if (++sections_ > kMostSections) {
      return Status::Usage(fmt::format(
          "job {}: its groups of options take in each other without end", Printable(job_.name)));
    }
    for (const std::string& written : section.also) {
      ASSIGN_OR_RETURN(const std::string name, Value(written));
      const auto group = suite_.groups.find(name);
      if (group == suite_.groups.end()) {
        return Status::Usage(fmt::format("{}={}: it is none of the suite's groups of options",
                                         written.substr(written.find('$') == 0 ? 1 : 0),
                                         Printable(name)));
      }
      RETURN_IF_ERROR(AddSection(group->second));
    }
    for (const SuiteFlag& flag : section.flags) {
      if (flag.unless_zero && HasZero(flag.value, variables_)) continue;
      std::string name = flag.name;
      // Words for runs with other engines, and options of the suite's own engine.
      if (name.starts_with("other.")) {
        if (!has_others_) continue;
        name = name.substr(6);
      } else if (const size_t dot = name.find('.');
                 dot != std::string::npos && !has_all_ && !running_.contains(name.substr(0, dot))) {
        continue;
      }
      ASSIGN_OR_RETURN(const std::string value, Value(flag.value));
      Add(name, value);
    }
    return Status::Ok();
  }

  StatusOr<std::string> Value(const std::string& text) const {
    return Expanded(text, [&](const std::string& name) -> const std::string* {
      const auto it = variables_.find(name);
      return it == variables_.end() ? nullptr : &it->second;
    });
  }

  const Suite& suite_;
  const SuiteJob& job_;
  SuiteVariables variables_;
  std::vector<std::string> words_;
  std::vector<std::string> without_;
  std::map<std::string, std::string> given_;
  std::vector<std::pair<std::string, std::string>> flags_;
  std::set<std::string> running_;  // Names of engines without versions.
  bool has_all_ = false;           // `all` is one of them.
  bool has_own_ = false;
  bool has_others_ = false;
  static constexpr int kMostSections = 256;
  int sections_ = 0;  // Added so far.
};

}  // namespace

StatusOr<std::vector<JobRun>> PlanJobs(const Suite& suite, const std::string& jobs,
                                       const SuiteVariables& values,
                                       const std::vector<std::string>& words) {
  SuiteVariables variables;
  for (const SuiteVariable& variable : suite.variables) variables[variable.name] = variable.value;
  for (const auto& [name, value] : values) variables[name] = value;
  std::vector<std::string> names;
  for (const SuiteJob& job : suite.jobs) names.push_back(job.name);
  std::vector<JobRun> runs;
  for (const std::string& name : Split(jobs, ',')) {
    const auto job = std::ranges::find(suite.jobs, name, &SuiteJob::name);
    if (job == suite.jobs.end()) {
      return Status::Usage(fmt::format("{} is no job of {}{} `levelfield suite {}` lists them.",
                                       Quote(name), suite.name, DidYouMean(name, names, "."),
                                       suite.name));
    }
    SuiteVariables of_job = variables;
    for (const SuiteVariable& set : job->sets) of_job[set.name] = set.value;
    if (job->workloads.empty()) {
      variables = std::move(of_job);
      continue;
    }
    std::vector<std::string> each = Split(job->each.value, ' ');
    if (each.empty()) each.emplace_back();
    for (const std::string& value : each) {
      if (!job->each.name.empty()) of_job[job->each.name] = value;
      ASSIGN_OR_RETURN(JobRun run, JobPlanner(suite, *job, of_job, words).Plan());
      runs.push_back(std::move(run));
    }
  }
  if (runs.empty()) {
    return Status::Usage(fmt::format("which job? `levelfield suite {}` lists them", suite.name));
  }
  return runs;
}

}  // namespace levelfield
