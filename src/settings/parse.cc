// The front of the command line. CLI11 splits the words; the table of flags and base/units.h decide
// what a value may be. The only file that includes CLI11.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "settings/dialects/dialect.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

Status Refused(std::string_view name, const std::string& text, const std::string& accepted) {
  return Status::Usage(fmt::format("--{}={}: {}", name, Printable(text), accepted));
}

// The end of a range as people would write it: 10000000000000000, not 1e+16.
std::string RangeEnd(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.15g}", value);
}

bool IsChoice(const Flag& flag, const std::string& word) {
  return std::ranges::any_of(Split(flag.one_of, ','), [&](const std::string& choice) {
    const bool is_hidden = choice.starts_with('(');
    return word == (is_hidden ? choice.substr(1, choice.size() - 2) : choice);
  });
}

// Whether `text` is one of the flag's choices, or several of them if the flag takes several.
Status CheckChoice(const Flag& flag, const std::string& text) {
  const auto words = flag.takes_several ? Parts(text, ',') : std::vector{text};
  for (const std::string& word : words) {
    if (IsChoice(flag, word)) continue;
    const std::vector<std::string> offered = ChoicesOf(flag);
    return Refused(
        flag.name, text,
        fmt::format("only {} is accepted{}", Listed(offered, "or"), DidYouMean(word, offered)));
  }
  return Status::Ok();
}

// Takes a text as it is. The same for an engine's option, but a malformed number is the same
// mistake for every engine, even for those without such an option.
Status AssignText(const Flag& flag, const std::string& text, Settings& settings) {
  if (flag.engine_option && flag.kind != Flag::Kind::kText) {
    const StatusOr<uint64_t> number =
        flag.kind == Flag::Kind::kBytes ? ParseBytes(text) : ParseCount(text);
    if (!number.ok()) return Refused(flag.name, text, number.status().message());
  }
  std::string& field = settings.*std::get<std::string Settings::*>(flag.field);
  // Empty is a value only where it is the default (--db=).
  if (text.empty() && (flag.engine_option || !field.empty())) {
    return Refused(flag.name, text, "nothing is given; leave the flag out for its default");
  }
  if (flag.is_closed() && !text.empty()) {
    RETURN_IF_ERROR(CheckChoice(flag, text));
  }
  field = flag.offers.find("<engines>") == std::string_view::npos ? text : WithLowerNames(text);
  return Status::Ok();
}

StatusOr<double> ParseRatio(const std::string& text) {
  double ratio = 0;
  const bool is_hexadecimal = text.find_first_of("xX") != std::string::npos;
  if (!is_hexadecimal && CLI::detail::lexical_cast(text, ratio)) return ratio;
  return Status::Usage("a number like 0.5 is accepted");
}

// Whether the flag accepts `text`; the value goes into its field.
Status Assign(const Flag& flag, const std::string& text, Settings& settings) {
  const auto take = [&](const auto& parsed) -> Status {
    if (!parsed.ok()) return Refused(flag.name, text, parsed.status().message());
    using Value = std::decay_t<decltype(*parsed)>;
    settings.*std::get<Value Settings::*>(flag.field) = *parsed;
    const auto number = static_cast<double>(*parsed);
    if (std::is_same_v<Value, bool> || (number >= flag.min && number <= flag.max)) {
      return Status::Ok();
    }
    return Refused(
        flag.name, text,
        fmt::format("from {} to {} is accepted", RangeEnd(flag.min), RangeEnd(flag.max)));
  };
  if (flag.engine_option) return AssignText(flag, text, settings);
  switch (flag.kind) {
    case Flag::Kind::kText:
      return AssignText(flag, text, settings);
    case Flag::Kind::kCount:
      return take(ParseCount(text));
    case Flag::Kind::kBytes:
      return take(ParseBytes(text));
    case Flag::Kind::kSeconds:
      return take(ParseSeconds(text));
    case Flag::Kind::kSwitch:
      return take(ParseFlag(text));
    case Flag::Kind::kRatio:
      return take(ParseRatio(text));
  }
  return Status::Ok();
}

Status UnknownFlag(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const Flag& flag : Flags()) names.push_back("--" + std::string(flag.name));
  const std::string ours = OurFlagFor(name);
  const std::string nearest = ours.empty() ? NearestName(name, names) : ours;
  return Status::Usage(fmt::format(
      "{}: no such flag{} `levelfield --help=all` lists them. An option of an engine's own has its "
      "name in front: --rocksdb.{}.",
      Printable(name), nearest.empty() ? "." : fmt::format("; did you mean {}?", nearest),
      "max_background_jobs=4"));
}

