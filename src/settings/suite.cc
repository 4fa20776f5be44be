#include "settings/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"

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

// How to run it if it has presets: all of it, with one word.
std::string PresetsText(const Suite& suite) {
  std::string text = "\nPresets:\n";
  for (const auto& [name, values] : suite.presets) {
    std::string said;
    for (const auto& [variable, value] : values) {
      said += fmt::format("{}{}={}", said.empty() ? "" : " ", variable, value);
    }
    text += fmt::format("  {:21} {}\n", name, said.empty() ? "as above" : said);
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

Status Derive(SuiteVariables& variables) {
  const auto count = [&](const char* name) -> StatusOr<uint64_t> {
    const StatusOr<uint64_t> value = ParseBytes(variables[name]);
    if (value.ok()) return value;
    return Status::Usage(
        fmt::format("{}={}: {}", name, Printable(variables[name]), value.status().message()));
  };
  if (variables.contains("MB_WRITE_PER_SEC")) {
    ASSIGN_OR_RETURN(const uint64_t rate, count("MB_WRITE_PER_SEC"));
    ASSIGN_OR_RETURN(const uint64_t key, count("KEY_SIZE"));
    ASSIGN_OR_RETURN(const uint64_t value, count("VALUE_SIZE"));
    const uint64_t entry = std::max<uint64_t>(key + value, 1);
    variables["WRITES_PER_SECOND"] =
        rate == 0 ? "0" : std::to_string(std::max<uint64_t>((rate << 20) / entry, 1));
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

}  // namespace levelfield
