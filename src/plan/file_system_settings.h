// The flags for a run's private file system (--fs): whether they make sense together, and what this
// machine can do. Makes nothing.
#ifndef LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_
#define LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

// kUsage for what no machine can do.
Status CheckFileSystem(const Settings& settings, uint64_t needed_bytes);

// Empty where the one that is asked for can be made on this machine, or none is; else why not.
std::string WhyNoRunFileSystem(const Settings& settings);

// Where its journal is, unless that is in it: then empty.
std::string JournalPlaceOf(const Settings& settings);

// What --fs_mount says to its kind; CheckFileSystem has accepted it.
std::string MountOptionsOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_FILE_SYSTEM_SETTINGS_H_
