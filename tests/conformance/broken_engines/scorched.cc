// Destroys its neighbours along with itself.
#include <filesystem>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.destroy = [](const char* path) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      std::filesystem::remove_all(entry.path());
    }
    return LF_OK;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("scorched", Break)
