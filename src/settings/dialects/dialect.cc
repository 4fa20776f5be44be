#include "settings/dialects/dialect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "base/version.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

constexpr const Dialect* kDialects[] = {&kLevelDbDialect, &kRocksDbDialect, &kSqlite3Dialect,
                                        &kTreeDbDialect,  &kLmdbDialect,    &kBerkeleyDbDialect};

using Pair = std::pair<std::string, std::string>;

std::string NameOf(std::string_view word) {
  word = word.substr(0, word.find('='));
  return std::string(word.substr(std::min(word.find_first_not_of('-'), word.size())));
}

// Every dialect has these rows, unless it has one of that name.
constexpr DialectFlag kFlagsOfAll[] = {
    {"reads", "reads", "-1=0|*", "", "-1: as many as --num."},
    {"sync", "durability", "0=|1=synced", "1", "1: every write survives a power cut."},
};

const DialectFlag* RowOf(const Dialect& dialect, std::string_view name) {
  const auto it = std::ranges::find(dialect.flags, name, &DialectFlag::name);
  if (it != dialect.flags.end()) return &*it;
  const auto common = std::ranges::find(kFlagsOfAll, name, &DialectFlag::name);
  return common == std::end(kFlagsOfAll) ? nullptr : &*common;
}

std::vector<std::string> NamesOf(const Dialect& dialect) {
  std::vector<std::string> names;
  for (const Flag& flag : Flags()) names.emplace_back(flag.name);
  for (const DialectFlag& flag : dialect.flags) names.emplace_back(flag.name);
  return names;
}

Status UnknownFlag(const Dialect& dialect, const std::string& word, const std::string& name) {
  for (const Dialect* other : kDialects) {
    if (RowOf(*other, name) == nullptr) continue;
    return Status::Usage(fmt::format("Invalid flag '{}': it belongs to {} (--engine={}), not to {}",
                                     Printable(word), other->program, other->name,
                                     dialect.program));
  }
  const std::string nearest = NearestName(name, NamesOf(dialect));
  return Status::Usage(fmt::format(
      "Invalid flag '{}'{} `{} --help` lists them.", Printable(word),
      nearest.empty() ? "." : fmt::format("; did you mean --{}?", nearest), dialect.program));
}

// Whether the flag is in a list like "async_io=false readahead_size=0".
bool HasFlag(std::string_view flags, const std::string& name) {
  const std::vector<std::string> all = Split(flags, ' ');
  return std::ranges::any_of(all,
                             [&](const std::string& flag) { return flag.starts_with(name + "="); });
}

// The row that has the flag; null: none has.
template <class Row>
const Row* RowWith(std::span<const Row> rows, const std::string& name) {
  const auto it =
      std::ranges::find_if(rows, [&](const Row& row) { return HasFlag(row.flags, name); });
  return it == rows.end() ? nullptr : &*it;
}

bool IsAmong(std::string_view names, const std::string& name) {
  const std::vector<std::string> all = Split(names, ' ');
  return std::ranges::find(all, name) != all.end();
}

