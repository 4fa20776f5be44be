// The memory engine with one thing wrong with it. An engine here includes this file, takes
// `SoundTable()`, spoils a member, and exports it with LEVELFIELD_EXPORT_ENGINE: the suite, or the
// loader, has to find out which (cases/conformance.case).
#ifndef LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_
#define LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_

#include "levelfield/engine.h"

// memory.cc is to define its table here, but not to export it.
#pragma push_macro("LEVELFIELD_EXPORT_ENGINE")
#undef LEVELFIELD_EXPORT_ENGINE
#define LEVELFIELD_EXPORT_ENGINE(table)
#include "../../../engines/memory.cc"
#pragma pop_macro("LEVELFIELD_EXPORT_ENGINE")

namespace {

lf_engine SoundTable(const char* name) {
  lf_engine table = kEngine;
  table.name = name;
  return table;
}

}  // namespace

#endif  // LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_MEMORY_WITH_H_
