#include "settings/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>

#include "base/engine_name.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr std::string_view kEachRow = "each";

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (std::string part = Trimmed(text.substr(0, end)); !part.empty()) {
      parts.push_back(std::move(part));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

// Line by line; the first mistake is kept with its line.
class Parser {
 public:
  Parser(const std::string& name, std::string_view text) : text_(text) { suite_.name = name; }

  StatusOr<Suite> Parse() {
    std::istringstream lines{std::string(text_)};
    for (std::string line; error_.empty() && std::getline(lines, line);) {
      ++line_;
      line = Trimmed(line);
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '[') {
        OpenSection(line);
      } else {
        TakeLine(line);
      }
    }
    if (error_.empty()) CheckJobs();
    if (!error_.empty()) return Status::Usage(error_);
    return std::move(suite_);
  }

 private:
  void Fail(const std::string& why) {
    if (error_.empty()) error_ = fmt::format("{}.suite, line {}: {}", suite_.name, line_, why);
  }

  void OpenSection(const std::string& line) {
    section_ = nullptr;
    variables_ = nullptr;
    preset_ = nullptr;
    job_ = nullptr;
    const std::string title = line.ends_with(']') ? Trimmed(line.substr(1, line.size() - 2)) : "";
    const std::string name = Trimmed(title.substr(std::min(title.find(' '), title.size())));
    if (title == "variables") {
      variables_ = &suite_.variables;
    } else if (title == "refused") {
      variables_ = &suite_.refused;
    } else if (title == "flags") {
      section_ = &suite_.common;
    } else if (title.starts_with("preset ") && !suite_.presets.contains(name)) {
      preset_ = &suite_.presets[name];
    } else if (title.starts_with("group ") && !suite_.groups.contains(name)) {
      section_ = &suite_.groups[name];
    } else if (title.starts_with("job ") &&
               std::ranges::find(suite_.jobs, name, &SuiteJob::name) == suite_.jobs.end()) {
      job_ = &suite_.jobs.emplace_back();
      job_->name = name;
      section_ = &job_->section;
    } else {
      Fail(
          fmt::format("{}: a new [variables], [refused], [flags], [preset NAME], [group NAME] or "
                      "[job NAME] is accepted",
                      Printable(line)));
    }
  }

  void TakeLine(const std::string& line) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) return Fail("a line is `name = value`");
    const bool unless_zero = line[equals - 1] == '?';
    const std::string name = Trimmed(line.substr(0, equals - (unless_zero ? 1 : 0)));
    const std::string value = Trimmed(line.substr(equals + 1));
    if (variables_ != nullptr) {
      const size_t bar = value.find('|');
      if (bar == std::string::npos) return Fail("a variable is `NAME = value | what it is`");
      variables_->push_back({name, Trimmed(value.substr(0, bar)), Trimmed(value.substr(bar + 1))});
    } else if (preset_ != nullptr) {
      if (!IsVariable(name)) return Fail(name + " is no variable");
      (*preset_)[name] = value;
    } else if (section_ == nullptr) {
      TakeHead(name, value);
    } else if (name == "also") {
      section_->also = Split(value, ',');
    } else if (job_ == nullptr || !TakeJobsOwn(name, value)) {
      section_->flags.push_back({name, value, unless_zero});
    }
  }

  void TakeHead(const std::string& name, const std::string& value) {
    if (name == "engine") {
      suite_.engines = Split(value, ',');
      return;
    }
    std::string* const field = name == "summary"  ? &suite_.summary
                               : name == "source" ? &suite_.source
                                                  : nullptr;
    if (field == nullptr) return Fail(name + ": summary, source or engine is accepted here");
    *field = value;
  }

  // Whether it says something of the job itself, and is no flag.
  bool TakeJobsOwn(const std::string& name, const std::string& value) {
    if (name == "summary") {
      job_->summary = value;
    } else if (name == "store") {
      if (value != "fresh" && value != "new" && value != "existing") {
        Fail("store: fresh, new or existing is accepted");
      }
      job_->store = value == "fresh"      ? SuiteStore::kFresh
                    : value == "existing" ? SuiteStore::kExisting
                                          : SuiteStore::kNew;
    } else if (name == "workloads") {
      job_->workloads = Split(value, ' ');
    } else if (name == "row") {
      job_->row = value;
    } else if (name == "test") {
      job_->test = value;
    } else if (name == "left_out") {
      job_->left_out = Split(value, ' ');
    } else if (name == "only") {
      const size_t bar = value.find('|');
      job_->only = Trimmed(value.substr(0, bar));
      if (bar == std::string::npos ||
          std::ranges::find(suite_.engines, job_->only) == suite_.engines.end()) {
        Fail("only: `only = <an engine of the suite> | why` is accepted");
      } else {
        job_->only_why = Trimmed(value.substr(bar + 1));
      }
    } else if (name.starts_with("set ")) {
      job_->sets.push_back({Trimmed(name.substr(4)), value, ""});
    } else if (name.starts_with("each ")) {
      job_->each = {Trimmed(name.substr(5)), value, ""};
    } else {
      return false;
    }
    return true;
  }

  bool IsVariable(const std::string& name) const {
    return std::ranges::find(suite_.variables, name, &SuiteVariable::name) !=
           suite_.variables.end();
  }

  void CheckJobs() {
    for (SuiteJob& job : suite_.jobs) {
      const std::string of = "job " + job.name + ": ";
      if (job.row.empty() && !job.workloads.empty()) job.row = job.workloads.front();
      const auto& names = job.workloads;
      if (job.row == kEachRow) {
        job.row.clear();
      } else if (!names.empty() && std::ranges::find(names, job.row) == names.end()) {
        Fail(of + "its row is none of its workloads");
      }
      if (names.empty() && job.sets.empty()) Fail(of + "it has no workloads and sets nothing");
      for (const SuiteVariable& set : job.sets) {
        if (!IsVariable(set.name)) Fail(of + set.name + " is no variable");
      }
      if (!job.each.name.empty() && !IsVariable(job.each.name)) {
        Fail(of + job.each.name + " is no variable");
      }
    }
  }

  std::string_view text_;
  Suite suite_;
  size_t line_ = 0;
  std::string error_;
  std::vector<SuiteVariable>* variables_ = nullptr;
  SuiteVariables* preset_ = nullptr;
  SuiteSection* section_ = nullptr;
  SuiteJob* job_ = nullptr;
};

