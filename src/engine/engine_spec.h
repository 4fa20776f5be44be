// Which engine is meant: "rocksdb", "rocksdb@7.8.3", "leveldb@system",
// "rocksdb:/path/librocksdb.so". Pure, for any thread.
#ifndef LEVELFIELD_ENGINE_ENGINE_SPEC_H_
#define LEVELFIELD_ENGINE_ENGINE_SPEC_H_

#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

struct EngineSpec {
  std::string name;      // Of the plug-in: [a-z0-9_]+.
  std::string which;     // What stood after '@' (a version) or ':' (a path); empty: the default.
  bool is_path = false;  // `which` stood after ':'.
  std::string text;      // As it was typed.
};

// A version becomes part of a file name, so it holds neither '/' nor a leading dot.
StatusOr<EngineSpec> ParseEngineSpec(std::string_view text);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_ENGINE_SPEC_H_
