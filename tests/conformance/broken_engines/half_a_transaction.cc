// Begins transactions that nobody can roll back.
#include "memory_with.h"

static void Break(lf_engine& table) { table.roll_back_transaction = nullptr; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("half_a_transaction", Break)
