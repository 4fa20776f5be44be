#include "plan/jobs.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "plan/vary.h"

namespace levelfield {
namespace {

// The flags that were given, but for those of `plan` alone and those that a job has its own of.
std::vector<std::string> GivenWords(const Settings& settings) {
  std::vector<std::string> words;
  for (const Flag& flag : Flags()) {
    const bool is_own = flag.only_these || flag.name == "vary" || flag.name == "host";
    if (is_own || !settings.IsGiven(flag.name)) continue;
    words.push_back(fmt::format("--{}={}", flag.name, TextOf(flag, settings)));
  }
  for (const auto& [engine, options] : settings.engine_options) {
    for (const auto& [name, value] : options) {
      words.push_back(fmt::format("--{}.{}={}", engine, name, value));
    }
  }
  return words;
}

}  // namespace

StatusOr<std::string> JobLines(const std::string& program, const Settings& settings) {
  ASSIGN_OR_RETURN(const std::vector<VariedSettings> jobs, Vary(settings));
  std::string lines;
  for (const VariedSettings& job : jobs) {
    // A flag that is a list itself has one of its values; --vary has one of each of the others, so
    // that a result tells what varies.
    std::string varied;
    for (const std::string& word : Split(job.variant.name, ' ')) {
      const std::string name = word.substr(0, word.find('='));
      const Flag* const flag = FindFlag(name);
      if (flag != nullptr && flag->is_list) continue;
      if (word.find(',') != word.npos) {
        return Status::Usage(
            fmt::format("--jobs with --vary={}: a value with a comma cannot be the only one of a "
                        "job; vary it in one run, without --jobs",
                        Printable(word)));
      }
      varied += (varied.empty() ? "" : " ") + word;
    }
    // What Vary sets besides lists is set again by the job's --vary.
    Settings given = settings;
    for (const Flag& flag : Flags()) {
      if (!flag.is_list || !settings.IsGiven(flag.name)) continue;
      (void)SetFlag(std::string(flag.name), TextOf(flag, job.settings), given);
    }
    std::vector<std::string> words = GivenWords(given);
    if (!varied.empty()) words.push_back("--vary=" + varied);
    lines += ShellWord(program) + " run" + (words.empty() ? "" : " " + ShellLine(words));
    lines += settings.host.empty() ? " --host=\"$(uname -n)\"\n"
                                   : fmt::format(" --host={}\n", ShellWord(settings.host));
  }
  return lines;
}

}  // namespace levelfield
