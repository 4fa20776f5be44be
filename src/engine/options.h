// From what people type to what an engine is handed: each option is looked up in the engine's own
// table, its text is read by its kind, and what the engine does not have is refused or noted, never
// dropped in silence. Pure, for any thread.
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
  SettingList common = {};  // Asked of every engine: --cache_size=64M.
  SettingList own = {};     // Asked of this one: --rocksdb.cache_size=64M, which then wins.
  std::set<std::string> defaults = {};  // The names of those that nobody has typed.
};

struct ResolvedOptions {
  SettingList settings;            // Canonical, as lf_setting wants them; each name once.
  std::string defaults;            // Names of those that nobody has typed, with commas between.
  std::vector<std::string> notes;  // "lmdb: cache_size does not apply: <the engine's reason>"
};

// `given`, and the alternatives of these names that keep what the durability class promises, as
// options that nobody has typed. One gives way where `given`, or one before it, has anything of it.
GivenOptions WithAlternatives(const EngineDescription& engine,
                              const std::vector<std::string>& names, const std::string& durability,
                              GivenOptions given);

// A common option that the engine lacks (LF_ABSENT) is a note, because it was asked of all engines,
// unless what was asked is to do without (`none`, 0);
// an own option that it lacks or does not know (but for one with LF_MORE_OPTIONS) is a mistake
// (kUsage), as is a text that its kind does not take, or a name given twice.
StatusOr<ResolvedOptions> ResolveEngineSettings(const EngineDescription& engine,
                                                const GivenOptions& given);

// The hint by which an engine knows defaults (`overridden` in engine_abi.h). Told among the
// settings, and none of them: it is not shown.
inline constexpr std::string_view kDefaultsHint = "defaults";
SettingList WithoutHints(SettingList settings);

// The options that mean the same for every engine. An engine's table answers each of them with this
// kind or with LF_ABSENT; the command line gives them without an engine's name.
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
