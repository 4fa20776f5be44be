#include "settings/suite.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "settings/word_list.h"

namespace levelfield {
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

StatusOr<Suite> FindSuite(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, text] : BuiltinSuites()) {
    if (known == name) return ParseSuite(name, text);
    names.emplace_back(known);
  }
  return Status::Usage(fmt::format("{} is no suite{} `levelfield suite` lists them.", Quote(name),
                                   DidYouMean(name, names, ".")));
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

std::string SuitesText() {
  std::string text;
  for (const auto& [name, content] : BuiltinSuites()) {
    const StatusOr<Suite> suite = ParseSuite(std::string(name), content);
    text += fmt::format("{:16} {}\n", name, suite.ok() ? suite->summary : suite.status().message());
  }
  return text + "\n`levelfield suite NAME` lists its jobs.\n";
}

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
