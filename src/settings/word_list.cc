#include "settings/word_list.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace levelfield {

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (std::string part = Trimmed(text.substr(0, end)); !part.empty()) {
      parts.push_back(std::move(part));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string Alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace levelfield