// `text` with what `$NAME` and `${NAME}` stand for.
StatusOr<std::string> Expanded(const std::string& text,
                               const std::function<const std::string*(const std::string&)>& find) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      result += text[i++];
      continue;
    }
    const bool braced = text.substr(i + 1).starts_with('{');
    const size_t begin = i + (braced ? 2 : 1);
    size_t end = begin;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    const std::string* const value = find(text.substr(begin, end - begin));
    if (value == nullptr || (braced && (end == text.size() || text[end] != '}'))) {
      return Status::Usage(fmt::format("{}: there is no variable of this name", text.substr(i)));
    }
    result += *value;
    i = end + (braced ? 1 : 0);
  }
  return result;
}

// Whether a variable in it is 0.
bool HasZero(const std::string& text, const SuiteVariables& variables) {
  bool has_zero = false;
  (void)Expanded(text, [&](const std::string& name) -> const std::string* {
    const auto it = variables.find(name);
    if (it == variables.end()) return nullptr;
    has_zero = has_zero || it->second == "0" || it->second.empty();
    return &it->second;
  });
  return has_zero;
}

// What follows from other variables.
Status Derive(SuiteVariables& variables) {
  const auto count = [&](const char* name) -> StatusOr<uint64_t> {
    const StatusOr<uint64_t> value = ParseBytes(variables[name]);
    if (value.ok()) return value;
    return Status::Usage(
        fmt::format("{}={}: {}", name, Printable(variables[name]), value.status().message()));
  };
  if (variables.contains("MB_WRITE_PER_SEC")) {
    const auto rate = count("MB_WRITE_PER_SEC");
    const auto key = count("KEY_SIZE");
    const auto value = count("VALUE_SIZE");
    for (const auto& each : {rate, key, value}) {
      if (!each.ok()) return each.status();
    }
    const uint64_t entry = std::max<uint64_t>(*key + *value, 1);
    variables["WRITES_PER_SECOND"] =
        *rate == 0 ? "0" : std::to_string(std::max<uint64_t>((*rate << 20) / entry, 1));
  }
  if (variables.contains("DB_BENCH_NO_SYNC")) {
    const std::string& no_sync = variables["DB_BENCH_NO_SYNC"];
    const bool is_synced = no_sync.empty() || no_sync == "0";
    variables["SYNC"] = is_synced ? "1" : "0";
    variables["DURABILITY"] = is_synced ? "synced" : "process";
  }
  if (variables.contains("BLOB_COMPRESSION_TYPE")) {
    const std::string& name = variables["BLOB_COMPRESSION_TYPE"];
    constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
        {"none", "kNoCompression"}, {"snappy", "kSnappyCompression"}, {"zlib", "kZlibCompression"},
        {"lz4", "kLZ4Compression"}, {"lz4hc", "kLZ4HCCompression"},   {"zstd", "kZSTD"}};
    const auto it = std::ranges::find(kClasses, name, [](const auto& pair) { return pair.first; });
    if (it == std::end(kClasses)) {
      return Status::Usage(fmt::format(
          "BLOB_COMPRESSION_TYPE={}: none, snappy, zlib, lz4, lz4hc or zstd is accepted",
          Printable(name)));
    }
    variables["BLOB_COMPRESSION_CLASS"] = it->second;
  }
  return Status::Ok();
}

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
    if (const Status status = Derive(variables_); !status.ok()) return status;
    FindEngines();
    Add("benchmarks", Joined(job_.workloads));
    Add("engine", job_.only.empty() ? Joined(suite_.engines) : job_.only);
    Add("name", job_.name);
    if (job_.store != SuiteStore::kFresh) {
      Add("keep", "1");
      Add("use_existing_db", job_.store == SuiteStore::kExisting ? "1" : "0");
    }
    if (const Status status = AddSection(suite_.common); !status.ok()) return status;
    if (const Status status = AddSection(job_.section); !status.ok()) return status;
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
    const StatusOr<std::string> test =
        Expanded(job_.test, [&](const std::string& name) -> const std::string* {
          const auto variable = variables_.find(name);
          if (variable != variables_.end()) return &variable->second;
          const auto flag = of_words.find(name);
          return flag == of_words.end() ? nullptr : &flag->second;
        });
    if (!test.ok()) return test.status();
    run.test = test->empty() ? job_.name : *test;
    return run;
  }

 private:
  // Which engines run, from the words; and which flags they give.
  void FindEngines() {
    std::string engines = job_.only.empty() ? Joined(suite_.engines) : job_.only;
    size_t written_at = words_.size();
    for (size_t i = 0; i < words_.size(); ++i) {
      if (!words_[i].starts_with("--")) continue;
      const size_t equals = words_[i].find('=');
      const std::string value = equals != std::string::npos ? words_[i].substr(equals + 1)
                                : i + 1 < words_.size() && !words_[i + 1].starts_with("--")
                                    ? words_[i + 1]
                                    : "1";
      given_[NameOfWord(words_[i])] = value;
      if (NameOfWord(words_[i]) != "engine") continue;
      engines = value;
      written_at = i;
    }
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
      const StatusOr<std::string> name = Value(written);
      if (!name.ok()) return name.status();
      const auto group = suite_.groups.find(*name);
      if (group == suite_.groups.end()) {
        return Status::Usage(fmt::format("{}={}: it is none of the suite's groups of options",
                                         written.substr(written.find('$') == 0 ? 1 : 0),
                                         Printable(*name)));
      }
      if (const Status status = AddSection(group->second); !status.ok()) return status;
    }
    for (const SuiteFlag& flag : section.flags) {
      if (flag.unless_zero && HasZero(flag.value, variables_)) continue;
      std::string name = flag.name;
      // What is said for runs with other engines, and options of the suite's own engine.
      if (name.starts_with("other.")) {
        if (!has_others_) continue;
        name = name.substr(6);
      } else if (const size_t dot = name.find('.');
                 dot != std::string::npos && !has_all_ && !running_.contains(name.substr(0, dot))) {
        continue;
      }
      const StatusOr<std::string> value = Value(flag.value);
      if (!value.ok()) return value.status();
      Add(name, *value);
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
  std::set<std::string> running_;  // Names of engines, without their versions.
  bool has_all_ = false;           // `all` is among them.
  bool has_own_ = false;
  bool has_others_ = false;
  static constexpr int kMostSections = 256;
  int sections_ = 0;  // Added so far.
};

}  // namespace

