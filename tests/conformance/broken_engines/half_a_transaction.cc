// Begins transactions that nobody can roll back.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("half_a_transaction");
  table.roll_back_transaction = nullptr;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
