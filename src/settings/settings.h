// The flags of the program and their values. Each flag is one row of settings/flags.inc. The field
// below, the parser, the help, the completion, the man page, docs/generated/flags.md, the manifest
// and the worker's settings come from these rows. A new flag is a row there, and its use.
#ifndef LEVELFIELD_SETTINGS_SETTINGS_H_
#define LEVELFIELD_SETTINGS_SETTINGS_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Upper limits of numbers, for flags and lines of a workload file. They keep a typing slip from
// taking the whole machine.
namespace limits {
inline constexpr uint64_t kThreads = 1024;
inline constexpr uint64_t kBatch = 1'000'000;
inline constexpr uint64_t kValueBytes = uint64_t{1} << 30;
inline constexpr uint64_t kScanned = 1'000'000'000;           // Entries of a scan.
inline constexpr uint64_t kRate = 1'000'000'000;              // Operations a second.
inline constexpr uint64_t kByteRate = 1'000'000'000'000'000;  // Bytes a second.
}  // namespace limits

enum class FlagKind { kText, kCount, kBytes, kSeconds, kRatio, kSwitch };

template <FlagKind kind>
using FlagValue = std::conditional_t<
    kind == FlagKind::kText, std::string,
    std::conditional_t<kind == FlagKind::kSwitch, bool,
                       std::conditional_t<kind == FlagKind::kCount || kind == FlagKind::kBytes,
                                          uint64_t, double>>>;

struct Settings {
#define FLAG(kind, field, value, ...) FlagValue<FlagKind::kind> field = value;
#define FLAG_AS(kind, field, name, value, ...) FlagValue<FlagKind::kind> field = value;
#define ENGINE_OPTION(kind, field, value, ...) std::string field = value;
#include "settings/flags.inc"

  // `--<engine>.<option>=`: by engine, in the order given.
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> engine_options = {};
  // The flags that were given, and the engines' options ("rocksdb.block_size"). Others have their
  // defaults.
  std::set<std::string> given = {};
  // It speaks for an original db_bench, so engines get the original's settings.
  bool is_original = false;
  // Words that are no flags, such as the result directories of `report`.
  std::vector<std::string> arguments = {};

  bool IsGiven(std::string_view flag) const { return given.contains(std::string(flag)); }
};

// Values of --settings, and plug-ins' names for what they set (lf_alternative).
inline constexpr std::string_view kEqual = "equal";
inline constexpr std::string_view kChecked = "checked";

// Which help texts show a flag.
enum class InHelp : uint8_t {
  kInAll,   // Only the help on all flags.
  kOfVerb,  // Also the short help of a verb.
  kFirst,   // Also the help of the program.
};

struct Flag {
  using Kind = FlagKind;
  using Field = std::variant<std::string Settings::*, uint64_t Settings::*, double Settings::*,
                             bool Settings::*>;
  // A combination of this flag with others that is a mistake.
  struct Refusal {
    bool (*applies)(const Settings&) = nullptr;
    std::string_view message = {};
  };

  std::string_view name;
  Field field;
  Kind kind;
  std::string_view group;
  std::string_view help;
  // An option that every engine answers: passed on as typed, by this name.
  bool engine_option = false;
  double min = 0;  // For numbers.
  double max = 1e18;
  // Words, and kinds of words that depend on the machine or on files, separated by commas:
  // <engines>, <workloads>, <directories>, <files>. With `one_of` nothing else is taken. A word in
  // parentheses is taken but not offered: its user refuses it with a reason.
  std::string_view one_of = {};
  std::string_view offers = {};
  bool takes_several = false;  // Several of these words, separated by commas.
  bool repeats = false;        // May be given several times: the texts are joined by spaces.
  bool variable = false;       // A workload's file may name it: `$num`.
  bool or_num = false;         // In workload files 0 then means `$num`.
  bool is_list = false;        // Several values, separated by commas, are variants (--vary).
  bool varies = true;          // --vary may list values for it.
  bool matters = true;         // Results with different values of it are of different things.
  bool fresh_stores = false;   // Each of its runs has its own store.
  InHelp in_help = InHelp::kInAll;
  std::string_view verbs = {};  // Verbs that take it, besides those that take all flags,
  bool only_these = false;      // or no other verb.
  Refusal refused[4] = {};

  bool is_closed() const { return !one_of.empty(); }
};

std::span<const Flag> Flags();
// Null if there is no flag of this name.
const Flag* FindFlag(std::string_view name);

// Whether results with different values of this setting are of different things.
bool Matters(std::string_view setting);

// The words that are offered, and kinds of words ("<engines>"), in the order of the row.
std::vector<std::string> ChoicesOf(const Flag& flag);

// Whether this text of a value is that of the default.
bool IsDefault(const Flag& flag, std::string_view text);

// The value as people would type it, for the manifest and the help.
std::string TextOf(const Flag& flag, const Settings& settings);

// Parses the words after the verb. A mistake is a kUsage error that names the flag, what it
// accepts, and for an unknown flag the nearest name. Flags that are not there have their values in
// `defaults`.
StatusOr<Settings> ParseSettings(const std::vector<std::string>& words, Settings defaults = {});

// As if `--name=text` had been given last; `name` may be an engine's own option
// ("rocksdb.block_size").
Status SetFlag(const std::string& name, const std::string& text, Settings& settings);

// Checks combinations of flags: the first `refused` that applies.
Status CheckFlags(const Settings& settings);

// The first flag that was given and is neither an option of engines nor one of these; empty: none.
std::string_view GivenBeside(const Settings& settings,
                             std::initializer_list<std::string_view> taken);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SETTINGS_H_
