#include "engine/options.h"

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr size_t kLongestText = 4096;

// What the harness sets itself.
constexpr std::string_view kNotOptions[] = {"durability", "expected_keys", "expected_value_bytes",
                                            "integer_keys", kDefaultsHint};
// Read as text, whatever it is; the engine's `open` says whether its library knows it.
const OptionDescription kOfTheLibrary = {
    .name = {}, .kind = LF_TEXT, .default_value = {}, .choices = {}, .help = {}};

std::string Join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ", ") + word;
  return joined;
}

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
      return Status::Usage("it takes one of " + Join(option.choices) +
                           DidYouMean(text, option.choices));
    case LF_TEXT:
      if (text.size() > kLongestText || text.find('\0') != std::string::npos) {
        return Status::Usage("a text has at most 4096 bytes and no NUL");
      }
      return text;
    case LF_ABSENT:
      break;
  }
  return Status::Usage("does not apply: " + option.help);
}

// Null: the engine has none of this name. Its own may be its library's, which alone knows them.
const OptionDescription* OptionCalled(const std::string& name, bool is_own,
                                      const EngineDescription& engine) {
  const OptionDescription* const option = engine.FindOption(name);
  const bool may_be_the_librarys = is_own && engine.Has(LF_MORE_OPTIONS) &&
                                   std::ranges::find(kNotOptions, name) == std::end(kNotOptions);
  return option == nullptr && may_be_the_librarys ? &kOfTheLibrary : option;
}

}  // namespace

StatusOr<ResolvedOptions> ResolveEngineSettings(const EngineDescription& engine,
                                                const GivenOptions& given) {
  std::vector<std::string> names;
  for (const OptionDescription& option : engine.options) names.push_back(option.name);

  ResolvedOptions resolved;
  std::set<std::string_view> own_names;
  const auto resolve = [&](const std::string& name, const std::string& text,
                           bool is_own) -> Status {
    const std::string prefix = is_own ? "--" + engine.name + "." : "--";
    const std::string flag = prefix + Printable(name.substr(0, 80));
    const OptionDescription* const option = OptionCalled(name, is_own, engine);
    if (option == nullptr) {
      return Status::Usage(flag + ": " + engine.name + " has no such option" +
                           DidYouMean(name, names, prefix) + " (it has " + Join(names) + ")");
    }
    if (option->kind == LF_ABSENT && !is_own) {
      // To do without is what an engine that lacks the part does anyway.
      if (text == "none" || text == "0") return Status::Ok();
      resolved.notes.push_back(engine.name + ": " + name + " does not apply: " + option->help);
      return Status::Ok();
    }
    StatusOr<std::string> value = Canonical(*option, text);
    if (!value.ok()) {
      const std::string shown = Printable(text.substr(0, 80)) + (text.size() > 80 ? "..." : "");
      return Status::Usage(flag + "=" + shown + ": " + engine.name + ": " +
                           value.status().message());
    }
    if (given.defaults.contains(name)) {
      resolved.defaults += (resolved.defaults.empty() ? "" : ",") + name;
    }
    resolved.settings.emplace_back(name, std::move(*value));
    return Status::Ok();
  };

  for (const auto& [name, text] : given.own) {
    if (!own_names.insert(name).second) {
      return Status::Usage("--" + engine.name + "." + Printable(name.substr(0, 80)) +
                           " is given twice; give it once");
    }
    RETURN_IF_ERROR(resolve(name, text, true));
  }
  std::set<std::string_view> common_names;
  for (const auto& [name, text] : given.common) {
    if (!common_names.insert(name).second) {
      return Status::Usage("--" + Printable(name.substr(0, 80)) + " is given twice; give it once");
    }
    if (own_names.contains(name)) continue;
    RETURN_IF_ERROR(resolve(name, text, false));
  }
  return resolved;
}

SettingList WithoutHints(SettingList settings) {
  std::erase_if(settings, [](const auto& setting) { return setting.first == kDefaultsHint; });
  return settings;
}

}  // namespace levelfield
