// Dies in its first put, as an engine with assertions does.
#include <cstdlib>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session*, lf_bytes, lf_bytes) -> lf_code { std::abort(); };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("crashing", Break)
