// Takes snapshots that nobody can release.
#include "memory_with.h"

static void Break(lf_engine& table) { table.release_snapshot = nullptr; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("half_a_snapshot", Break)
