// What the machine was like: the manifest that goes with every result, so that a number can be
// judged, and two numbers compared, long after (methodology F10).
//
// Every field is a value or the text "unknown: <reason>". A missing or unreadable file costs only
// its own field, and nothing here fails. It records what can change a number. It does not record
// the host's name, serial numbers, or network settings of the kernel's command line. Any thread may
// call; it takes some milliseconds, so not during a measurement.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace levelfield {

struct EnvironmentSource {
  // Where /proc, /sys and the like are read: tests have a tree of their own. What the process knows
  // of itself (compiler, libc, limits) is always asked of the process.
  std::string root = "/";
  // When the run began, UTC, ISO 8601; empty for now.
  std::string started;
};

// `store_path` is recorded as typed; its file system and disk are those of its deepest directory
// that exists.
nlohmann::ordered_json CaptureEnvironment(const std::string& store_path,
                                          const EnvironmentSource& source = {});

// 16 hex digits that are the same for two manifests from the same hardware, kernel and kernel
// settings, whatever ran there and when (FNV-1a over the fields marked so).
std::string Fingerprint(const nlohmann::ordered_json& environment);

// What else decides how fast a store is there: its disk and file system, and what the process was
// allowed to use. By name; what is unknown is "unknown", for whatever reason.
std::vector<std::pair<std::string, std::string>> LastingConditions(
    const nlohmann::ordered_json& environment);

// What speaks against figures from the stores' drive, whichever engine they are of: a sentence for
// each thing; none where all is well, or nothing is known.
std::vector<std::string> DriveWarnings(const nlohmann::ordered_json& environment);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_H_
