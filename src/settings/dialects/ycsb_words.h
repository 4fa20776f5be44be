// The command line of YCSB's client, in the forms of its own launcher (`bin/ycsb load rocksdb -P
// workloads/workloada -p recordcount=1000 -threads 4 -s`) and of YCSB-cpp's (`ycsb -load -db
// leveldb -P ...`), and the files of properties that it names. Pure.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_YCSB_WORDS_H_
#define LEVELFIELD_SETTINGS_DIALECTS_YCSB_WORDS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Values by name.
using Properties = std::map<std::string, std::string>;

struct YcsbWords {
  bool loads = false;  // `load`; else `run`.
  std::string engine;
  std::vector<std::string> files = {};  // -P: a later one wins.
  Properties properties = {};           // Of -p, -threads and the like, which win over files.
  std::vector<std::string> ours = {};   // Flags of `levelfield run`.
  std::vector<std::string> notes = {};  // Words that change nothing, a line each.
};

// A usage error names all words that cannot be had.
StatusOr<YcsbWords> ReadYcsbWords(const std::vector<std::string>& words);

// A file of properties, as java.util.Properties reads it: comments with # and !, names that end at
// `=`, `:` or a blank, lines that a backslash continues, escapes. Blanks behind a value are
// dropped, because no property of YCSB means them.
Properties ParseProperties(std::string_view text);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_YCSB_WORDS_H_
