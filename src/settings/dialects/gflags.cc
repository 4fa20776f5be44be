#include "settings/dialects/gflags.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <iterator>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

class Reader {
 public:
  Reader(std::string_view program, const GflagsTexts& texts) : program_(program), texts_(texts) {}

  Status Read(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string name = SpecialName(words[i]);
      if (name.empty()) {
        read_.words.push_back(words[i]);
        continue;
      }
      const size_t equals = words[i].find('=');
      if (equals == std::string::npos && i + 1 == words.size()) {
        return Status::Usage(fmt::format("--{}: needs a value", name));
      }
      RETURN_IF_ERROR(
          Take(name, equals == std::string::npos ? words[++i] : words[i].substr(equals + 1)));
    }
    return Status::Ok();
  }

  GflagsWords TakeWords() { return std::move(read_); }

 private:
  // "flagfile" of "--flagfile=x" and "-flagfile"; empty for a flag that is not gflags' own.
  static std::string SpecialName(std::string_view word) {
    if (!word.starts_with('-')) return "";
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const std::string_view name = word.substr(0, word.find('='));
    constexpr std::string_view kSpecial[] = {"flagfile", "fromenv", "tryfromenv", "undefok"};
    return std::ranges::find(kSpecial, name) != std::end(kSpecial) ? std::string(name) : "";
  }

  Status Take(const std::string& name, const std::string& value) {
    for (const std::string& one : Split(value, ',')) {
      if (name == "undefok") {
        read_.may_be_unknown.insert(one);
      } else if (name == "flagfile") {
        RETURN_IF_ERROR(TakeFile(one));
      } else if (const auto text = texts_.variable("FLAGS_" + one)) {
        read_.words.push_back(fmt::format("--{}={}", one, *text));
      } else if (name == "fromenv") {
        return Status::Usage(fmt::format("--fromenv={}: there is no FLAGS_{} in the environment",
                                         Printable(value), Printable(one)));
      }
    }
    return Status::Ok();
  }

  Status TakeFile(const std::string& path) {
    constexpr int kMostFiles = 100;  // One may name itself.
    if (++files_ > kMostFiles) {
      return Status::Usage(
          fmt::format("--flagfile={}: more than {} files, of which one may name itself",
                      Printable(path), kMostFiles));
    }
    const std::optional<std::string> text = texts_.file(path);
    if (!text) {
      return Status::Usage(fmt::format("--flagfile={}: cannot be read", Printable(path)));
    }
    bool is_for_us = true;
    bool names_programs = false;
    for (const std::string& line : LinesOf(*text)) {
      const std::string word = Trimmed(line);
      if (word.empty() || word.starts_with('#')) continue;
      if (word.starts_with('-')) {
        names_programs = false;
        if (is_for_us) RETURN_IF_ERROR(Read({word}));
        continue;
      }
      // Names of programs, for which alone the flags below are. Lines of names belong together.
      is_for_us = (names_programs && is_for_us) || IsForUs(word);
      names_programs = true;
    }
    return Status::Ok();
  }

  bool IsForUs(const std::string& patterns) const {
    return std::ranges::any_of(Split(patterns, ' '), [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), program_.c_str(), FNM_PATHNAME) == 0;
    });
  }

  const std::string program_;
  const GflagsTexts& texts_;
  GflagsWords read_;
  int files_ = 0;
};

}  // namespace

StatusOr<GflagsWords> ReadGflags(std::string_view program, const std::vector<std::string>& words,
                                 const GflagsTexts& texts) {
  Reader reader(program, texts);
  RETURN_IF_ERROR(reader.Read(words));
  return reader.TakeWords();
}

}  // namespace levelfield
