// The memory engine with one thing wrong with it. An engine here includes this file, spoils a
// member of the table, and exports it under its name: the suite, or the loader, has to find out
// which (cases/conformance.case).
#ifndef LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_
#define LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_

#include "levelfield/engine.h"

// memory.cc is to define its table here, but not to export it.
#pragma push_macro("LEVELFIELD_EXPORT_ENGINE")
#undef LEVELFIELD_EXPORT_ENGINE
#define LEVELFIELD_EXPORT_ENGINE(table)
#include "../../../engines/memory.cc"
#pragma pop_macro("LEVELFIELD_EXPORT_ENGINE")

// `change` takes the table as an `lf_engine&`.
#define LEVELFIELD_EXPORT_CHANGED_ENGINE(name_of_it, change) \
  static const lf_engine kChanged = [] {                     \
    lf_engine table = kEngine;                               \
    table.name = name_of_it;                                 \
    change(table);                                           \
    return table;                                            \
  }();                                                       \
  LEVELFIELD_EXPORT_ENGINE(kChanged)

#endif  // LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_
