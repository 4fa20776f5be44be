#include "report/heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "result/result_json.h"
#include "settings/settings.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// A condition is JSON. A JSON text is shown without its quotes. An absent condition is unknown.
std::string Condition(const Result& result, std::string_view name) {
  std::string value = TextIn(result.conditions, name);
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  const size_t end = value.find_last_not_of(' ');  // SCSI pads its names.
  value.erase(end == std::string::npos ? 0 : end + 1);
  return value.empty() ? "unknown" : Printable(value);
}

// The size of the values that a workload reads or writes, if they are all of one; like YCSB's, some
// have a size of their own. 0: not known.
uint64_t ValueSizeOf(const PhaseResult& phase, uint64_t key_size) {
  if (phase.outcome != Outcome::kOk || phase.roles.empty()) return 0;
  for (const OperationStatistics& stats : phase.roles.front().statistics) {
    const bool is_one_value = stats.lookup == Lookup::kKey || stats.effects == kPuts;
    if (!is_one_value || stats.hits == 0 || stats.bytes % stats.hits != 0) continue;
    const uint64_t entry_bytes = stats.bytes / stats.hits;
    if (entry_bytes > key_size) return entry_bytes - key_size;
  }
  return 0;
}

// The setting, or all values that --vary gives it: "100 and 1000".
std::string ValuesOf(const Result& result, const std::string& name) {
  std::vector<std::string> values;
  for (const RunResult& run : result.runs) {
    for (const auto& [varied, value] : run.variant.settings) {
      if (varied == name) AddOnce(values, GroupedText(value));
    }
  }
  return Printable(values.empty() ? GroupedText(SettingOf(result, name)) : Listed(values));
}

// "16", or "16 to 64" where sizes vary.
std::string KeySizeWords(const Result& result) {
  const std::string size = ValuesOf(result, "key_size");
  const std::string most = SettingOf(result, "key_size_max");
  return most.empty() || most == "0" ? size : fmt::format("{} to {}", size, GroupedText(most));
}

std::string ValueSizeWords(const Result& result) {
  const std::string type = SettingOf(result, "value_size_distribution_type");
  if (type.empty() || type == "fixed") return ValuesOf(result, "value_size");
  return fmt::format("{} to {} ({})", SettingOf(result, "value_size_min"),
                     SettingOf(result, "value_size_max"), type);
}

// " (1000 in ycsb-a and ycsb-b)": the workloads whose value, which `of` reads from a phase, is not
// the setting's. Empty if there are none. `of` returns nothing for a phase that has no value.
template <class Of>
std::string OthersThan(const std::string& setting, const Result& result, Of of) {
  // By number: values of 500 bytes before those of 1000.
  const auto is_less = [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  };
  std::map<std::string, std::vector<std::string>, decltype(is_less)> others;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      const std::string own = phase.implicit ? "" : of(phase);
      if (own.empty() || own == setting) continue;
      AddOnce(others[own], Printable(phase.workload));
    }
  }
  std::vector<std::string> words;
  for (const auto& [own, workloads] : others) {
    words.push_back(fmt::format("{} in {}", Printable(own), Listed(workloads)));
  }
  return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, ", "));
}

std::string OtherValueSizes(const Result& result) {
  const std::string type = SettingOf(result, "value_size_distribution_type");
  const std::string most_key = SettingOf(result, "key_size_max");
  const StatusOr<uint64_t> key_size = ParseBytes(SettingOf(result, "key_size"));
  const StatusOr<uint64_t> prefix = ParseBytes(SettingOf(result, "key_prefix"));
  const bool is_varied =
      ValuesOf(result, "value_size") != GroupedText(SettingOf(result, "value_size"));
  const bool keys_vary = !most_key.empty() && most_key != "0";
  if (is_varied || keys_vary || !key_size.ok() || (!type.empty() && type != "fixed")) return "";
  const uint64_t key_bytes = *key_size + (prefix.ok() ? *prefix : 0);
  return OthersThan(SettingOf(result, "value_size"), result, [&](const PhaseResult& phase) {
    const uint64_t bytes = ValueSizeOf(phase, key_bytes);
    return bytes == 0 ? "" : std::to_string(bytes);
  });
}

