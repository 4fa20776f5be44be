// A process that writes to a store, tells of every acknowledgement, and dies by SIGKILL in the
// middle: the evidence for the class `process`. It is this program run again, because a fork alone
// would leave the engine without its threads.
#ifndef LEVELFIELD_TESTS_CONFORMANCE_WRITE_UNTIL_KILLED_H_
#define LEVELFIELD_TESTS_CONFORMANCE_WRITE_UNTIL_KILLED_H_

#include <filesystem>
#include <string>
#include <utility>

namespace levelfield {

inline constexpr const char kWriteUntilKilledFlag[] = "--write-until-killed";
inline constexpr int kWritesUntilKilled = 60;

// The n-th write, counted from 1: key and value of a put, or of the first entry of a batch whose
// second entry has "+" behind its key.
std::pair<std::string, std::string> KilledWrite(int n);
inline bool KilledWriteIsBatch(int n) { return n % 3 == 0; }

// What the child does; returns only when something went wrong, having said so on stderr.
int WriteUntilKilled(const std::string& engine, const std::filesystem::path& directory,
                     const std::string& durability);

// Runs the child and waits for its death; the number of writes that were acknowledged, or -1 when
// it died of anything but its own SIGKILL.
int AcknowledgedWritesUntilKilled(const std::string& engine, const std::filesystem::path& directory,
                                  const std::string& durability);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_CONFORMANCE_WRITE_UNTIL_KILLED_H_
