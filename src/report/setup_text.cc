#include "report/setup_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/variants.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string Find(const Pairs& pairs, std::string_view name) {
  const auto it = std::ranges::find(pairs, name, &Pairs::value_type::first);
  return it != pairs.end() ? it->second : "";
}

// A condition is JSON; of a text, the text. What is not told is unknown.
std::string Condition(const Result& result, std::string_view name) {
  std::string value = Find(result.conditions, name);
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  const size_t end = value.find_last_not_of(' ');  // SCSI pads its names.
  value.erase(end == std::string::npos ? 0 : end + 1);
  return value.empty() ? "unknown" : Printable(value);
}

}  // namespace

std::string DeviceWords(const Result& result) {
  std::string words = "device: " + Condition(result, "block_model");
  const std::string transport = Condition(result, "block_transport");
  if (transport != "unknown") words += " (" + transport + ")";
  const std::string file_system = Condition(result, "filesystem_type");
  return file_system == "unknown" ? words : words + ", " + file_system;
}

std::string FileSystemWords(const FileSystem& file_system) {
  return Printable(fmt::format(
      "{}{} of {} MiB, mounted {}, {}; made by `{}` ({}), on an image on {}, {}", file_system.kind,
      file_system.kind == file_system.mounted_as ? "" : " as " + file_system.mounted_as,
      file_system.bytes >> 20, file_system.mount_options,
      file_system.journal == "none" ? "without a journal" : "journal " + file_system.journal,
      file_system.mkfs, file_system.mkfs_version, file_system.image_on,
      file_system.direct_io ? "past its page cache"
                            : "through its page cache, so that nothing on it is ever cold"));
}

std::vector<std::string> FileSystemLines(const Result& result) {
  std::vector<std::pair<std::string, std::vector<std::string>>> of_words;
  for (const RunResult& run : result.runs) {
    if (!run.file_system) continue;
    const std::string words = FileSystemWords(*run.file_system);
    auto it = std::ranges::find(of_words, words, [](const auto& each) { return each.first; });
    if (it == of_words.end()) it = of_words.insert(it, {words, {}});
    const std::string name = Printable(RunName(run.engine, run.variant));
    if (std::ranges::find(it->second, name) == it->second.end()) it->second.push_back(name);
  }
  std::vector<std::string> lines;
  for (const auto& [words, runs] : of_words) {
    lines.push_back(
        fmt::format("a fresh file system for each run of {}: {}", fmt::join(runs, ", "), words));
  }
  return lines;
}

std::string StateWords(const Result& result) {
  std::vector<std::string> words;
  const std::string cache = Find(result.settings, "cache");
  if (cache == "warm") words.emplace_back("warm: the page cache is as the workload before left it");
  if (cache == "cold") words.emplace_back("cold was asked for");
  const std::string warm_up = Find(result.settings, "warmup");
  if (!warm_up.empty()) words.push_back("a warm-up of " + Printable(warm_up));
  const std::string carries = Find(result.settings, "carry_debt");
  if (carries == "0") words.emplace_back("deferred work settled after each workload that writes");
  if (carries == "1") {
    words.emplace_back(
        "deferred work is carried over: what a workload leaves to the background, the next one "
        "pays for (--carry_debt)");
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string SettingsWords(const Result& result) {
  std::vector<std::string> words;
  const std::string kind = Find(result.settings, "settings");
  if (kind == "equal") words.emplace_back("settings: equal");
  if (kind == "tuned") {
    words.emplace_back("settings: tuned, equal but for what each engine's authors recommend");
  }
  if (kind == "default") words.emplace_back("settings: default, each engine's own");
  const std::string compression = Find(result.settings, "compression");
  if (!compression.empty() || kind != "default") {
    words.push_back("compression: " + Printable(compression));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string ConfigurationWords(const RunResult& run) {
  if (run.configuration.empty()) return "";
  const bool is_one = std::ranges::all_of(run.configuration, [&](const auto& row) {
    return row.second == run.configuration.front().second;
  });
  std::vector<std::string> hashes;
  for (const auto& [durability, text] : run.configuration) {
    const std::string hash = text.starts_with("unknown: ") ? Printable(text) : TextHash(text);
    hashes.push_back(is_one ? hash : Printable(durability) + " " + hash);
    if (is_one) break;
  }
  return fmt::format("configuration {}", fmt::join(hashes, ", "));
}

std::vector<std::string> SetupWarnings(const Result& result, const std::vector<Series>& series) {
  std::vector<std::string> warnings;
  std::map<std::string, std::vector<std::string>> engines_of;
  for (const RunResult& run : result.runs) {
    if (run.allocator.empty()) continue;
    std::vector<std::string>& engines = engines_of[Printable(run.allocator)];
    const std::string engine = Printable(run.engine);
    if (std::ranges::find(engines, engine) == engines.end()) engines.push_back(engine);
  }
  if (engines_of.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [allocator, engines] : engines_of) {
      parts.push_back(fmt::format("{} under {}", allocator, fmt::join(engines, ", ")));
    }
    warnings.push_back(fmt::format(
        "warning: these engines ran with different allocators ({}), so a difference between them "
        "may be that of the allocators",
        fmt::join(parts, "; ")));
  }
  for (const Series& of_engine : series) {
    const bool is_same = std::ranges::all_of(of_engine.rounds, [&](const RunResult* round) {
      return round->configuration.empty() ||
             round->configuration == of_engine.rounds.front()->configuration;
    });
    if (is_same) continue;
    warnings.push_back(fmt::format("warning: {} was not configured alike in all rounds",
                                   Printable(of_engine.sum.engine)));
  }
  return warnings;
}

}  // namespace levelfield
