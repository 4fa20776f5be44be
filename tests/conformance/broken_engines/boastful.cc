// Is no floor, and claims for every class what it does not state or keep.
#include "memory_with.h"

static void Break(lf_engine& table) { table.capabilities &= ~uint32_t{LF_FLOOR}; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("boastful", Break)
