// On which of the machine's processors an engine's process runs. Set before its engine is loaded,
// so all threads that it ever makes are held to them. Where the scheduler may move threads about,
// a run is now on warm caches and now on cold ones, and two engines share what they happen to.
#ifndef LEVELFIELD_PROBE_PROCESSORS_H_
#define LEVELFIELD_PROBE_PROCESSORS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// The kernel's numbers, ascending, each once: "0,2-3" is 0, 2, 3.
StatusOr<std::vector<int>> ParseProcessors(std::string_view text);
// The inverse, with ranges: "0,2-3".
std::string ProcessorsText(const std::vector<int>& processors);

// Those that the calling thread may run on; empty where the kernel does not tell.
std::vector<int> ProcessorsInForce();

// From now on the calling thread, and every thread that it makes later, runs on these alone.
Status RunOnProcessors(const std::vector<int>& processors);

// Whether --cpus names processors that this program may use, as a mistake (kUsage) if not.
Status CheckProcessors(const std::string& cpus);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_PROCESSORS_H_