StatusOr<Suite> ParseSuite(const std::string& name, std::string_view text) {
  return Parser(name, text).Parse();
}

StatusOr<Suite> FindSuite(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, text] : BuiltinSuites()) {
    if (known == name) return ParseSuite(name, text);
    names.emplace_back(known);
  }
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("{} is no suite{} `levelfield suite` lists them.", Quote(name),
                  nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest)));
}

std::string JobsOf(const Suite& suite) {
  std::vector<std::string> names;
  for (const SuiteJob& job : suite.jobs) names.push_back(job.name);
  return Joined(names);
}

StatusOr<SuiteVariables> PresetOf(const Suite& suite, const std::string& name) {
  const auto preset = suite.presets.find(name);
  if (preset != suite.presets.end()) return preset->second;
  std::string names;
  for (const auto& [known, values] : suite.presets) names += (names.empty() ? "" : ", ") + known;
  return Status::Usage(fmt::format("--preset={}: {} has {}", Printable(name), suite.name,
                                   names.empty() ? "no presets" : names));
}

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
      const std::string nearest = NearestName(name, names);
      return Status::Usage(fmt::format(
          "{} is no job of {}{} `levelfield suite {}` lists them.", Quote(name), suite.name,
          nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest), suite.name));
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
      StatusOr<JobRun> run = JobPlanner(suite, *job, of_job, words).Plan();
      if (!run.ok()) return run.status();
      runs.push_back(std::move(*run));
    }
  }
  if (runs.empty()) {
    return Status::Usage(fmt::format("which job? `levelfield suite {}` lists them", suite.name));
  }
  return runs;
}

