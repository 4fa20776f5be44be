// PowerCut::kShutdown of cuttable_disk.h.
#ifndef LEVELFIELD_DURABILITY_SHUTDOWN_DISK_H_
#define LEVELFIELD_DURABILITY_SHUTDOWN_DISK_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "durability/cuttable_disk.h"

namespace levelfield {

std::string WhyNoShutdownDisk(const std::string& file_system);
StatusOr<std::unique_ptr<CuttableDisk>> MakeShutdownDisk(const CuttableDisk::Options& options);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_SHUTDOWN_DISK_H_
