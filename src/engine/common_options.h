// The options that mean the same for every engine. An engine's table answers each of them with this
// kind or with LF_ABSENT; the command line gives them without an engine's name.
#ifndef LEVELFIELD_ENGINE_COMMON_OPTIONS_H_
#define LEVELFIELD_ENGINE_COMMON_OPTIONS_H_

#include <array>
#include <string_view>

#include "levelfield/engine_abi.h"

namespace levelfield {

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

#endif  // LEVELFIELD_ENGINE_COMMON_OPTIONS_H_
