// Ends the program in the middle of a put, as if all were well.
#include <unistd.h>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("quitting");
  table.put = [](lf_session*, lf_bytes, lf_bytes) -> lf_code { _exit(0); };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