std::optional<double> NumberIn(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Whether both are the same text or number or, of a switch, the same choice of on and off: there
// `true` and `no` mean 1 and 0.
bool MeanTheSame(std::string_view one, std::string_view other, bool is_switch) {
  if (one == other) return true;
  const std::optional<double> number = NumberIn(one);
  const std::optional<double> number_of_other = NumberIn(other);
  if (number && number_of_other) return *number == *number_of_other;
  if (!is_switch) return false;
  const StatusOr<bool> flag = ParseFlag(one);
  const StatusOr<bool> flag_of_other = ParseFlag(other);
  return flag.ok() && flag_of_other.ok() && *flag == *flag_of_other;
}

constexpr std::string_view kOthersChangeNothing = "*=";

// Our name for the value; an empty text leaves the flag out. No value: it takes others.
std::optional<std::string> ValueOf(const DialectFlag& row, const std::string& value) {
  if (row.values.empty()) return value;
  for (const std::string& part : Split(row.values, '|')) {
    if (part == kOthersChangeNothing) return "";
    if (part.starts_with('*')) return value + part.substr(1);
    const size_t equals = part.find('=');
    if (MeanTheSame(part.substr(0, equals), value, row.IsSwitch())) {
      return part.substr(equals + 1);
    }
  }
  return std::nullopt;
}

// Whether that value is one of those that change nothing, which its user has to know.
bool IsLeftOutWithANote(const DialectFlag& row, const std::string& value) {
  const std::vector<std::string> parts = Split(row.values, '|');
  return row.values.ends_with(kOthersChangeNothing) &&
         std::ranges::none_of(parts, [&](const std::string& part) {
           return MeanTheSame(part.substr(0, part.find('=')), value, row.IsSwitch());
         });
}

std::string Accepted(const DialectFlag& row) {
  std::vector<std::string> names = Split(row.values, '|');
  for (std::string& name : names) {
    name.erase(std::min(name.find('='), name.size()));
    if (name.empty()) name = "an empty value";
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

// Splits the words into names and values, as typed. What is no flag is a refusal.
class Words {
 public:
  Words(const Dialect& dialect, const GflagsWords& read)
      : dialect_(dialect), words_(read.words), may_be_unknown_(read.may_be_unknown) {}

  std::vector<Pair> Split(std::vector<std::string>& refusals, std::vector<std::string>& notes) {
    std::vector<Pair> pairs;
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (!IsFlag(word) || NameOf(word).empty()) {
        refusals.push_back(fmt::format(
            "Invalid flag '{}': flags are written --name=value or --name value", Printable(word)));
        continue;
      }
      std::string name = NameOf(word);
      if (MayBeLeftOut(name)) {
        notes.push_back(fmt::format("--{} is left out: it is in --undefok, and not known here",
                                    Printable(name)));
        continue;
      }
      if (dialect_.gflags && IsNegated(word, name)) {
        name.erase(0, 2);
        value_ = "0";
      } else if (const Status taken = TakeValue(word, name); !taken.ok()) {
        refusals.emplace_back(taken.message());
        continue;
      }
      const auto first = std::ranges::find(pairs, name, &Pair::first);
      if (first != pairs.end()) pairs.erase(first);
      pairs.emplace_back(name, value_);
    }
    return pairs;
  }

 private:
  // Also `nofoo` where `foo` may be unknown, as in gflags.
  bool MayBeLeftOut(const std::string& name) const {
    const auto may_be = [&](const std::string& one) {
      return may_be_unknown_.contains(one) && !IsKnown(one);
    };
    return may_be(name) || (name.starts_with("no") && may_be(name.substr(2)));
  }

  bool IsKnown(const std::string& name) const {
    return RowOf(dialect_, name) != nullptr || FindFlag(name) != nullptr ||
           RowWith(dialect_.refused_flags, name) != nullptr ||
           RowWith(dialect_.flags_of_others, name) != nullptr ||
           IsAmong(dialect_.engine_flags, name);
  }

  bool IsFlag(const std::string& word) const {
    if (word.starts_with("--")) return true;
    const bool is_number = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
    return dialect_.gflags && word.starts_with('-') && !is_number;
  }

  // `--noname`, where there is no flag `noname`; an option of the engine like no_block_cache is its
  // own name.
  bool IsNegated(const std::string& word, const std::string& name) const {
    return name.starts_with("no") && name.size() > 2 && name[2] != '_' &&
           word.find('=') == std::string::npos && name.find('.') == std::string::npos &&
           RowOf(dialect_, name) == nullptr && FindFlag(name) == nullptr;
  }

  Status TakeValue(const std::string& word, const std::string& name) {
    const DialectFlag* const row = RowOf(dialect_, name);
    const Flag* const flag = FindFlag(name);
    const bool is_bare_option = dialect_.gflags && row == nullptr && flag == nullptr;
    const bool is_engines = is_bare_option || name.find('.') != std::string::npos;
    const bool is_mistyped = is_bare_option && !IsKnown(name) && IsMistyped(name);
    if (row == nullptr && flag == nullptr && (!is_engines || is_mistyped)) {
      return UnknownFlag(dialect_, word, name);
    }
    if (word.find('=') != std::string::npos) {
      value_ = word.substr(word.find('=') + 1);
      return Status::Ok();
    }
    const bool is_switch =
        row != nullptr ? row->IsSwitch() : flag != nullptr && flag->kind == Flag::Kind::kSwitch;
    const bool has_next = at_ + 1 < words_.size() && !IsFlag(words_[at_ + 1]);
    // `--histogram 1` means the same as `--histogram=1`; so does `--histogram` alone.
    if (has_next && (!is_switch || ParseFlag(words_[at_ + 1]).ok())) {
      value_ = words_[++at_];
      return Status::Ok();
    }
    if (!is_switch && !is_bare_option)
      return Status::Usage(fmt::format("--{}: needs a value", Printable(name)));
    value_ = row != nullptr ? std::string(row->bare) : "1";
    return Status::Ok();
  }

  // An unknown flag is an option of RocksDB, unless it differs from a short flag by one typing
  // slip: RocksDB's options have longer names, of several words.
  bool IsMistyped(const std::string& name) const {
    if (name.find_first_of("._") != std::string::npos || name == "env" || name == "ttl")
      return false;
    return !NearestName(name, NamesOf(dialect_)).empty();
  }

  const Dialect& dialect_;
  const std::vector<std::string>& words_;
  const std::set<std::string>& may_be_unknown_;
  size_t at_ = 0;
  std::string value_;
};

std::string EngineOfWords(const Dialect& program, const std::vector<std::string>& words) {
  std::string engine(program.name);
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with('-') || NameOf(words[i]) != "engine") continue;
    const size_t equals = words[i].find('=');
    if (equals != std::string::npos) engine = words[i].substr(equals + 1);
    if (equals == std::string::npos && i + 1 < words.size()) engine = words[i + 1];
  }
  return engine;
}

}  // namespace

