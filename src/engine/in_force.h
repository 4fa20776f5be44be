// Compares what was asked of an engine with what its open store has in force. Pure, for any thread.
#ifndef LEVELFIELD_ENGINE_IN_FORCE_H_
#define LEVELFIELD_ENGINE_IN_FORCE_H_

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Names and canonical texts, as lf_setting wants them (engine/options.h makes them).
using SettingList = std::vector<std::pair<std::string, std::string>>;

// The hint that tells an engine which settings are defaults (`overridden` in engine_abi.h): their
// names, joined by commas. It is passed among the settings, but is not one and is not shown.
inline constexpr std::string_view kDefaultsHint = "defaults";
SettingList WithoutHints(SettingList settings);

// A setting that nobody has asked for, and what is in force in its place.
struct OverriddenDefault {
  std::string name;
  std::string value;
  std::string by;     // What states it. Empty: the engine does not tell.
  std::string asked;  // The default that gave way.

  bool operator==(const OverriddenDefault&) const = default;
};

// What an open store has told of itself.
struct ToldInForce {
  SettingList values;                         // lf_engine::in_force
  std::vector<OverriddenDefault> overridden;  // lf_engine::overridden; without `asked`.
};

// The defaults that gave way, each name once. kUsage, with all of them, if a setting that somebody
// has asked for is not in force.
StatusOr<std::vector<OverriddenDefault>> CompareInForce(const SettingList& asked,
                                                        const ToldInForce& told);

// "block_size=4096, because of the store; without that it is 1024"
std::string NoteOf(const OverriddenDefault& overridden);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_IN_FORCE_H_
