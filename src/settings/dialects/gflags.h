// What gflags reads for every program of its own accord: files of flags, the environment, and the
// names that a program may lack. https://gflags.github.io/gflags/#special
//
// Reads the files that the words name; else pure. Any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_
#define LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_

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

// `program` is the name that a file of flags may restrict lines to.
StatusOr<GflagsWords> ReadGflags(std::string_view program, const std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_GFLAGS_H_
