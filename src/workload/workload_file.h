// The text form of a workload (docs/adding_a_workload.md): `key = value` lines, one section for
// each role. Parsing checks every word; its errors name the line and the nearest word. Resolving
// replaces `$num` and the other variables by the settings' numbers. Both are pure.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_FILE_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "settings/settings.h"
#include "workload/workload.h"

namespace levelfield {

inline constexpr size_t kMostWorkloadBytes = 64 << 10;

// `name` is what `--benchmarks` calls it and what errors name.
StatusOr<Workload> ParseWorkload(const std::string& name, std::string_view text,
                                 const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_FILE_H_
