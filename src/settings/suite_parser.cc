// Reads the text of a suite.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "settings/suite.h"

namespace levelfield {
namespace {

constexpr std::string_view kEachRow = "each";

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

  // Whether the line concerns the job itself and is no flag.
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

}  // namespace

StatusOr<Suite> ParseSuite(const std::string& name, std::string_view text) {
  return Parser(name, text).Parse();
}

}  // namespace levelfield