// `--db --num=5` would make a directory called --num=5.
Status CheckValueFollows(const std::vector<std::string>& words, size_t i) {
  const Flag* const flag = words[i].starts_with("--") ? FindFlag(words[i].substr(2)) : nullptr;
  if (flag == nullptr || flag->kind == Flag::Kind::kSwitch) return Status::Ok();
  if (i + 1 < words.size() && !words[i + 1].starts_with("--")) return Status::Ok();
  const std::string value = TextOf(*flag, Settings());
  return Status::Usage(fmt::format("{}: needs a value, as in {}={}", words[i], words[i],
                                   value.empty() ? "..." : value));
}

// --<engine>.<option>=<value>, or --<engine>.<option> <value>: returns how many words it took.
StatusOr<size_t> TakeEngineOption(const std::vector<std::string>& words, size_t i,
                                  Settings& settings) {
  const std::string& word = words[i];
  const size_t equals = word.find('=');
  std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
  const size_t dot = name.find('.');
  name.replace(0, dot, WithLowerNames(name.substr(0, dot)));
  if (dot == 0 || dot + 1 == name.size()) {
    return Status::Usage(
        fmt::format("{}: an engine's option is --<engine>.<option>=value", Printable(word)));
  }
  const bool next_is_value = equals == std::string::npos;
  if (next_is_value && (i + 1 == words.size() || words[i + 1].starts_with("--"))) {
    return Status::Usage(fmt::format("--{}: needs a value", Printable(name)));
  }
  settings.engine_options[name.substr(0, dot)].emplace_back(
      name.substr(dot + 1), next_is_value ? words[i + 1] : word.substr(equals + 1));
  settings.given.insert(name);
  return size_t{next_is_value ? 2u : 1u};
}

// Takes the engines' options out of the words; CLI11 gets the rest.
StatusOr<std::vector<std::string>> TakeEngineOptions(const std::vector<std::string>& words,
                                                     Settings& settings) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size();) {
    if (words[i].find('\0') != std::string::npos) {
      return Status::Usage("a word of the command line holds a NUL byte");
    }
    const std::string name = words[i].substr(0, words[i].find('='));
    if (!name.starts_with("--") || name.find('.') == std::string::npos) {
      RETURN_IF_ERROR(CheckValueFollows(words, i));
      // CLI11 takes `--num= --reads=5` for a --num whose value is --reads=5.
      const std::string& word = words[i++];
      const bool is_empty = word.starts_with("--") && word.find('=') + 1 == word.size();
      rest.push_back(is_empty ? name : word);
      if (is_empty) rest.emplace_back();
      continue;
    }
    ASSIGN_OR_RETURN(const size_t taken, TakeEngineOption(words, i, settings));
    i += taken;
  }
  return rest;
}

}  // namespace

StatusOr<Settings> ParseSettings(const std::vector<std::string>& words, Settings settings) {
  ASSIGN_OR_RETURN(std::vector<std::string> rest, TakeEngineOptions(words, settings));
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string_view, CLI::Option*> options;
  for (const Flag& flag : Flags()) {
    CLI::Option* const option =
        flag.kind == Flag::Kind::kSwitch
            ? app.add_flag(
                  fmt::format("{}--{}{{1}}", flag.name == "verbose" ? "-v{1}," : "", flag.name))
            : app.add_option("--" + std::string(flag.name));
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options[flag.name] = option;
  }
  try {
    std::ranges::reverse(rest);  // CLI11 takes them from the back.
    app.parse(rest);
  } catch (const CLI::Error& error) {
    return Status::Usage(Printable(error.what()));
  }
  for (const std::string& word : app.remaining()) {
    if (word.starts_with("-") && word != "-") return UnknownFlag(word);
    settings.arguments.push_back(word);
  }
  for (const Flag& flag : Flags()) {
    const std::vector<std::string>& given = options[flag.name]->results();
    if (given.empty()) continue;
    if (given.size() > 1 && !flag.repeats) {
      return Status::Usage(fmt::format("--{}: is given twice, as {} and {}; leave one of them out",
                                       flag.name, Quote(given[0]), Quote(given[1])));
    }
    settings.given.emplace(flag.name);
    const std::string text = flag.repeats ? fmt::format("{}", fmt::join(given, " ")) : given[0];
    RETURN_IF_ERROR(Assign(flag, text, settings));
  }
  return settings;
}

Status SetFlag(const std::string& name, const std::string& text, Settings& settings) {
  if (const size_t dot = name.find('.'); dot != std::string::npos) {
    std::erase_if(settings.engine_options[name.substr(0, dot)],
                  [&](const auto& option) { return option.first == name.substr(dot + 1); });
    const StatusOr<size_t> taken = TakeEngineOption({"--" + name + "=" + text}, 0, settings);
    return taken.status();
  }
  const Flag* const flag = FindFlag(name);
  if (flag == nullptr) return UnknownFlag("--" + name);
  settings.given.insert(name);
  return Assign(*flag, text, settings);
}

}  // namespace levelfield
