// Describes the machine. This manifest goes with every result, so that a number can be judged, and
// two numbers compared, long afterwards (methodology F10).
//
// Every field is a value or the text "unknown: <reason>". A missing or unreadable file costs only
// its own field, and nothing here fails. It records what can change a number. It does not record
// the host's name, serial numbers, or network settings of the kernel's command line. Any thread may
// call. A call takes some milliseconds, so do not call during a measurement.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace levelfield {

struct EnvironmentSource {
  // Where /proc, /sys and the like are read. Tests have a tree of their own. Facts about this
  // process (compiler, libc, limits) are never read from it.
  std::string root = "/";
  // When the run began, UTC, ISO 8601; empty for now.
  std::string started;
};

// `store_path` is recorded as typed. The file system and disk are those of its deepest existing
// directory.
nlohmann::ordered_json CaptureEnvironment(const std::string& store_path,
                                          const EnvironmentSource& source = {});

// 16 hex digits, equal for two manifests with the same hardware, kernel and kernel settings,
// whatever ran there and when (FNV-1a over the fields marked kHardware).
std::string Fingerprint(const nlohmann::ordered_json& environment);

// Further facts that decide how fast a store is: disk, file system, and limits on the process.
// Pairs of name and value. An unknown value is "unknown", without its reason.
std::vector<std::pair<std::string, std::string>> LastingConditions(
    const nlohmann::ordered_json& environment);

// Reasons to distrust figures from the stores' drive, for any engine: a sentence each. Empty if all
// is well, or nothing is known.
std::vector<std::string> DriveWarnings(const nlohmann::ordered_json& environment);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_H_
