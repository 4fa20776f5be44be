// Destroys its neighbours along with itself.
#include <filesystem>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("scorched");
  table.destroy = [](const char* path) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      std::filesystem::remove_all(entry.path());
    }
    return LF_OK;
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
