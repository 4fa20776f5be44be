// Takes keys and values for C strings, and stops at a NUL.
#include <cstring>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("textual");
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    value.size = strnlen(value.data, value.size);
    return kEngine.put(session, key, value);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
