// Erases the next key where the one to erase is absent: only an unlucky sequence shows it.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("blunt");
  table.erase = [](lf_session* session, lf_bytes key) {
    lf_bytes found{};
    lf_bytes value{};
    const lf_code code = kEngine.seek(session, LF_AT_OR_AFTER, key, &found, &value);
    return code == LF_OK ? kEngine.erase(session, found) : code == LF_NOT_FOUND ? LF_OK : code;
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
