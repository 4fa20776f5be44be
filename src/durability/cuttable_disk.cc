#include "durability/cuttable_disk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/quote.h"
#include "durability/shutdown_disk.h"
#include "durability/volatile_disk.h"

namespace levelfield {

std::string CuttableDisk::WhyNot(PowerCut cut, const std::string& file_system) {
  // Power cuts were tried out on these; others are only for runs.
  constexpr std::array<std::string_view, 5> kCut = {"ext2", "ext3", "ext4", "xfs", "btrfs"};
  if (std::ranges::find(kCut, file_system) == kCut.end()) {
    return fmt::format("{} cannot have its power cut; these can: {}", Quote(file_system),
                       fmt::join(kCut, ", "));
  }
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
