// The flags for a run's private file system (--fs): whether they fit together, and whether the
// machine can do it. Pure.
#ifndef LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_
#define LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "plan/known.h"
#include "settings/settings.h"

namespace levelfield {

// kUsage if no machine can do it.
Status CheckFileSystem(const Settings& settings, uint64_t needed_bytes);

// Empty if the machine can make the requested file system, or none was requested. Otherwise why
// not.
StatusOr<std::string> WhyNoRunFileSystem(const Settings& settings, Known& known);

// The place of its journal. Empty if the journal is inside it.
std::string JournalPlaceOf(const Settings& settings);

// The options in --fs_mount for its kind. CheckFileSystem has accepted them.
std::string MountOptionsOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_
