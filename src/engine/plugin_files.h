// The plug-ins in a folder, by name: files `<prefix><name>.so`. None of them is opened. Any thread.
#ifndef LEVELFIELD_ENGINE_PLUGIN_FILES_H_
#define LEVELFIELD_ENGINE_PLUGIN_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

// Sorted; empty where the folder cannot be read.
std::vector<std::string> PluginNames(const std::filesystem::path& directory,
                                     std::string_view prefix);

std::filesystem::path PluginFile(const std::filesystem::path& directory, std::string_view prefix,
                                 const std::string& name);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_PLUGIN_FILES_H_
