// Turns typed options into an engine's settings. Looks up each option in the engine's own table and
// reads its text by its kind. An option that the engine lacks is refused or noted, never silently
// dropped. Pure, for any thread.
#ifndef LEVELFIELD_ENGINE_OPTIONS_H_
#define LEVELFIELD_ENGINE_OPTIONS_H_

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/description.h"
#include "engine/engine.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

struct GivenOptions {
  SettingList common = {};  // For every engine: --cache_size=64M.
  SettingList own = {};  // For this engine: --rocksdb.cache_size=64M. These win over common ones.
  std::set<std::string> defaults = {};  // Names of those that nobody has typed.
};

struct ResolvedOptions {
  SettingList settings;            // Canonical, as lf_setting wants them; each name once.
  std::string defaults;            // Names of those that nobody has typed, joined by commas.
  // Common options that the engine lacks, with its reason.
  std::vector<std::pair<std::string, std::string>> not_applied;
  std::vector<std::string> notes;  // On how an existing store is used.
};

// `given`, plus the alternatives of these names that keep the durability class's promise, as
// options that nobody has typed. An alternative is left out if `given` or an earlier alternative
// sets any of its options.
GivenOptions WithAlternatives(const EngineDescription& engine,
                              const std::vector<std::string>& names, const std::string& durability,
                              GivenOptions given);

// A common option that the engine lacks (LF_ABSENT) is not applied, because it was given to all
// engines. That is not told if the value means doing without (`none`, 0). An own option that the
// engine lacks or does not know (unless it has LF_MORE_OPTIONS) is a mistake (kUsage). So are a
// text that its kind does not accept, and a name given twice.
StatusOr<ResolvedOptions> ResolveEngineSettings(const EngineDescription& engine,
                                                const GivenOptions& given);

// Options with the same meaning for every engine. An engine's table answers each of them with this
// kind or with LF_ABSENT. On the command line they have no engine's name.
struct CommonOption {
  std::string_view name;
  lf_option_kind kind;
};

inline constexpr std::array<CommonOption, 6> kCommonOptions{{{"cache_size", LF_BYTES},
                                                             {"write_buffer_size", LF_BYTES},
                                                             {"block_size", LF_BYTES},
                                                             {"bloom_bits", LF_COUNT},
                                                             {"compression", LF_CHOICE},
                                                             {"max_open_files", LF_COUNT}}};

inline constexpr std::array<std::string_view, 3> kDurabilityClasses{"none", "process", "synced"};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_OPTIONS_H_
