// What an engine of one's own is written with, and what people read: it stands beside the program,
// in an installation or in the tree that the program was built in.
#ifndef LEVELFIELD_VERBS_ENGINES_KIT_H_
#define LEVELFIELD_VERBS_ENGINES_KIT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"

namespace levelfield {

struct Kit {
  std::filesystem::path languages;             // kits/: a directory for each.
  std::vector<std::filesystem::path> headers;  // Directories.
  std::filesystem::path linker_map;
  std::filesystem::path pages;  // Of the documentation.
};

StatusOr<Kit> FindKit();

// What a compiler is told to make a plug-in of a source in C or C++, for a shell: only
// levelfield_engine is exported, other symbols are bound to the plug-in's own, and a library that
// is missing fails the build.
std::string PluginFlags(const Kit& kit);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_ENGINES_KIT_H_
