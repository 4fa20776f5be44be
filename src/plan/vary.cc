#include "plan/vary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/quote.h"
#include "base/text.h"
#include "result/result.h"

namespace levelfield {
namespace {

struct List {
  std::string name;
  std::vector<std::string> values;
};

std::vector<std::string> ValuesOf(std::string_view text) {
  return Parts(text, text.find(';') == std::string_view::npos ? ',' : ';');
}

// Flags that choose engines, operations and stores must be the same in all variants, or they could
// not be compared.
Status CheckName(const std::string& name) {
  const Flag* const flag = FindFlag(name);
  if (flag == nullptr || flag->is_list || (flag->matters && flag->varies)) return Status::Ok();
  return Status::Usage(fmt::format(
      "--vary={0}=...: --{0} is of the whole invocation, and the same for all that is compared; "
      "for another one run again, and lay the results side by side with `levelfield compare` or "
      "`levelfield report`",
      name));
}

Status CheckValues(const List& list) {
  std::set<std::string> seen;
  for (const std::string& value : list.values) {
    if (value.empty()) {
      return Status::Usage(
          fmt::format("--vary={}: an empty value; it is --vary=setting=value,value", list.name));
    }
    if (!seen.insert(value).second) {
      return Status::Usage(
          fmt::format("--vary={}: {} is listed twice; `levelfield noise` "
                      "measures a thing against itself",
                      list.name, Quote(value)));
    }
  }
  return Status::Ok();
}

StatusOr<std::vector<List>> ListsOf(const Settings& settings) {
  std::vector<List> lists;
  std::set<std::string> seen;
  const auto add = [&](List list) -> Status {
    if (!seen.insert(list.name).second) {
      return Status::Usage(fmt::format(
          "--vary={}: its values stand in two places; put them into one list", list.name));
    }
    Status status = CheckValues(list);
    if (status.ok()) lists.push_back(std::move(list));
    return status;
  };
  for (const Flag& flag : Flags()) {
    const std::string text = flag.is_list ? TextOf(flag, settings) : "";
    if (text.find(',') == std::string::npos) continue;
    RETURN_IF_ERROR(add({.name = std::string(flag.name), .values = ValuesOf(text)}));
  }
  for (const std::string& word : Split(settings.vary, ' ')) {
    const size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) {
      return Status::Usage(
          fmt::format("--vary={}: it is --vary=setting=value,value, as in "
                      "--vary=write_buffer_size=4M,16M,64M",
                      Printable(word)));
    }
    List list{.name = word.substr(0, equals),
              .values = ValuesOf(std::string_view(word).substr(equals + 1))};
    RETURN_IF_ERROR(CheckName(list.name));
    RETURN_IF_ERROR(add(std::move(list)));
  }
  return lists;
}

// The setting's text in the manifest. An engine's own option is as typed.
std::string TextOfSetting(const std::string& name, const std::string& typed,
                          const Settings& settings) {
  const Flag* const flag = FindFlag(name);
  return flag == nullptr ? typed : TextOf(*flag, settings);
}

}  // namespace

StatusOr<std::vector<VariedSettings>> Vary(const Settings& settings) {
  ASSIGN_OR_RETURN(const std::vector<List> lists, ListsOf(settings));
  std::vector<VariedSettings> all = {{.variant = {}, .settings = settings}};
  for (const List& list : lists) {
    std::vector<VariedSettings> longer;
    for (const VariedSettings& before : all) {
      for (const std::string& value : list.values) {
        VariedSettings& next = longer.emplace_back(before);
        const Status status = SetFlag(list.name, value, next.settings);
        if (!status.ok()) return Status::Usage("--vary: " + status.message());
        std::string& name = next.variant.name;
        name += fmt::format("{}{}={}", name.empty() ? "" : " ", list.name, value);
        next.variant.settings.emplace_back(list.name,
                                           TextOfSetting(list.name, value, next.settings));
      }
      if (longer.size() > kMostVariants) {
        return Status::Usage(
            fmt::format("--vary: more than {} combinations; vary less at a time", kMostVariants));
      }
    }
    all = std::move(longer);
  }
  if (all.size() == 1) all.front().variant = {};  // One value is no comparison.
  if (all.size() == 1) return all;
  for (size_t i = 0; i < all.size(); ++i) all[i].variant.number = i + 1;
  return all;
}

}  // namespace levelfield
