// Answers to another name than its file.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("nameless");
  table.name = "memory";
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
