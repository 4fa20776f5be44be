#include "drawn_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace levelfield {
namespace {

// What has a meaning to a terminal, a shell, a parser, a format or a file system.
const std::vector<std::string> kTroublesome = {"\x1b[31m",
                                               "\x1b]0;t\x07",
                                               "\xc2\x9b"
                                               "31m",
                                               "\u202e",
                                               "\ufeff",
                                               "\n",
                                               "\r\n",
                                               "\t",
                                               "\x7f",
                                               "\x01",
                                               " ",
                                               "  ",
                                               "'",
                                               "\"",
                                               "`",
                                               "\\",
                                               "$HOME",
                                               "$(id)",
                                               "%s%n",
                                               "{}",
                                               "{:99999}",
                                               "{",
                                               "}",
                                               "<script>",
                                               "</script>",
                                               "&amp;",
                                               "|",
                                               "*",
                                               "?",
                                               "#",
                                               "=",
                                               "--",
                                               "-",
                                               ",",
                                               ":",
                                               ";",
                                               ".",
                                               "@",
                                               "\xff",
                                               "\xfe",
                                               "\x80",
                                               "\xc0\xaf",
                                               "\xed\xa0\x80",
                                               "\xf4\x90\x80\x80",
                                               "\xe2\x82",
                                               "\xfc",
                                               "\uef80",
                                               "\uefff",
                                               "\ufffd",
                                               "größe",
                                               "日本語",
                                               "\U0001f600",
                                               "e\u0301",
                                               "0",
                                               "-1",
                                               "1e999",
                                               "nan",
                                               "18446744073709551615",
                                               "18446744073709551616",
                                               "99999999999999999999",
                                               "0x10",
                                               "10k",
                                               "1G",
                                               "1.5",
                                               "true",
                                               "null",
                                               "stub",
                                               "leveldb",
                                               "fillseq",
                                               "readrandom",
                                               ".workload",
                                               ".suite"};

bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("-_=.,/:").find(c) != std::string_view::npos;
}

}  // namespace

std::string DrawnBytes::Part() {
  if (Below(2) == 0) return OneOf(kTroublesome);
  std::string part(1 + Below(8), 'x');
  for (char& c : part) c = static_cast<char>(1 + Below(255));
  return part;
}

std::string DrawnBytes::Text(size_t most) {
  const uint64_t kind = Below(20);
  if (kind == 0) return "";
  if (kind == 1) return OneOf(kTroublesome);
  std::string text;
  if (kind == 2) {  // Long, of one thing.
    const std::string part = Part();
    while (text.size() < most) text += part;
  }
  for (uint64_t parts = 1 + Below(6); parts != 0; --parts) text += Part();
  return text.substr(0, most);
}

std::string DrawnBytes::Name(size_t most) {
  std::string name = Below(10) == 0 ? std::string() : Text(most);
  while (name.empty() || (Below(20) == 0 && name.size() < most)) name += Part();
  name.resize(std::min(name.size(), most));
  std::ranges::replace(name, '/', '\xfc');
  if (name.find_first_not_of('.') == name.npos) name[0] = '\xfd';
  return name;
}

std::string DrawnBytes::Path() {
  std::string path = Name();
  // Some longer than PATH_MAX.
  for (uint64_t more = Below(15) == 0 ? 20 : Below(3); more != 0; --more) path += "/" + Name();
  return path;
}

std::string DrawnBytes::Damaged(std::string text) {
  for (uint64_t changes = Below(6); changes != 0; --changes) {
    const size_t at = Below(text.size() + 1);
    const size_t length = std::min<size_t>(Below(12), text.size() - at);
    switch (Below(4)) {
      case 0:
        text.replace(at, length, Part());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        text.insert(at, std::string(1, static_cast<char>(Below(256))));
    }
  }
  return text;
}

std::string Shown(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes) {
    shown +=
        IsPlain(c) ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown;
}

}  // namespace levelfield
