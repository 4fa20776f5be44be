// What the manifest's environment says of the drive that speaks against figures from it, whichever
// engine they are of. Pure.
#ifndef LEVELFIELD_ANALYSIS_DRIVE_STATE_H_
#define LEVELFIELD_ANALYSIS_DRIVE_STATE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levelfield {

// A sentence for each thing; none where all is well, or nothing is known.
std::vector<std::string> DriveWarnings(const nlohmann::ordered_json& environment);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DRIVE_STATE_H_
