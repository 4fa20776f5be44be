#include "engine/options.h"

#include <algorithm>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr size_t kLongestOptionText = 4096;

// Set by the harness itself.
constexpr std::string_view kNotOptions[] = {"durability",   "expected_keys", "expected_value_bytes",
                                            kSessionsHint,  "integer_keys",  kDefaultsHint,
                                            kStoreNameHint, kJoinsHint};
// Read as text. The engine's `open` says whether its library knows it.
const OptionDescription kOfTheLibrary = {
    .name = {}, .kind = LF_TEXT, .default_value = {}, .choices = {}, .help = {}};

// The name after the closest comparison, as "; did you mean ...?", or nothing.
std::string DidYouMean(std::string_view text, const std::vector<std::string>& names,
                       const std::string& prefix = "") {
  const std::string nearest = NearestName(text, names);
  return nearest.empty() ? "" : "; did you mean " + prefix + nearest + "?";
}

template <class Number>
StatusOr<std::string> InDigits(const StatusOr<Number>& number) {
  if (!number.ok()) return number.status();
  return std::to_string(*number);
}

StatusOr<std::string> Canonical(const OptionDescription& option, const std::string& text) {
  switch (option.kind) {
    case LF_BYTES:
      return InDigits(ParseBytes(text));
    case LF_COUNT:
      return InDigits(ParseCount(text));
    case LF_FLAG:
      return InDigits(ParseFlag(text));
    case LF_CHOICE:
      if (std::ranges::find(option.choices, text) != option.choices.end()) return text;
      return Status::Usage("it takes one of " + Joined(option.choices, ", ") +
                           DidYouMean(text, option.choices));
    case LF_TEXT:
      if (text.size() > kLongestOptionText || text.find('\0') != std::string::npos) {
        return Status::Usage("a text has at most 4096 bytes and no NUL");
      }
      return text;
    case LF_ABSENT:
      break;
  }
  return Status::Usage("does not apply: " + option.help);
}

class Resolver {
 public:
  Resolver(const EngineDescription& engine, const std::set<std::string>& defaults)
      : engine_(engine), defaults_(defaults) {}

  // An engine's own options come first. A common one of the same name then has no effect.
  Status Add(const SettingList& settings, bool is_own) {
    const std::string prefix = is_own ? "--" + engine_.name + "." : "--";
    std::set<std::string_view> names;
    for (const auto& [name, text] : settings) {
      const std::string flag = prefix + Printable(name.substr(0, 80));
      if (!names.insert(name).second) return Status::Usage(flag + " is given twice; give it once");
      if (is_own) own_names_.insert(name);
      if (!is_own && own_names_.contains(name)) continue;
      const OptionDescription* const option = Find(name, is_own);
      if (option == nullptr) return NoSuchOption(flag, name, prefix);
      if (option->kind == LF_ABSENT && !is_own) {
        NoteAbsence(*option, text);
        continue;
      }
      const StatusOr<std::string> value = Canonical(*option, text);
      if (!value.ok()) {
        const std::string shown = Printable(text.substr(0, 80)) + (text.size() > 80 ? "..." : "");
        return Status::Usage(flag + "=" + shown + ": " + engine_.name + ": " +
                             value.status().message());
      }
      if (defaults_.contains(name)) {
        resolved_.defaults += (resolved_.defaults.empty() ? "" : ",") + name;
      }
      resolved_.settings.emplace_back(name, *value);
    }
    return Status::Ok();
  }

  ResolvedOptions Resolved() && { return std::move(resolved_); }

 private:
  const OptionDescription* Find(const std::string& name, bool is_own) const {
    const OptionDescription* const option = engine_.FindOption(name);
    const bool may_be_the_librarys = option == nullptr && is_own && engine_.Has(LF_MORE_OPTIONS) &&
                                     std::ranges::find(kNotOptions, name) == std::end(kNotOptions);
    return may_be_the_librarys ? &kOfTheLibrary : option;
  }

  Status NoSuchOption(const std::string& flag, const std::string& name,
                      const std::string& prefix) const {
    std::vector<std::string> names;
    for (const OptionDescription& option : engine_.options) names.push_back(option.name);
    return Status::Usage(flag + ": " + engine_.name + " has no such option" +
                         DidYouMean(name, names, prefix) + " (it has " + Joined(names, ", ") + ")");
  }

  // An engine that lacks a part does without it anyway.
  void NoteAbsence(const OptionDescription& option, const std::string& text) {
    if (text == "none" || text == "0") return;
    resolved_.not_applied.emplace_back(option.name, option.help);
  }

  const EngineDescription& engine_;
  const std::set<std::string>& defaults_;
  std::set<std::string_view> own_names_;
  ResolvedOptions resolved_;
};

}  // namespace

GivenOptions WithAlternatives(const EngineDescription& engine,
                              const std::vector<std::string>& names, const std::string& durability,
                              GivenOptions given) {
  const auto is_decided = [&](const auto& option) {
    const auto has = [&](const SettingList& settings) {
      return std::ranges::find(settings, option.first, &SettingList::value_type::first) !=
             settings.end();
    };
    return has(given.common) || has(given.own);
  };
  for (const std::string& name : names) {
    for (const AlternativeDescription& row : engine.alternatives) {
      const SettingList options = row.Options();
      if (row.name != name || !row.HoldsFor(durability) ||
          std::ranges::any_of(options, is_decided)) {
        continue;
      }
      for (const auto& option : options) {
        given.own.push_back(option);
        given.defaults.insert(option.first);
      }
    }
  }
  return given;
}

StatusOr<ResolvedOptions> ResolveEngineSettings(const EngineDescription& engine,
                                                const GivenOptions& given) {
  Resolver resolver(engine, given.defaults);
  RETURN_IF_ERROR(resolver.Add(given.own, true));
  RETURN_IF_ERROR(resolver.Add(given.common, false));
  return std::move(resolver).Resolved();
}

}  // namespace levelfield
