// Opens with pages of 4096, whatever it is asked for, and its library says so.
#include <iterator>

#include "memory_with.h"

static void Break(lf_engine& table) {
  static lf_option options[std::size(kOptions) + 1];
  options[0] = {"pages", LF_COUNT, "4096", nullptr, "Its pages."};
  std::copy(std::begin(kOptions), std::end(kOptions), options + 1);
  table.options = options;
  table.in_force = [](lf_store*, void* context, void (*sink)(void*, const char*, const char*)) {
    sink(context, "pages", "4096");
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("swallowing", Break)
