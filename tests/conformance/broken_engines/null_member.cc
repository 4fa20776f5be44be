// Has no get.
#include "memory_with.h"

static void Break(lf_engine& table) { table.get = nullptr; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("null_member", Break)
