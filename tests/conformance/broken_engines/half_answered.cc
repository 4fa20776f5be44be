// Does not answer the common option compression.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("half_answered");
  static const lf_option kOptionsWithout[] = {kOptions[0], kOptions[1], kOptions[2],
                                              kOptions[3], kOptions[5], kOptions[6]};
  table.options = kOptionsWithout;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
