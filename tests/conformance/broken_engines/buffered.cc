// Keeps everything over a close and nothing over kill -9: it writes its file when it is closed, and
// calls that `process`.
#include "kept_in_a_file.h"

namespace {

const lf_durability kClaims[] = {{"none", LF_REFUSED, "everything is kept"},
                                 {"process", LF_D1_PROCESS, "so it says"},
                                 {"synced", LF_REFUSED, "does not sync"},
                                 {nullptr, LF_REFUSED, nullptr}};

void Break(lf_engine& table) {
  KeepInAFile(table);
  table.durabilities = kClaims;
}

}  // namespace

LEVELFIELD_EXPORT_CHANGED_ENGINE("buffered", Break)
