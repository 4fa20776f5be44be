#include "probe/counter_growth.h"

#include <algorithm>

namespace levelfield {

EngineCounters CountersSince(const EngineCounters& before, EngineCounters after) {
  for (auto& [name, count] : after) {
    const auto it = std::ranges::find(before, name, &EngineCounters::value_type::first);
    if (it != before.end()) count -= std::min(count, it->second);
  }
  return after;
}

}  // namespace levelfield
