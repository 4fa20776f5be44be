#include "base/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/quote.h"

namespace levelfield {
namespace {

bool IsPlain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@%+=:,./_-").find(static_cast<char>(c)) != std::string_view::npos;
}

// $'...', with each byte that is not plain ASCII as \xHH.
std::string Escaped(std::string_view text) {
  std::string out = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      if (c == '\'' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "'";
}

std::string Quoted(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, IsPlain)) return std::string(text);
  if (Printable(text) != text) return Escaped(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// Takes the rest of a $'...' from the front of `text`. False if it is not closed.
bool TakeEscaped(std::string_view& text, std::string& word) {
  while (!text.empty() && text.front() != '\'') {
    if (text.front() != '\\' || text.size() < 2) {
      word += text.front();
      text.remove_prefix(1);
      continue;
    }
    unsigned char byte = 0;
    const bool is_byte = text.size() >= 4 && text[1] == 'x' &&
                         std::from_chars(&text[2], &text[2] + 2, byte, 16).ptr == &text[2] + 2;
    word += is_byte ? static_cast<char>(byte) : text[1];
    text.remove_prefix(is_byte ? 4 : 2);
  }
  if (text.empty()) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string ShellWord(std::string_view word) {
  // The value of a flag alone is quoted, because it is read more easily so.
  const size_t equals = word.find('=');
  const bool is_flag = word.starts_with("--") && equals != word.npos && equals + 1 < word.size() &&
                       std::ranges::all_of(word.substr(0, equals), IsPlain);
  if (!is_flag) return Quoted(word);
  return std::string(word.substr(0, equals + 1)) + Quoted(word.substr(equals + 1));
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + ShellWord(word);
  return line;
}

StatusOr<std::vector<std::string>> WordsOfShellLine(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false;  // A word has begun, though it may be empty.
  const Status unclosed = Status::Usage("a quote is opened and not closed in " + Quote(line));
  while (!line.empty()) {
    const char c = line.front();
    line.remove_prefix(1);
    if (c == ' ' || c == '\t' || c == '\n') {
      if (is_open) words.push_back(std::move(word));
      word.clear();
      is_open = false;
      continue;
    }
    is_open = true;
    if (c == '\'') {
      const size_t end = line.find('\'');
      if (end == line.npos) return unclosed;
      word += line.substr(0, end);
      line.remove_prefix(end + 1);
    } else if (c == '$' && line.starts_with('\'')) {
      line.remove_prefix(1);
      if (!TakeEscaped(line, word)) return unclosed;
    } else if (c == '\\' && !line.empty()) {
      word += line.front();
      line.remove_prefix(1);
    } else {
      word += c;
    }
  }
  if (is_open) words.push_back(std::move(word));
  return words;
}

}  // namespace levelfield
