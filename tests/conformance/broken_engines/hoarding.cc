// Merges by appending, which nobody asked it for.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("hoarding");
  table.merge = [](lf_session* session, lf_bytes key, lf_bytes operand) {
    lf_bytes old{"", 0};
    (void)kEngine.get(session, key, &old);
    const std::string both =
        std::string(old.data, old.size) + std::string(operand.data, operand.size);
    return kEngine.put(session, key, {both.data(), both.size()});
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
