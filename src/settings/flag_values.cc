#include "settings/flag_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/quote.h"
#include "settings/word_list.h"

namespace levelfield {
namespace {

bool IsHidden(const std::string& choice) { return choice.starts_with('('); }

bool IsTaken(const std::vector<std::string>& choices, const std::string& word) {
  return std::ranges::any_of(choices, [&](const std::string& choice) {
    return word == (IsHidden(choice) ? choice.substr(1, choice.size() - 2) : choice);
  });
}

}  // namespace

std::vector<std::string> ChoicesOf(const Flag& flag) {
  std::vector<std::string> choices = Split(flag.choices, ',');
  std::erase_if(choices, IsHidden);
  return choices;
}

Status CheckChoice(const Flag& flag, const std::string& text) {
  if (!flag.is_closed) return Status::Ok();
  const std::vector<std::string> choices = Split(flag.choices, ',');
  // Not Split: an empty part of a list is no choice either.
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end =
        flag.takes_several ? std::min(text.find(',', begin), text.size()) : text.size();
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (IsTaken(choices, word)) continue;
    const std::vector<std::string> offered = ChoicesOf(flag);
    const std::string nearest = NearestName(word, offered);
    return Status::Usage(
        fmt::format("--{}={}: {} is accepted{}", flag.name, Printable(text), Alternatives(offered),
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  return Status::Ok();
}

std::string Alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace levelfield