// "1 thread (3 in readwhilewriting)": with the writers beside readers.
std::string ThreadWords(const Result& result) {
  const std::string threads = SettingOf(result, "threads");
  const std::string all_threads = ValuesOf(result, "threads");
  const std::optional<uint64_t> number = Digits(threads);
  const std::string others = OthersThan(threads, result, [&](const PhaseResult& phase) {
    uint64_t all = 0;
    for (const RoleResult& role : phase.roles) all += role.threads;
    return number && all > *number ? std::to_string(all) : "";
  });
  return fmt::format("{} thread{}{}", all_threads, all_threads == "1" ? "" : "s",
                     all_threads == GroupedText(threads) ? others : "");
}

std::string ClassWords(const Result& result) {
  const std::string durability = SettingOf(result, "durability");
  return Printable(durability) + OthersThan(durability, result, [](const PhaseResult& phase) {
           return HasWritten(phase) ? phase.durability : "";
         });
}

// Settings that stand in words in each heading, and those that do so in a whole one.
constexpr std::string_view kInWords[] = {
    "benchmarks",     "num",     "key_size", "value_size",     "value_size_distribution_type",
    "value_size_min", "threads", "memory",   "value_size_max", "slices",
    "key_size_max"};
constexpr std::string_view kInMoreWords[] = {
    "durability", "settings", "compression", "seed",       "rate", "slo",         "arrival",
    "cache",      "warmup",   "carry_debt",  "key_format", "cpus", "trace_speed", "key_prefix"};

// Flags that are not at their defaults and on which figures depend, without those that stand in
// words: "--open_files=10 --duration=5s".
std::string OtherFlags(const Result& result, bool is_whole) {
  std::string flags;
  for (const auto& [name, value] : result.settings) {
    const Flag* const flag = FindFlag(name);
    if (flag == nullptr || !flag->matters || IsDefault(*flag, value)) continue;
    const bool is_in_words = std::ranges::find(kInWords, name) != std::end(kInWords);
    const bool is_in_more = std::ranges::find(kInMoreWords, name) != std::end(kInMoreWords);
    if (is_in_words || (is_whole && is_in_more)) continue;
    flags += fmt::format("{}--{}={}{}", flags.empty() ? "" : " ", name, Printable(value),
                         flag->kind == FlagKind::kSeconds ? "s" : "");
  }
  return flags;
}

class HeadingWords {
 public:
  HeadingWords(const Result& result, const std::vector<Series>& series)
      : result_(result), series_(series) {}

  std::string OfSettings() const {
    return fmt::format(
        "{} {}keys of {} bytes{}, values of {} bytes{}, {}; durability: {}{}; seed {}{}",
        Printable(GroupedText(SettingOf(result_, "num"))), Printable(KeyFormatWord()),
        Printable(KeySizeWords(result_)), Printable(KeyPrefixWords()),
        Printable(ValueSizeWords(result_)), OtherValueSizes(result_), ThreadWords(result_),
        ClassWords(result_), AfterSemicolon(SettingsWords(result_)),
        Printable(SettingOf(result_, "seed")), AfterSemicolon(OtherFlags(result_, true)));
  }

  std::string OfTheRun() const {
    return fmt::format("{}; {}; {}{}{}{}; {}", LoopWords(), RoundsText(), MemoryWords(),
                       ProcessorWords(), CacheWords(), AfterSemicolon(StateWords(result_)),
                       DeviceWords(result_));
  }

 private:
  // Words about keys that are not plain decimal digits.
  std::string KeyFormatWord() const {
    const std::string format = SettingOf(result_, "key_format");
    return format.empty() || format == "decimal" ? "" : format + " ";
  }
  std::string KeyPrefixWords() const {
    const std::string prefix = SettingOf(result_, "key_prefix");
    return prefix.empty() || prefix == "0" ? "" : " behind " + prefix + " of a prefix";
  }

  // Whether operations wait for each other or for a schedule, and what latencies mean then.
  std::string LoopWords() const {
    const std::string rate = SettingOf(result_, "rate");
    const std::string slo = SettingOf(result_, "slo");
    const std::string arrivals = Printable(SettingOf(result_, "arrival")) + " arrivals";
    if (!slo.empty()) {
      return fmt::format("closed loop, then open loops, {}, for {}", arrivals, Printable(slo));
    }
    if (rate == "sweep") return fmt::format("closed loop, then open loops, {}", arrivals);
    if (!rate.empty()) return fmt::format("open loop, {} at {}", arrivals, OpenRate(rate));
    const std::string speed = SettingOf(result_, "trace_speed");
    if (!speed.empty() && speed != "0") {
      return fmt::format("the trace's own schedule at {}x, open loop; else closed",
                         Printable(speed));
    }
    return "service time, closed loop";
  }

