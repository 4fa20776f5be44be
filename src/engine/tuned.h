// The recommendations of an engine's authors beyond its defaults, from engines/<name>.tuned: each
// setting with its reason, and the whole with its author and source, so that people can judge. A
// profile without an author is refused. Pure.
#ifndef LEVELFIELD_ENGINE_TUNED_H_
#define LEVELFIELD_ENGINE_TUNED_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Quantities that a recommendation may depend on.
struct TunedFor {
  uint64_t data_bytes = 0;    // Keys and values of a full store.
  uint64_t memory_bytes = 0;  // The budget, otherwise the machine's.
  uint64_t value_bytes = 0;   // The average value.
};

struct TunedSetting {
  std::string option;
  std::string value = {};    // As typed; or "2 x data", so many times the data.
  std::string when = {};     // "data > memory", "value > 204"; empty: always.
  std::string because = {};  // The source's statement.
};

struct TunedProfile {
  std::string author;
  std::string source;
  std::vector<TunedSetting> settings;
};

StatusOr<TunedProfile> ParseTuned(const std::string& name, const std::string& text);

// The settings for such a load, with their values.
std::vector<TunedSetting> Apply(const TunedProfile& profile, const TunedFor& load);

// The files of engines/, by engine.
std::span<const std::pair<std::string_view, std::string_view>> BuiltinTuned();

// The profile for a spec ("rocksdb@7.8"); a usage mistake (kUsage) if there is none.
StatusOr<TunedProfile> TunedOf(const std::string& engine);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_TUNED_H_
