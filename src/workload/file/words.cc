#include "workload/file/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace levelfield {

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || c == '_' || c == '$';
    if (is_letter && !in_word) words.emplace_back();
    if (is_letter) words.back() += c;
    in_word = is_letter;
  }
  return words;
}

std::string DidYouMeanAWord(std::string_view text, std::span<const std::string> known) {
  for (const std::string& word : Words(text)) {
    if (std::ranges::find(known, word) != known.end()) continue;
    const std::string nearest = NearestName(word, known);
    if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  }
  return "";
}

}  // namespace levelfield
