// Asks engines about themselves, each in its own process, all at once: what they are, what library
// they found, and whether they can honour given options. So the driver knows every refusal before
// anything is created, without having loaded an engine.
#ifndef LEVELFIELD_ENGINE_ENGINE_PROBE_H_
#define LEVELFIELD_ENGINE_ENGINE_PROBE_H_

#include <string>
#include <vector>

#include "engine/probe_request.h"

namespace levelfield {

// In the order of the requests.
std::vector<ProbeReply> ProbeEngines(const std::vector<ProbeRequest>& requests);

// Parses the reply of an engine's process. The engine may have written to it, too.
ProbeReply ReadReply(const std::string& engine, const std::string& text);

// The child's side: one request on standard input, one reply on descriptor 3. Returns its exit
// code.
int AnswerProbe();

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_ENGINE_PROBE_H_