  // In digits if something ran at it, otherwise as typed.
  std::string OpenRate(const std::string& typed) const {
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (phase.roles.empty() || !phase.roles[0].load) continue;
        if (!phase.roles[0].curve.empty()) return Printable(phase.roles[0].curve);
        return Grouped(phase.roles[0].rate) + "/s";
      }
    }
    return Printable(typed);
  }

  std::string RoundsText() const {
    const size_t rounds = RoundsOf(result_, series_);
    if (rounds <= 1) return "one run of each engine, which is too few to rank them";
    const bool is_in_slices = HasSlices(result_);
    const size_t least = is_in_slices ? kLeastProcessPairs : kLeastRepetitions;
    const std::string runs = fmt::format("{} runs of each engine in {}: medians", rounds,
                                         is_in_slices ? "slices, turns of milliseconds" : "turns");
    if (rounds < least) {
      return fmt::format("{}; fewer than {} are too few to rank the engines", runs, least);
    }
    return fmt::format(
        "{}, with a 95 % interval from {} runs on; latencies are those of all runs together", runs,
        kLeastRepetitions);
  }

  // Only if processors were requested. Otherwise the scheduler chooses among all.
  std::string ProcessorWords() const {
    const std::string cpus = SettingOf(result_, "cpus");
    return cpus.empty() ? "" : "; on the processors " + Printable(cpus) + " alone";
  }

  std::string MemoryWords() const {
    const std::string memory = MemoryLimitOf(result_);
    if (memory.empty()) return "memory not limited (all share the page cache)";
    return fmt::format("memory {} for each engine, its page cache included", memory);
  }

  // The largest share of its store that the page cache had when a cold workload began.
  std::string CacheWords() const {
    double most = -1;
    for (const Series& series : series_) {
      for (const RunResult* run : series.rounds) {
        for (const PhaseResult& phase : run->phases) {
          const bool is_cold = phase.outcome == Outcome::kOk && phase.page_cache &&
                               phase.page_cache->was_dropped && phase.page_cache->file_bytes != 0;
          if (!is_cold) continue;
          most = std::max(most, static_cast<double>(phase.page_cache->cached_bytes) /
                                    static_cast<double>(phase.page_cache->file_bytes));
        }
      }
    }
    if (most < 0) return "";
    return fmt::format("; workloads that read began cold: {:.1f} % of a store cached at most",
                       most * 100);
  }

  const Result& result_;
  const std::vector<Series>& series_;
};

}  // namespace

std::string ConditionsLine(const Result& result) {
  const std::string num = SettingOf(result, "num");
  if (num.empty()) return "";
  const std::string memory = MemoryLimitOf(result);
  const std::string flags = OtherFlags(result, false);
  return fmt::format(
      "{} keys of {} bytes, values of {}{}; {}; {}{}", ValuesOf(result, "num"),
      Printable(KeySizeWords(result)), Printable(ValueSizeWords(result)), OtherValueSizes(result),
      ThreadWords(result),
      memory.empty() ? "memory not limited" : "memory of each engine limited to " + memory,
      AfterSemicolon(flags));
}

std::string MachineWords(const Result& result) {
  return fmt::format("{}, kernel {}", result.cpu, result.kernel);
}

std::string MemoryLimitOf(const Result& result) {
  const std::string memory = SettingOf(result, "memory");
  if (memory == "0") return "";
  const bool is_bytes =
      memory.size() <= 18 && memory.find_first_not_of("0123456789") == std::string::npos;
  return is_bytes && !memory.empty() ? TypedBytes(std::stoull(memory)) : Printable(memory);
}

std::string DeviceWords(const Result& result) {
  std::string words = "device: " + Condition(result, "block_model");
  const std::string transport = Condition(result, "block_transport");
  if (!IsUnknown(transport)) words += " (" + transport + ")";
  const std::string file_system = Condition(result, "filesystem_type");
  return IsUnknown(file_system) ? words : words + ", " + file_system;
}

std::string FileSystemWords(const FileSystem& file_system) {
  return Printable(fmt::format(
      "{}{} of {} MiB, mounted {}, {}; made by `{}` ({}), on an image on {}, {}", file_system.kind,
      file_system.kind == file_system.mounted_as ? "" : " as " + file_system.mounted_as,
      file_system.bytes >> 20, file_system.mount_options,
      file_system.journal == "none" ? "without a journal" : "journal " + file_system.journal,
      file_system.mkfs, file_system.mkfs_version, file_system.image_on,
      file_system.direct_io ? "past its page cache"
                            : "through its page cache, so nothing on it is ever cold"));
}

