#include "settings/dialects/ycsb_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr std::string_view kYcsbUsage =
    "`levelfield ycsb load|run ENGINE -P FILE -p NAME=VALUE -threads N -target N -s`";

// A word with a value behind it.
struct ValueWord {
  std::string_view name;
  std::string_view property;  // That it sets. Empty: see its reader.
};
constexpr ValueWord kValueWords[] = {{"-threads", "threadcount"},
                                     {"-target", "target"},
                                     {"-l", "label"},
                                     {"-db", ""},
                                     {"-P", ""},
                                     {"-p", ""},
                                     {"-cp", ""},
                                     {"-jvm-args", ""}};

// What the first word, or one with a minus, asks for. Empty: it is none of these.
std::optional<bool> LoadsBy(std::string_view word) {
  if (word == "load" || word == "-load") return true;
  if (word == "run" || word == "-run" || word == "-t") return false;
  return std::nullopt;
}

class WordReader {
 public:
  explicit WordReader(const std::vector<std::string>& words) : words_(words) {}

  StatusOr<YcsbWords> Read() {
    std::optional<bool> loads;
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      const std::optional<bool> by_word = LoadsBy(word);
      if (by_word && !loads) {
        loads = by_word;
      } else if (word.starts_with("--")) {
        read_.ours.push_back(word);
      } else if (word == "-s") {
        read_.properties["status"] = "true";
      } else if (word.starts_with("-")) {
        TakeValueWord(word);
      } else {
        TakeEngine(word);
      }
    }
    if (!loads) {
      refusals_.insert(refusals_.begin(), fmt::format("load or run? It is {}", kYcsbUsage));
    } else if (read_.engine.empty()) {
      refusals_.push_back(
          fmt::format("which engine? It is {}; `levelfield engines` lists them", kYcsbUsage));
    }
    if (!refusals_.empty()) return Status::Usage("ycsb: " + Joined(refusals_, "; "));
    read_.loads = *loads;
    return std::move(read_);
  }

 private:
  void TakeEngine(const std::string& word) {
    if (!read_.engine.empty() && read_.engine != word) {
      refusals_.push_back(fmt::format("{}: one engine at a time, and {} was named before",
                                      Quote(word), Quote(read_.engine)));
    }
    read_.engine = word;
  }

  void TakeValueWord(const std::string& word) {
    const auto* const it = std::ranges::find(kValueWords, word, &ValueWord::name);
    if (it == std::end(kValueWords)) {
      refusals_.push_back(
          fmt::format("{}: YCSB's client has no such word; it is {}", Quote(word), kYcsbUsage));
      return;
    }
    if (at_ + 1 == words_.size()) {
      refusals_.push_back(fmt::format("{}: needs a value", word));
      return;
    }
    const std::string& value = words_[++at_];
    if (!it->property.empty()) {
      read_.properties[std::string(it->property)] = value;
    } else if (word == "-db") {
      TakeEngine(value);
    } else if (word == "-P") {
      read_.files.push_back(value);
    } else if (word == "-p") {
      TakeProperty(value);
    } else {
      read_.notes.push_back(
          fmt::format("{} {}: is for Java, and no Java runs here", word, Printable(value)));
    }
  }

  void TakeProperty(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      refusals_.push_back(
          fmt::format("-p {}: it is -p NAME=VALUE, as -p operationcount=99999", Quote(text)));
      return;
    }
    read_.properties[text.substr(0, equals)] = Trimmed(text.substr(equals + 1));
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  YcsbWords read_;
  std::vector<std::string> refusals_;
};

constexpr std::string_view kPropertyBlanks = " \t\f";

bool IsContinued(std::string_view line) {
  const size_t last = line.find_last_not_of('\\');
  const size_t backslashes = line.size() - (last == line.npos ? 0 : last + 1);
  return backslashes % 2 == 1;
}

// The lines that java.util.Properties calls logical, without comments and leading blanks.
std::vector<std::string> LogicalLines(std::string_view text) {
  std::vector<std::string> lines;
  bool is_continued = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kPropertyBlanks), line.size()));
    const bool goes_on = is_continued;
    if (!goes_on && (line.empty() || line.front() == '#' || line.front() == '!')) continue;
    is_continued = IsContinued(line);
    if (is_continued) line.remove_suffix(1);
    if (goes_on) {
      lines.back() += line;
    } else {
      lines.emplace_back(line);
    }
  }
  return lines;
}

// The code point in UTF-8.
std::string Utf8(uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) {
    return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  }
  return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

std::string Unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "tnrf";
  constexpr std::string_view kMeanings = "\t\n\r\f";
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char letter = text[++i];
    uint32_t code = 0;
    const std::string_view digits = text.substr(i + 1, 4);
    const size_t meaning = kLetters.find(letter);
    if (letter == 'u' && digits.size() == 4 &&
        std::from_chars(digits.data(), digits.data() + 4, code, 16).ptr == digits.data() + 4) {
      plain += Utf8(code);
      i += 4;
    } else {
      plain += meaning == kLetters.npos ? letter : kMeanings[meaning];
    }
  }
  return plain;
}

// Where the name ends: at the first of these that no backslash stands before.
size_t EndOfName(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '=' || line[i] == ':' ||
               kPropertyBlanks.find(line[i]) != kPropertyBlanks.npos) {
      return i;
    }
  }
  return line.size();
}

}  // namespace

StatusOr<YcsbWords> ReadYcsbWords(const std::vector<std::string>& words) {
  return WordReader(words).Read();
}

Properties ParseProperties(std::string_view text) {
  Properties properties;
  for (const std::string& line : LogicalLines(text)) {
    const size_t end = EndOfName(line);
    std::string_view value = std::string_view(line).substr(end);
    value.remove_prefix(std::min(value.find_first_not_of(kPropertyBlanks), value.size()));
    if (!value.empty() && (value.front() == '=' || value.front() == ':')) value.remove_prefix(1);
    properties[Unescaped(line.substr(0, end))] = Trimmed(Unescaped(Trim(value)));
  }
  return properties;
}

}  // namespace levelfield
