// The command line of `levelfield verify durability`: its own flags, and those of other verbs that
// it takes. A mistake is told before anything is created.
#ifndef LEVELFIELD_VERBS_DURABILITY_FLAGS_H_
#define LEVELFIELD_VERBS_DURABILITY_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

struct DurabilityAsked {
  Settings settings;
  std::vector<std::string> classes;
  std::vector<std::string> faults;
  std::vector<std::string> file_systems;
  std::vector<std::string> cut_methods;
  std::vector<double> survives;
  std::vector<uint32_t> threads;
  uint64_t kills = 0;
  uint64_t cuts = 0;
  bool eats_flushes = false;
  std::string format = "table";
};

// `words` are those behind `verify durability`.
StatusOr<DurabilityAsked> ParseDurability(Words words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DURABILITY_FLAGS_H_
