// Makes a store although it is only asked to check the settings.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("eager");
  table.open = [](const char* directory, const lf_setting* settings, size_t count,
                  lf_store** store) {
    return kEngine.open(directory != nullptr ? directory : ".", settings, count, store);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
