#include "durability/cuttable_disk.h"

#include "durability/shutdown_disk.h"

namespace levelfield {

std::string CuttableDisk::WhyNot(PowerCut cut, const std::string& file_system) {
  return cut == PowerCut::kShutdown ? WhyNoShutdownDisk(file_system)
                                    : "no disk with a volatile cache here";
}

StatusOr<std::unique_ptr<CuttableDisk>> CuttableDisk::Make(const Options& options) {
  if (std::string why = WhyNot(options.cut, options.file_system); !why.empty()) {
    return Status::Failed(why);
  }
  return MakeShutdownDisk(options);
}

}  // namespace levelfield
