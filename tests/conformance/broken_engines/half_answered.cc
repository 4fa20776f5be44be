// Does not answer the common option compression.
#include "memory_with.h"

static void Break(lf_engine& table) {
  static const lf_option kOptionsWithout[] = {kOptions[0], kOptions[1], kOptions[2],
                                              kOptions[3], kOptions[5], kOptions[6]};
  table.options = kOptionsWithout;
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("half_answered", Break)