std::span<const Dialect* const> Dialects() { return kDialects; }

std::string OurFlagFor(std::string_view word) {
  const std::string name = NameOf(word);
  for (const Dialect* const dialect : kDialects) {
    const DialectFlag* const row = RowOf(*dialect, name);
    if (row == nullptr || row->target.empty()) continue;
    return fmt::format("--{}{}", row->target.starts_with('.') ? dialect->name : "", row->target);
  }
  return "";
}

const Dialect& DialectOfWords(const Dialect& program, const std::vector<std::string>& words) {
  return DialectOf(EngineName(EngineOfWords(program, words)));
}

const Dialect& DialectOf(std::string_view name) {
  const auto it = std::ranges::find(kDialects, name, &Dialect::name);
  return it == std::end(kDialects) ? kLevelDbDialect : **it;
}

const Dialect* DialectOfProgram(std::string_view argv0) {
  const std::string_view name = argv0.substr(argv0.rfind('/') + 1);
  const auto it = std::ranges::find(kDialects, name, &Dialect::program);
  return it == std::end(kDialects) ? nullptr : *it;
}

namespace {

// Whether each run needs its own store: the original's single store would be in the way.
bool HasFreshStores(const std::map<std::string, std::string>& given) {
  return std::ranges::any_of(Flags(), [&](const Flag& flag) {
    return flag.fresh_stores && given.contains(std::string(flag.name));
  });
}

// The words so far, each flag once: a later one replaces an earlier one.
class Translated {
 public:
  void AddDefault(std::string word) { Add(std::move(word)); }
  void AddGiven(std::string word) {
    translation_.given.insert(NameOf(word));
    Add(std::move(word));
  }
  void AddNote(std::string note) { translation_.notes.push_back(std::move(note)); }
  void Refuse(std::string why) { translation_.refusals.push_back(std::move(why)); }
  std::vector<Pair> Split(Words words) {
    return words.Split(translation_.refusals, translation_.notes);
  }
  void Add(DerivedWords derived) {
    for (std::string& word : derived.defaults) AddDefault(std::move(word));
    for (std::string& word : derived.given) AddGiven(std::move(word));
    for (std::string& note : derived.notes) AddNote(std::move(note));
  }
  Translation Take() { return std::move(translation_); }

