#include "settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/quote.h"
#include "base/text.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

constexpr std::string_view kWhat = "What runs";
constexpr std::string_view kLoad = "The load";
constexpr std::string_view kField = "The level field: what every engine gets alike";
constexpr std::string_view kFileSystems = "File systems made for a run";
constexpr std::string_view kMeasuring = "Measuring and keeping";

constexpr std::string_view kDistributions = "uniform,zipf,ycsb-zipf,latest,hotspot,exponential";

// A text that is joined at compile time.
struct JoinedText {
  consteval void operator+=(std::string_view more) {
    for (const char letter : more) letters[size++] = letter;
  }
  constexpr std::string_view View() const { return {letters.data(), size}; }

  std::array<char, 2048> letters = {};
  size_t size = 0;
};
consteval JoinedText FormatNames() {
  JoinedText names;
  for (const ReportFormat& format : kReportFormats) {
    if (names.size != 0) names += ",";
    names += format.name;
  }
  return names;
}
consteval JoinedText FormatWords() {
  JoinedText words;
  words += "The form of the output:";
  for (const ReportFormat& format : kReportFormats) {
    words += &format == &kReportFormats[0] ? " `" : ", `";
    words += format.name;
    words += "`";
    words += format.is;
  }
  words += ". `compare` and `history` have";
  for (const ReportFormat& format : kReportFormats) {
    if (format.report == nullptr) continue;
    words += &format == &kReportFormats[0] ? " `" : ", `";
    words += format.name;
    words += "`";
  }
  words += "; `history` has `html`, too. A `plan` is a `table`, or `json`.";
  return words;
}
constexpr JoinedText kFormatNames = FormatNames();
constexpr JoinedText kFormatWords = FormatWords();

// Conditions that several rows of `refused` share.
bool IsExact(const Settings& s) { return s.compat == "exact"; }
bool IsOpenLoop(const Settings& s) { return !s.rate.empty() || !s.slo.empty(); }
bool IsOnMadeFileSystem(const Settings& s) { return !s.fs.empty() && s.fs != "zfs"; }
bool HasSeveralRounds(const Settings& s) {
  return s.repeat > 1 || s.precision != 0 || s.quick || s.publish;
}
// The engine decides which rates are tried. The answers of several searches can be compared.
bool HasRoundsOfUnequalRates(const Settings& s) {
  const bool is_search = !s.slo.empty();
  return (is_search || s.rate == "sweep") && ((s.repeat > 1 && !is_search) || s.precision > 0 ||
                                              !s.against.empty() || !s.report_file.empty());
}
constexpr std::string_view kSizesVary =
    "--{}: is of sizes that vary; say --value_size_distribution_type=uniform or normal, or leave "
    "it out";
constexpr std::string_view kRecordedOnce =
    "--{} with several rounds or variants (--repeat, --precision, --quick, --publish, --vary): a "
    "trace is of one run; leave one of them out";
constexpr std::string_view kNoFileSystem = "--{}: of which file system? Say --fs=<kind>";
constexpr std::string_view kWithFileSystem =
    "--{} with --fs: each run's store is on a fresh file system that goes with it; leave one of "
    "them out";
constexpr std::string_view kWithRounds =
    "--{} with several rounds (--repeat, --precision, --quick, --publish): each round has fresh "
    "stores of its own; leave one of them out (`name[X5]` in --benchmarks repeats a workload on "
    "one store)";

#define WHEN(condition, text)                         \
  {                                                   \
    [](const Settings& s) { return condition; }, text \
  }
#define ROW(flag_kind, id, title, section, text, ...) \
  {.name = title,                                     \
   .field = &Settings::id,                            \
   .kind = Flag::Kind::flag_kind,                     \
   .group = section,                                  \
   .help = text __VA_OPT__(, ) __VA_ARGS__},
#define FLAG(flag_kind, id, value, section, text, ...) \
  ROW(flag_kind, id, #id, section, text __VA_OPT__(, ) __VA_ARGS__)
#define FLAG_AS(flag_kind, id, title, value, ...) ROW(flag_kind, id, title, __VA_ARGS__)
#define ENGINE_OPTION(flag_kind, id, value, text, ...) \
  ROW(flag_kind, id, #id, kField, text, .engine_option = true __VA_OPT__(, ) __VA_ARGS__)
constexpr Flag kFlags[] = {
#include "settings/flags.inc"
};

bool IsHidden(const std::string& choice) { return choice.starts_with('('); }

// The message with {num} and {} filled in.
std::string Filled(std::string_view message, const Flag& flag, const Settings& settings) {
  std::string text;
  while (!message.empty()) {
    const size_t open = std::min(message.find('{'), message.size());
    text += message.substr(0, open);
    message.remove_prefix(open);
    if (message.empty()) break;
    const size_t close = message.find('}');
    const Flag* const named = FindFlag(message.substr(1, close - 1));
    text += named == nullptr ? flag.name : Printable(TextOf(*named, settings));
    message.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

std::span<const Flag> Flags() { return kFlags; }

const Flag* FindFlag(std::string_view name) {
  const auto* const flag = std::ranges::find(kFlags, name, &Flag::name);
  return flag == std::end(kFlags) ? nullptr : flag;
}

bool Matters(std::string_view setting) {
  const Flag* const flag = FindFlag(setting);
  return flag == nullptr || flag->matters;
}

std::vector<std::string> ChoicesOf(const Flag& flag) {
  std::vector<std::string> choices = Split(flag.is_closed() ? flag.one_of : flag.offers, ',');
  std::erase_if(choices, IsHidden);
  return choices;
}

bool IsDefault(const Flag& flag, std::string_view text) {
  static const Settings kDefaults;
  return TextOf(flag, kDefaults) == text;
}

std::string TextOf(const Flag& flag, const Settings& settings) {
  return std::visit(
      [&](auto field) {
        const auto& value = settings.*field;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
          return std::string(value ? "1" : "0");
        } else {
          return fmt::format("{}", value);
        }
      },
      flag.field);
}

Status CheckFlags(const Settings& settings) {
  for (const Flag& flag : kFlags) {
    for (const Flag::Refusal& refusal : flag.refused) {
      if (refusal.applies == nullptr || !refusal.applies(settings)) continue;
      return Status::Usage(Filled(refusal.message, flag, settings));
    }
  }
  return Status::Ok();
}

std::string_view GivenBeside(const Settings& settings,
                             std::initializer_list<std::string_view> taken) {
  for (const Flag& flag : kFlags) {
    const bool is_taken = flag.engine_option || std::ranges::find(taken, flag.name) != taken.end();
    if (!is_taken && settings.IsGiven(flag.name)) return flag.name;
  }
  return "";
}

}  // namespace levelfield
