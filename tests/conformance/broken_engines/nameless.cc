// Answers to another name than its file.
#include "memory_with.h"

static void Break(lf_engine& table) { table.name = "memory"; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("nameless", Break)
