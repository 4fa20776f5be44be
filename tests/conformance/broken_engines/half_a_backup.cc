// Makes backups that nobody can restore.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.backup = [](lf_store*, const char*) { return LF_OK; };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("half_a_backup", Break)
