// Makes a store although it is only asked to check the settings.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.open = [](const char* directory, const lf_setting* settings, size_t count,
                  lf_store** store) {
    return kEngine.open(directory != nullptr ? directory : ".", settings, count, store);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("eager", Break)
