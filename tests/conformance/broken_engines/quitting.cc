// Ends the program in the middle of a put, as if all were well.
#include <unistd.h>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session*, lf_bytes, lf_bytes) -> lf_code { _exit(0); };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("quitting", Break)
