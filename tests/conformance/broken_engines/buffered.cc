// Keeps everything over a close and nothing over kill -9: it writes its file when it is closed, and
// calls that `process`.
#include "kept_in_a_file.h"

namespace {

const lf_durability kClaims[] = {{"none", LF_REFUSED, "everything is kept"},
                                 {"process", LF_D1_PROCESS, "so it says"},
                                 {"synced", LF_REFUSED, "does not sync"},
                                 {nullptr, LF_REFUSED, nullptr}};

const lf_engine kBroken = [] {
  lf_engine table = TableKeptInAFile("buffered");
  table.durabilities = kClaims;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
