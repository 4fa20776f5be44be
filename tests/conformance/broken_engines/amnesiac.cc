// Says that it keeps what it is told over a close, and does not.
#include "memory_with.h"

static void Break(lf_engine& table) { table.capabilities &= ~uint32_t{LF_VOLATILE}; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("amnesiac", Break)
