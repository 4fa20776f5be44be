// Dies in its first put, as an engine with assertions does.
#include <cstdlib>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("crashing");
  table.put = [](lf_session*, lf_bytes, lf_bytes) -> lf_code { std::abort(); };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
