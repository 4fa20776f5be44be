// Where the plug-ins of engines are. They are looked for in the directories and files that
// LEVELFIELD_ENGINES names, separated by colons, then among the built-in engines. Of two plug-ins
// of one name the first is taken, and the others are told by `levelfield engines`. Opens no
// plug-in. One thread at a time.
#ifndef LEVELFIELD_ENGINE_PLACES_H_
#define LEVELFIELD_ENGINE_PLACES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

struct EnginePlace {
  std::filesystem::path path;  // Absolute. A directory of plug-ins, or one plug-in's file.
  bool is_built_in = false;
};

// A plug-in, `levelfield_<spec>.so` in a directory. A file that was named itself needs no prefix:
// `mine.so` and `libmine.so` are `mine`, too.
struct FoundEngine {
  std::string spec;  // "leveldb", "rocksdb@7.8.3".
  std::filesystem::path file;
  bool is_built_in = false;
  std::vector<std::filesystem::path> hidden = {};  // Others of this name, which it stands before.
};

// Those of LEVELFIELD_ENGINES, then the built-in ones: engines/ and more_engines/ beside the
// running program (a build tree), else ../lib/levelfield from there (an installation). In place of
// these LEVELFIELD_BUILT_IN_ENGINES may name one directory.
std::vector<EnginePlace> EnginePlaces();

// kUsage if LEVELFIELD_ENGINES names what is not there.
Status CheckEnginePlaces();

// The plug-ins in these places, sorted by their specs.
std::vector<FoundEngine> FindEngineFiles(const std::vector<EnginePlace>& places);
// Their specs.
std::vector<std::string> FindEngines(const std::vector<EnginePlace>& places);

// Puts what --engines names, and the files that --engine and its like name, in front of
// LEVELFIELD_ENGINES, which this process's children inherit. In the settings a file gives way to
// its engine's name. kUsage if there is no such directory or file.
Status UseEnginesOf(Settings& settings);
// The same for the names of engines alone: of `engines`, and files and names among `names`.
Status UseEngines(const std::string& engines, std::vector<std::string>& names);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_PLACES_H_
