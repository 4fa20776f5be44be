#include "durability/cuttable_disk.h"

#include "durability/shutdown_disk.h"
#include "durability/volatile_disk.h"

namespace levelfield {

std::string CuttableDisk::WhyNot(PowerCut cut, const std::string& file_system) {
  return cut == PowerCut::kShutdown ? WhyNoShutdownDisk(file_system)
                                    : WhyNoVolatileDisk(file_system);
}

StatusOr<std::unique_ptr<CuttableDisk>> CuttableDisk::Make(const Options& options) {
  if (std::string why = WhyNot(options.cut, options.file_system); !why.empty()) {
    return Status::Failed(why);
  }
  return options.cut == PowerCut::kShutdown ? MakeShutdownDisk(options) : MakeVolatileDisk(options);
}

}  // namespace levelfield