std::vector<std::string> FileSystemLines(const Result& result) {
  std::vector<std::pair<std::string, std::vector<std::string>>> of_words;
  for (const RunResult& run : result.runs) {
    if (!run.file_system) continue;
    const std::string words = FileSystemWords(*run.file_system);
    auto it = std::ranges::find(of_words, words, [](const auto& each) { return each.first; });
    if (it == of_words.end()) it = of_words.insert(it, {words, {}});
    AddOnce(it->second, Printable(RunName(run.engine, run.variant)));
  }
  std::vector<std::string> lines;
  for (const auto& [words, runs] : of_words) {
    lines.push_back(
        fmt::format("a fresh file system for each run of {}: {}", fmt::join(runs, ", "), words));
  }
  return lines;
}

bool HasActs(const Result& result) {
  return std::ranges::any_of(result.runs, [](const RunResult& run) {
    return std::ranges::any_of(run.phases,
                               [](const PhaseResult& phase) { return phase.act.has_value(); });
  });
}

std::string StateWords(const Result& result) {
  std::vector<std::string> words;
  const std::string cache = SettingOf(result, "cache");
  if (cache == "warm")
    words.emplace_back("warm: the page cache is as the previous workload left it");
  if (cache == "cold") words.emplace_back("cold was asked for");
  const std::string warm_up = SettingOf(result, "warmup");
  if (!warm_up.empty()) words.push_back("a warm-up of " + Printable(warm_up));
  const std::string carries = SettingOf(result, "carry_debt");
  if (carries == "0") {
    words.push_back(std::string("deferred work settled after each workload that writes") +
                    (HasActs(result) ? ", of acts behind the last" : ""));
  }
  if (carries == "1") {
    words.emplace_back(
        "deferred work is carried over: the next workload pays for a workload's background work "
        "(--carry_debt)");
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string SettingsWords(const Result& result) {
  std::vector<std::string> words;
  const std::string kind = SettingOf(result, "settings");
  if (kind == "equal") words.emplace_back("settings: equal");
  if (kind == "checked") words.emplace_back("settings: checked, equal with all checksums compared");
  if (kind == "best") {
    words.emplace_back("settings: best, each engine with the fastest of its alternatives");
  }
  if (kind == "tuned") {
    words.emplace_back("settings: tuned, equal but for what each engine's authors recommend");
  }
  if (kind == "default") words.emplace_back("settings: default, each engine's own");
  const std::string compression = SettingOf(result, "compression");
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
    const std::string hash = IsUnknown(text) ? Printable(text) : TextHash(text);
    hashes.push_back(is_one ? hash : Printable(durability) + " " + hash);
    if (is_one) break;
  }
  return fmt::format("configuration {}", fmt::join(hashes, ", "));
}

void AddHeading(const Result& sums, const std::vector<Series>& series, Report& report) {
  const HeadingWords words(sums, series);
  report.Add(Heading{Printable(sums.name), Printable(sums.started)});
  report.Add(Paragraph{words.OfSettings()});
  report.Add(Paragraph{words.OfTheRun()});
  for (const std::string& warning : sums.warnings) report.AddNote("warning: " + Printable(warning));
}

void AddBanner(const Result& result, Report& report) {
  for (const std::string& line : BannerLines(result)) report.Add(Paragraph{line});
}

std::vector<std::string> BannerLines(const Result& result) {
  std::vector<std::string> lines;
  if (IsCutOff(result)) lines.push_back("*** " + Printable(CutOffWords(result)) + " ***");
  if (result.lacks_details) {
    lines.push_back(fmt::format(
        "*** {} is missing: no percentiles, processor time or disturbances are known ***",
        kDetailsFile));
  }
  if (const std::string mixed = MixedLevels(result); !mixed.empty()) {
    lines.push_back("*** DIFFERENT PROMISES, NOT TO BE COMPARED: " + Printable(mixed) + " ***");
  }
  if (AnyPhase(result, IsVolatile)) {
    lines.emplace_back("*** VOLATILE: written to where nothing survives a power cut ***");
  }
  return lines;
}

std::string BannerText(const Result& result) {
  std::string text;
  for (const std::string& line : BannerLines(result)) text += line + "\n";
  return text;
}

std::string AfterSemicolon(const std::string& words) { return words.empty() ? "" : "; " + words; }

}  // namespace levelfield
