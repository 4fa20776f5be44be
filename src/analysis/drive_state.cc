#include "analysis/drive_state.h"

#include <fmt/format.h>

namespace levelfield {
namespace {

// Beyond that, flash has so little to move data to that it writes each page several times, and file
// systems look for free blocks in many places (Didona et al., VLDB 2021).
constexpr double kMostFillPercent = 80;

}  // namespace

std::vector<std::string> DriveWarnings(const nlohmann::ordered_json& environment) {
  std::vector<std::string> warnings;
  const auto fill = environment.find("filesystem_fill_percent");
  if (fill != environment.end() && fill->is_number() && fill->get<double>() > kMostFillPercent) {
    warnings.push_back(fmt::format(
        "the file system of the stores was {:.1f} % full before the run; above {:.0f} % drives and "
        "file systems slow down by themselves: free some of it, or give --db another one",
        fill->get<double>(), kMostFillPercent));
  }
  return warnings;
}

}  // namespace levelfield
