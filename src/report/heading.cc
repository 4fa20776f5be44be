#include "report/heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/durability.h"
#include "base/quote.h"
#include "report/number.h"
#include "report/setup_text.h"
#include "result/completion.h"
#include "result/run_settings.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

class HeadingWords {
 public:
  HeadingWords(const Result& result, const std::vector<Series>& series)
      : result_(result), series_(series) {}

  std::string OfSettings() const {
    return fmt::format(
        "{} {}keys of {} bytes{}, values of {} bytes, {} thread{}; durability: {}{}; seed {}",
        Printable(GroupedText(SettingOf(result_, "num"))), Printable(KeyFormatWord()),
        Printable(SettingOf(result_, "key_size")), Printable(KeyPrefixWords()),
        Printable(ValueSizeWords()), Printable(SettingOf(result_, "threads")),
        SettingOf(result_, "threads") == "1" ? "" : "s",
        Printable(SettingOf(result_, "durability")), AfterSemicolon(SettingsWords(result_)),
        Printable(SettingOf(result_, "seed")));
  }

  std::string OfTheRun() const {
    return fmt::format("{}; {}; {}{}{}{}; {}", LoopWords(), RoundsText(), MemoryWords(),
                       ProcessorWords(), CacheWords(), AfterSemicolon(StateWords(result_)),
                       DeviceWords(result_));
  }

 private:
  // What is said of keys that are not plain decimal digits.
  std::string KeyFormatWord() const {
    const std::string format = SettingOf(result_, "key_format");
    return format.empty() || format == "decimal" ? "" : format + " ";
  }
  std::string KeyPrefixWords() const {
    const std::string prefix = SettingOf(result_, "key_prefix");
    return prefix.empty() || prefix == "0" ? "" : " behind " + prefix + " of a prefix";
  }

  // Whether operations wait for each other, or for the time; and so what latencies are.
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
    const std::string threads = SettingOf(result_, "threads");
    if (threads.empty()) return "service time, closed loop";
    return fmt::format("service time, closed loop, {} thread{}", Printable(threads),
                       threads == "1" ? "" : "s");
  }

  // In digits, where something ran at it; else as it was typed.
  std::string OpenRate(const std::string& typed) const {
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (!phase.roles.empty() && phase.roles[0].load) return Grouped(phase.roles[0].rate) + "/s";
      }
    }
    return Printable(typed);
  }

  size_t Rounds() const {
    if (IsCutOff(result_) && result_.completion->rounds > 0) return result_.completion->rounds;
    size_t rounds = 0;
    for (const Series& series : series_) rounds = std::max(rounds, series.rounds.size());
    return rounds;
  }

  std::string RoundsText() const {
    const size_t rounds = Rounds();
    if (rounds <= 1) return "one run of each engine: indicative, ranks nothing";
    if (rounds < kLeastRepetitions) {
      return fmt::format(
          "{} runs of each engine in turns: medians; fewer than {} are indicative and rank nothing",
          rounds, kLeastRepetitions);
    }
    return fmt::format(
        "{} runs of each engine in turns: medians, with the interval that holds the median with 95 "
        "%; "
        "latencies are those of all runs together",
        rounds);
  }

  // Only where it was asked for: else the scheduler chooses among all.
  std::string ProcessorWords() const {
    const std::string cpus = SettingOf(result_, "cpus");
    return cpus.empty() ? "" : "; on the processors " + Printable(cpus) + " alone";
  }

  std::string MemoryWords() const {
    const std::string memory = SettingOf(result_, "memory");
    if (memory.empty() || memory == "0") {
      return "memory uncapped (the page cache is everybody's)";
    }
    const bool is_bytes =
        memory.size() <= 18 && memory.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format("memory {} for each engine, its page cache included",
                       is_bytes ? BytesAsTyped(std::stoull(memory)) : Printable(memory));
  }

  // How much of its store the page cache had at most when a workload that was to be cold began.
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

  // 256M, as it is typed; a size that is no whole number of units in bytes.
  static std::string BytesAsTyped(uint64_t bytes) {
    constexpr std::pair<int, char> kUnits[] = {{40, 'T'}, {30, 'G'}, {20, 'M'}, {10, 'k'}};
    for (const auto& [shift, unit] : kUnits) {
      if (bytes % (uint64_t{1} << shift) == 0) return fmt::format("{}{}", bytes >> shift, unit);
    }
    return std::to_string(bytes);
  }

  std::string ValueSizeWords() const {
    const std::string type = SettingOf(result_, "value_size_distribution_type");
    if (type.empty() || type == "fixed") return SettingOf(result_, "value_size");
    return fmt::format("{} to {} ({})", SettingOf(result_, "value_size_min"),
                       SettingOf(result_, "value_size_max"), type);
  }

  static std::string GroupedText(const std::string& digits) {
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      return digits;
    }
    return Grouped(std::stoull(digits));
  }

  const Result& result_;
  const std::vector<Series>& series_;
};

}  // namespace

void AddHeading(const Result& sums, const std::vector<Series>& series, Report& report) {
  const HeadingWords words(sums, series);
  report.Add(Heading{Printable(sums.name), Printable(sums.started)});
  report.Add(Paragraph{words.OfSettings()});
  report.Add(Paragraph{words.OfTheRun()});
  for (const std::string& warning : sums.warnings) report.AddNote("warning: " + Printable(warning));
}

void AddBanner(const Result& result, Report& report) {
  for (const std::string& line : BannerLines(result)) report.AddLine(line);
}

std::vector<std::string> BannerLines(const Result& result) {
  std::vector<std::string> lines;
  if (IsCutOff(result)) lines.push_back("*** " + Printable(CutOffWords(result)) + " ***");
  if (const std::string mixed = MixedLevels(result); !mixed.empty()) {
    lines.push_back("*** DIFFERENT PROMISES, NOT TO BE COMPARED: " + Printable(mixed) + " ***");
  }
  const bool is_volatile = std::ranges::any_of(result.runs, [](const RunResult& run) {
    return std::ranges::any_of(run.phases, IsVolatile);
  });
  if (is_volatile) {
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
