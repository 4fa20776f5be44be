#include "engine/engine_probe.h"
#include "targets.h"

namespace levelfield::fuzz {

void EngineDescriptions(std::string_view bytes) {
  const ProbeReply reply = ReadReply("fuzzed", std::string(bytes));
  if (!reply.is_loaded) return;
  // What a reader takes, a writer writes.
  (void)ToJson(reply.description).dump();
  const StatusOr<ResolvedOptions> options = ResolveEngineSettings(
      reply.description, {.common = {{"cache_size", "64M"}}, .own = {{"x", "1"}, {"y", ""}}});
}

}  // namespace levelfield::fuzz
