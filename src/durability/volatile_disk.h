// PowerCut::kVolatile of cuttable_disk.h.
#ifndef LEVELFIELD_DURABILITY_VOLATILE_DISK_H_
#define LEVELFIELD_DURABILITY_VOLATILE_DISK_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "durability/cuttable_disk.h"

namespace levelfield {

std::string WhyNoVolatileDisk(const std::string& file_system);
StatusOr<std::unique_ptr<CuttableDisk>> MakeVolatileDisk(const CuttableDisk::Options& options);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_VOLATILE_DISK_H_
