#include "verbs/engines/kit.h"

#include <fmt/format.h>

#include <system_error>

#include "base/program_path.h"
#include "base/shell_words.h"

namespace levelfield {

namespace fs = std::filesystem;

StatusOr<Kit> FindKit() {
  RETURN_IF_ERROR(CheckProgramPath());
  const fs::path program = fs::path(ProgramPath()).parent_path();
  const fs::path above = program.parent_path();
  const Kit kits[] = {{above / "share/levelfield/kits",
                       {above / "include", above / "include/levelfield"},
                       above / "share/levelfield/plugin.map",
                       above / "share/doc/levelfield/docs"},
                      {above / "kits",
                       {above / "include", above / "engines"},
                       above / "engines/plugin.map",
                       above / "docs"}};
  std::error_code error;
  for (const Kit& kit : kits) {
    if (fs::is_directory(kit.languages, error) && fs::exists(kit.linker_map, error)) return kit;
  }
  return Status::Failed(fmt::format(
      "the kit for engines of one's own is not there: neither {} nor {}; install Levelfield "
      "(`cmake --install`, or its package), or use the program in the `build` of its source tree",
      kits[0].languages.string(), kits[1].languages.string()));
}

std::string PluginFlags(const Kit& kit) {
  std::string flags = "-shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic -Wl,-z,defs " +
                      ShellWord("-Wl,--version-script=" + kit.linker_map.string());
  for (const fs::path& directory : kit.headers) flags += " " + ShellWord("-I" + directory.string());
  return flags;
}

}  // namespace levelfield
