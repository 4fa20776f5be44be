// The front of the command line: CLI11 takes the words apart; what a value may be is decided by the
// table of flags and base/units.h. The only file that includes CLI11.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/units.h"
#include "settings/flag_values.h"
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

// Whether `text` is what the flag takes; the value goes into its field.
Status Assign(const Flag& flag, const std::string& text, Settings& settings) {
  const auto in_range = [&](double value) {
    if (value >= flag.min && value <= flag.max) return Status::Ok();
    return Refused(
        flag.name, text,
        fmt::format("from {} to {} is accepted", RangeEnd(flag.min), RangeEnd(flag.max)));
  };
  const auto take = [&](const auto& parsed, auto field) -> Status {
    if (!parsed.ok()) return Refused(flag.name, text, parsed.status().message());
    settings.*std::get<decltype(field)>(flag.field) = *parsed;
    if constexpr (std::is_same_v<decltype(field), bool Settings::*>) {
      return Status::Ok();
    } else {
      return in_range(static_cast<double>(*parsed));
    }
  };
  // An engine's option is handed on as typed, but a number that is none is the same mistake for
  // every engine, also for those that have no such option.
  if (flag.engine_option && flag.kind != Flag::Kind::kText) {
    const StatusOr<uint64_t> number =
        flag.kind == Flag::Kind::kBytes ? ParseBytes(text) : ParseCount(text);
    if (!number.ok()) return Refused(flag.name, text, number.status().message());
  }
  if (flag.kind == Flag::Kind::kText || flag.engine_option) {
    std::string& field = settings.*std::get<std::string Settings::*>(flag.field);
    // Empty is a value only where it is the default (--db=).
    if (text.empty() && (flag.engine_option || !field.empty())) {
      return Refused(flag.name, text, "nothing is given; leave the flag out for its default");
    }
    if (const Status status = CheckChoice(flag, text); !text.empty() && !status.ok()) return status;
    field = text;
    return Status::Ok();
  }
  switch (flag.kind) {
    case Flag::Kind::kCount:
      return take(ParseCount(text), static_cast<uint64_t Settings::*>(nullptr));
    case Flag::Kind::kBytes:
      return take(ParseBytes(text), static_cast<uint64_t Settings::*>(nullptr));
    case Flag::Kind::kSeconds:
      return take(ParseSeconds(text), static_cast<double Settings::*>(nullptr));
    case Flag::Kind::kSwitch:
      return take(ParseFlag(text), static_cast<bool Settings::*>(nullptr));
    case Flag::Kind::kRatio: {
      double ratio = 0;
      const bool is_hexadecimal = text.find_first_of("xX") != std::string::npos;
      if (is_hexadecimal || !CLI::detail::lexical_cast(text, ratio)) {
        return Refused(flag.name, text, "a number like 0.5 is accepted");
      }
      settings.*std::get<double Settings::*>(flag.field) = ratio;
      return in_range(ratio);
    }
    case Flag::Kind::kText:
      break;
  }
  return Status::Ok();
}

Status UnknownFlag(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const Flag& flag : Flags()) names.push_back("--" + std::string(flag.name));
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("{}: no such flag{} `levelfield --help` lists them.", Printable(name),
                  nearest.empty() ? "." : fmt::format("; did you mean {}?", nearest)));
}

// `--db --num=5` would make a directory called --num=5.
Status CheckValueFollows(const std::vector<std::string>& words, size_t i) {
  for (const Flag& flag : Flags()) {
    if (flag.kind == Flag::Kind::kSwitch || words[i] != "--" + std::string(flag.name)) continue;
    if (i + 1 == words.size() || words[i + 1].starts_with("--")) {
      return Status::Usage(
          fmt::format("{}: needs a value, as in {}={}", words[i], words[i],
                      TextOf(flag, Settings()).empty() ? "..." : TextOf(flag, Settings())));
    }
  }
  return Status::Ok();
}

// --<engine>.<option>=<value>, or --<engine>.<option> <value>: returns how many words it took.
StatusOr<size_t> TakeEngineOption(const std::vector<std::string>& words, size_t i,
                                  Settings& settings) {
  const std::string& word = words[i];
  const size_t equals = word.find('=');
  const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
  const size_t dot = name.find('.');
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

}  // namespace

StatusOr<Settings> ParseSettings(const std::vector<std::string>& words) {
  Settings settings;
  std::vector<std::string> rest;  // CLI11 takes them from the back.
  for (size_t i = 0; i < words.size();) {
    if (words[i].find('\0') != std::string::npos) {
      return Status::Usage("a word of the command line holds a NUL byte");
    }
    const std::string name = words[i].substr(0, words[i].find('='));
    if (!name.starts_with("--") || name.find('.') == std::string::npos) {
      if (const Status status = CheckValueFollows(words, i); !status.ok()) return status;
      // CLI11 takes `--num= --reads=5` for a --num whose value is --reads=5.
      const std::string& word = words[i++];
      const bool is_empty = word.starts_with("--") && word.find('=') + 1 == word.size();
      rest.push_back(is_empty ? name : word);
      if (is_empty) rest.emplace_back();
      continue;
    }
    const StatusOr<size_t> taken = TakeEngineOption(words, i, settings);
    if (!taken.ok()) return taken.status();
    i += *taken;
  }

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string_view, std::string> texts;
  std::map<std::string_view, CLI::Option*> options;
  for (const Flag& flag : Flags()) {
    CLI::Option* const option =
        flag.kind == Flag::Kind::kSwitch
            ? app.add_flag("--" + std::string(flag.name) + "{1}", texts[flag.name])
            : app.add_option("--" + std::string(flag.name), texts[flag.name]);
    option->multi_option_policy(flag.repeats ? CLI::MultiOptionPolicy::Join
                                             : CLI::MultiOptionPolicy::Throw);
    options[flag.name] = option;
  }
  try {
    std::reverse(rest.begin(), rest.end());
    app.parse(rest);
  } catch (const CLI::Error& error) {
    return Status::Usage(Printable(error.what()));
  }
  for (const std::string& word : app.remaining()) {
    if (word.starts_with("-") && word != "-") return UnknownFlag(word);
    settings.arguments.push_back(word);
  }
  for (const Flag& flag : Flags()) {
    if (options[flag.name]->count() == 0) continue;
    settings.given.emplace(flag.name);
    // CLI11 would join them with newlines, and a path may have one.
    const std::string text = flag.repeats
                                 ? fmt::format("{}", fmt::join(options[flag.name]->results(), " "))
                                 : texts[flag.name];
    const Status status = Assign(flag, text, settings);
    if (!status.ok()) return status;
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
  for (const Flag& flag : Flags()) {
    if (flag.name != name) continue;
    settings.given.emplace(name);
    return Assign(flag, text, settings);
  }
  return UnknownFlag("--" + name);
}

}  // namespace levelfield
