// Asks engines about themselves, each in its own process, all at once: what they are, what library
// they found, and whether they can honour given options. So the driver knows every refusal before
// anything is created, without having loaded an engine.
#ifndef LEVELFIELD_ENGINE_ENGINE_PROBE_H_
#define LEVELFIELD_ENGINE_ENGINE_PROBE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/description.h"
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
  bool asks_untold = false;   // Opens a store of its own, see `untold`. Takes up to 0.1 seconds.
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
};

// In the order of the requests.
std::vector<ProbeReply> ProbeEngines(const std::vector<ProbeRequest>& requests);

// Parses the reply of an engine's process. The engine may have written to it, too.
ProbeReply ReadReply(const std::string& engine, const std::string& text);

// The child's side: one request on standard input, one reply on descriptor 3. Returns its exit
// code.
int AnswerProbe();

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_ENGINE_PROBE_H_