 private:
  void Add(std::string word) {
    std::vector<std::string>& words = translation_.words;
    const auto same = std::ranges::find(words, NameOf(word), NameOf);
    if (same != words.end()) {
      *same = std::move(word);
    } else {
      words.push_back(std::move(word));
    }
  }

  Translation translation_;
};

void AddDefaults(const Dialect& dialect, const std::string& engine_name,
                 const std::map<std::string, std::string>& given, const std::string& test_directory,
                 Translated& words) {
  words.AddDefault("--benchmarks=" + std::string(dialect.benchmarks));
  words.AddDefault("--histogram=0");
  words.AddDefault("--carry_debt=1");  // Its next benchmark begins at once.
  words.AddDefault("--name=" + std::string(dialect.program));
  if (dialect.has_threads) words.AddDefault("--per_thread=1");
  if (!HasFreshStores(given)) {
    words.AddDefault(fmt::format("--db={}/{}", test_directory,
                                 engine_name == "leveldb" ? "dbbench" : "dbbench_" + engine_name));
    words.AddDefault("--single_db=1");
    words.AddDefault("--keep=1");
  }
  const bool is_its_own = engine_name == dialect.name;
  if (is_its_own) words.AddDefault(fmt::format("--durability={}", dialect.durability));
  for (const std::string_view word : dialect.defaults) {
    if (is_its_own || word.find('.') == std::string_view::npos) {
      words.AddDefault(std::string(word));
    }
  }
}

}  // namespace

namespace {

// Adds our words for a flag, or says why it cannot be had.
void TranslateFlag(const Dialect& dialect, const std::string& engine_name, const Pair& pair,
                   Translated& translated) {
  const auto& [name, value] = pair;
  const auto is_default = [&](std::string_view flags) {
    return std::ranges::any_of(Split(flags, ' '), [&](const std::string& flag) {
      if (!flag.starts_with(name + "=")) return false;
      const std::string only = flag.substr(name.size() + 1);
      return MeanTheSame(only, value, only == "true" || only == "false");
    });
  };
  if (const RefusedFlags* const refused = RowWith(dialect.refused_flags, name)) {
    if (is_default(refused->flags)) return;
    return translated.Refuse(fmt::format("--{}={}: cannot be had here: {}. Leave it out", name,
                                         Printable(value), refused->why));
  }
  if (const FlagsOfOthers* const others = RowWith(dialect.flags_of_others, name)) {
    if (!is_default(others->flags)) {
      translated.AddNote(fmt::format("--{}={} changes nothing. It counts only with {}.", name,
                                     Printable(value), others->what));
    }
    return;
  }
  const DialectFlag* const row = RowOf(dialect, name);
  if (row == nullptr) {
    const bool is_option = FindFlag(name) == nullptr && name.find('.') == std::string::npos;
    return translated.AddGiven(is_option ? fmt::format("--{}.{}={}", engine_name, name, value)
                                         : fmt::format("--{}={}", name, value));
  }
  const std::optional<std::string> ours = ValueOf(*row, value);
  if (!ours) {
    const std::string_view why = row->help.substr(0, row->help.find_last_not_of('.') + 1);
    return translated.Refuse(fmt::format("--{}={}: only {} is accepted, or leave it out. {}", name,
                                         Printable(value), Accepted(*row), why));
  }
  if (IsLeftOutWithANote(*row, value)) {
    translated.AddNote(
        fmt::format("--{}={} changes nothing. {}", name, Printable(value), row->help));
  }
  if (ours->empty() || row->target.empty()) return;
  translated.AddGiven(row->target.starts_with('.')
                          ? fmt::format("--{}{}={}", engine_name, row->target, *ours)
                          : fmt::format("--{}={}", row->target, *ours));
}

}  // namespace

StatusOr<Translation> TranslateWords(const Dialect& program, const std::vector<std::string>& words,
                                     const std::string& test_directory, const GflagsTexts& texts) {
  StatusOr<Translation> translation = Translate(program, words, test_directory, texts);
  if (!translation.ok() || translation->refusals.empty()) return translation;
  return Status::Usage(fmt::format("{}", fmt::join(translation->refusals, "; ")));
}

