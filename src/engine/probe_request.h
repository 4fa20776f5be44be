// What an engine is asked before anything runs (engine_probe.h), what it answers, and what follows
// from its description alone. Pure. Any thread may call.
#ifndef LEVELFIELD_ENGINE_PROBE_REQUEST_H_
#define LEVELFIELD_ENGINE_PROBE_REQUEST_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/description.h"
#include "engine/features.h"
#include "engine/options.h"

namespace levelfield {

struct ProbeRequest {
  std::string engine;  // The spec.
  GivenOptions options;
  // Names of the alternatives to apply. The first one wins.
  std::vector<std::string> alternatives = {};
  std::string durability;     // Checked together with the options. Empty: nothing is checked.
  bool integer_keys = false;  // Keys are integers in the machine's order.
  std::string path = "";      // Asks this instead: is it a store of this engine?
  bool reads_only = false;    // Asks instead whether it opens the store there read-only.
  // Opens a store of its own, see `untold` and `features`. Takes up to 0.1 seconds.
  bool asks_untold = false;
};

struct ProbeReply {
  std::string engine;
  Status status = Status::Ok();  // Why the engine cannot be loaded, or refuses the options.
  bool is_loaded = false;        // `description` is valid.
  EngineDescription description;
  ResolvedOptions options;
  bool recognizes = false;  // The path is a store of this engine, whoever made it.
  // Options whose value in force the engine does not tell (lf_engine::in_force).
  std::vector<std::string> untold;
  std::vector<Feature> features;
};

// What the engine is given by a request, as far as its description decides: `options` without the
// class of durability. kUsage: it refuses that class, or one of the options.
Status Resolve(const EngineDescription& engine, const ProbeRequest& request,
               ResolvedOptions& options);

// With the class, which the engine itself then checks.
SettingList SettingsToCheck(const ProbeRequest& request, const ResolvedOptions& options);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_PROBE_REQUEST_H_