std::vector<std::pair<std::string, std::string>> MisspeltVariables(
    const Suite& suite, const std::vector<std::string>& known,
    const std::vector<std::string>& environment) {
  std::vector<std::string> names = known;
  for (const SuiteVariable& variable : suite.variables) names.push_back(variable.name);
  for (const SuiteVariable& variable : suite.refused) names.push_back(variable.name);
  std::vector<std::pair<std::string, std::string>> misspelt;
  for (const std::string& name : environment) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string nearest = NearestName(upper, names);
    // Stricter than elsewhere: an environment is full of names that were meant for others.
    const size_t allowed = std::max<size_t>(1, nearest.size() / 5);
    if (!nearest.empty() && EditDistance(upper, nearest) <= allowed) {
      misspelt.emplace_back(name, nearest);
    }
  }
  return misspelt;
}

std::string SuitesText() {
  std::string text;
  for (const auto& [name, content] : BuiltinSuites()) {
    const StatusOr<Suite> suite = ParseSuite(std::string(name), content);
    text += fmt::format("{:16} {}\n", name, suite.ok() ? suite->summary : suite.status().message());
  }
  return text + "\n`levelfield suite NAME` lists its jobs.\n";
}

namespace {

std::string_view NameOf(SuiteStore store) {
  switch (store) {
    case SuiteStore::kFresh:
      return "fresh";
    case SuiteStore::kNew:
      return "new";
    case SuiteStore::kExisting:
      return "existing";
  }
  return "";
}

// How it is run, where it has presets: all of it, with one word.
std::string PresetsText(const Suite& suite) {
  std::string text = "\nPresets:\n";
  for (const auto& [name, values] : suite.presets) {
    std::string said;
    for (const auto& [variable, value] : values) {
      said += fmt::format("{}{}={}", said.empty() ? "" : " ", variable, value);
    }
    text += fmt::format("  {:21} {}\n", name, said.empty() ? "as published" : said);
  }
  return text + fmt::format("\n  levelfield suite {} --preset={}\n", suite.name,
                            suite.presets.rbegin()->first);
}

}  // namespace

std::string SuiteText(const Suite& suite) {
  std::string text = fmt::format("{}: {}\n{}\n\nJobs:\n", suite.name, suite.summary, suite.source);
  for (const SuiteJob& job : suite.jobs) {
    text += fmt::format("  {:21} {}\n", job.name, job.summary);
    if (job.workloads.empty()) continue;
    text += fmt::format("  {:21}   {} store: {}\n", "", NameOf(job.store), Joined(job.workloads));
    for (const std::string& name : job.left_out) {
      text += fmt::format("  {:21}   without the original's {}\n", "", name);
    }
    if (!job.only_why.empty()) {
      text += fmt::format("  {:21}   {} only: {}\n", "", job.only, job.only_why);
    }
  }
  text += suite.presets.empty()
              ? "\nVariables of `levelfield benchmark.sh`, from its environment:\n"
              : "\nVariables:\n";
  for (const SuiteVariable& variable : suite.variables) {
    text += fmt::format("  {}={}\n        {}\n", variable.name, variable.value, variable.meaning);
  }
  text += suite.presets.empty()
              ? fmt::format("\n  levelfield suite {} --job=bulkload,readrandom --db=DIR --num=1M\n",
                            suite.name)
              : PresetsText(suite);
  return text + "\nEvery flag of `levelfield run` can be added, and wins over the suite's.\n";
}

}  // namespace levelfield