StatusOr<Translation> Translate(const Dialect& program, const std::vector<std::string>& words,
                                const std::string& test_directory, const GflagsTexts& texts) {
  // The engine decides what the other flags mean, so it comes first.
  const std::string engine = EngineOfWords(program, words);
  if (engine.find(',') != std::string::npos || engine == "all") {
    return Status::Usage(fmt::format(
        "--engine={}: {} runs one engine; `levelfield run --engine={}` compares several",
        Printable(engine), program.program, Printable(engine)));
  }
  const std::string engine_name = EngineName(engine);
  const Dialect& dialect = DialectOf(engine_name);
  GflagsWords read{.words = words, .may_be_unknown = {}};
  if (dialect.gflags) {
    ASSIGN_OR_RETURN(read, ReadGflags(dialect.program, words, texts));
  }
  Translated translated;
  const std::vector<Pair> pairs = translated.Split(Words(dialect, read));

  std::map<std::string, std::string> given;
  for (const auto& [name, value] : pairs) given[name] = value;
  translated.AddDefault("--dialect=" + std::string(dialect.name));
  translated.AddGiven("--engine=" + engine);
  AddDefaults(dialect, engine_name, given, test_directory, translated);
  if (dialect.derive != nullptr) {
    StatusOr<DerivedWords> derived = dialect.derive(given);
    if (derived.ok()) {
      translated.Add(std::move(*derived));
    } else {
      translated.Refuse(std::string(derived.status().message()));
    }
  }
  for (const Pair& pair : pairs) TranslateFlag(dialect, engine_name, pair, translated);
  return translated.Take();
}

std::string DialectVersion(const Dialect& dialect) {
  return fmt::format("{} of Levelfield {}: the command line of {}'s db_bench\n", dialect.program,
                     kVersion, dialect.label);
}

std::string DialectHelp(const Dialect& dialect) {
  std::string help = fmt::format(
      "{} of Levelfield: --name=value or --name value. {}he names are {}'s and the measuring is\n"
      "Levelfield's (permuted keys, checked values){}.\n\nFlags that mean what the original's "
      "mean:\n",
      dialect.program, dialect.has_exact ? "By default t" : "T", dialect.program,
      dialect.has_exact ? "; --compat=exact gives the original's key and value streams" : "");
  const auto add = [&](const DialectFlag& flag) {
    help += fmt::format("  --{:18} {}\n", flag.name, flag.help);
  };
  std::ranges::for_each(dialect.flags, add);
  for (const DialectFlag& flag : kFlagsOfAll) {
    if (RowOf(dialect, flag.name) == &flag) add(flag);
  }
  if (!dialect.refused_flags.empty()) help += "\nFlags that take their default value only:\n";
  for (const RefusedFlags& refused : dialect.refused_flags) {
    for (const std::string& flag : Split(refused.flags, ' ')) help += "  --" + flag + "\n";
    help += fmt::format("      {}\n", Wrapped(std::string(refused.why), 6, 96));
  }
  help += fmt::format("\nDefault --benchmarks={}\n\nAll flags of `levelfield run` besides:\n",
                      dialect.benchmarks);
  return help;
}

std::string DialectRefusalsMarkdown(const Dialect& dialect) {
  const auto code = [](std::string_view words) {
    return fmt::format("`{}`", fmt::join(Split(words, ' '), "` `"));
  };
  std::string page = "| refused with another value | why |\n| --- | --- |\n";
  for (const RefusedFlags& refused : dialect.refused_flags) {
    page += fmt::format("| {} | {} |\n", code(refused.flags), refused.why);
  }
  page += "\n| changes nothing, and a line says so | counts only with |\n| --- | --- |\n";
  for (const FlagsOfOthers& others : dialect.flags_of_others) {
    page += fmt::format("| {} | {} |\n", code(others.flags), others.what);
  }
  return page;
}

}  // namespace levelfield
