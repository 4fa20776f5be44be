// Erases the next key where the one to erase is absent: only an unlucky sequence shows it.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.erase = [](lf_session* session, lf_bytes key) {
    lf_bytes found{};
    lf_bytes value{};
    const lf_code code = kEngine.seek(session, LF_AT_OR_AFTER, key, &found, &value);
    return code == LF_OK ? kEngine.erase(session, found) : code == LF_NOT_FOUND ? LF_OK : code;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("blunt", Break)
