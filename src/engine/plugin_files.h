// Plug-ins as files: where those of a kind are, which there are, and the one symbol of each. What
// is loaded is never unloaded: profilers and libraries' own threads would be left with addresses of
// nothing. One thread at a time.
#ifndef LEVELFIELD_ENGINE_PLUGIN_FILES_H_
#define LEVELFIELD_ENGINE_PLUGIN_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Engines or caches: files `<prefix><name>.so` that export one function.
struct PluginKind {
  const char* prefix;
  const char* symbol;
  const char* variable;   // Of the environment: names the directory.
  const char* beside;     // The directory beside the program, in a build tree;
  const char* installed;  // else this one, from the program's parent directory.
  const char* stranger;   // What a library without the symbol is not.

  std::filesystem::path Directory() const;
  // The names, sorted; none where the directory cannot be read. No file is opened.
  std::vector<std::string> NamesIn(const std::filesystem::path& directory) const;
  std::filesystem::path FileOf(const std::filesystem::path& directory,
                               const std::string& name) const;
  // The function that the file exports. The file has a slash in its path, so that dlopen takes it
  // and does not look for another.
  template <class Function>
  StatusOr<Function> Load(const std::filesystem::path& file) const {
    ASSIGN_OR_RETURN(const void* symbol_of_file, LoadSymbol(file));
    return reinterpret_cast<Function>(symbol_of_file);
  }

 private:
  StatusOr<void*> LoadSymbol(const std::filesystem::path& file) const;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_PLUGIN_FILES_H_
