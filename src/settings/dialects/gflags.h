// What gflags reads for every program of its own accord: files of flags, the environment, and the
// names that a program may lack. https://gflags.github.io/gflags/#special
//
// Pure: whoever calls hands in the texts of files and the environment. Any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_
#define LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

struct GflagsWords {
  // With the lines of each --flagfile in its place, and the values that --fromenv and --tryfromenv
  // have read. Of these flags themselves none is left.
  std::vector<std::string> words;
  std::set<std::string> may_be_unknown;  // Names in --undefok.
};

// What is outside of the words, by its name. No value: it is not there.
using TextByName = std::function<std::optional<std::string>(const std::string& name)>;

struct GflagsTexts {
  TextByName file;      // The contents of the file at that path.
  TextByName variable;  // The value of that variable of the environment.
};

// `program` is the name that a file of flags may restrict lines to.
StatusOr<GflagsWords> ReadGflags(std::string_view program, const std::vector<std::string>& words,
                                 const GflagsTexts& texts);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_
