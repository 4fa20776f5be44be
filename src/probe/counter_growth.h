// What an engine's own counters have grown by while something was measured. Pure; any thread.
#ifndef LEVELFIELD_PROBE_COUNTER_GROWTH_H_
#define LEVELFIELD_PROBE_COUNTER_GROWTH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levelfield {

// By name, as Store::Counters() gives them.
using EngineCounters = std::vector<std::pair<std::string, uint64_t>>;

// The counters of `after`, each without what it was before; one that has fallen meanwhile is 0, and
// one that was not there is taken whole.
EngineCounters CountersSince(const EngineCounters& before, EngineCounters after);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_COUNTER_GROWTH_H_
