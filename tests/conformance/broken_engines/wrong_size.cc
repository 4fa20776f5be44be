// Says that its table is sixteen bytes long.
#include "memory_with.h"

static void Break(lf_engine& table) { table.struct_bytes = 16; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("wrong_size", Break)
