// The whole life of the process of disk_server.h.
#ifndef LEVELFIELD_DURABILITY_DISK_PROCESS_H_
#define LEVELFIELD_DURABILITY_DISK_PROCESS_H_

#include <cstdint>
#include <string>

namespace levelfield {

// The files of the directory. `control` takes one command a write, which is carried out before the
// write returns (a bad one is EINVAL), and reads as "<bytes written> <flushes>":
//   cut <chance> <seed>    eat    fail <number of a DiskFault> <from nth>
inline constexpr const char* kDiskFile = "disk";
inline constexpr const char* kLeftFile = "left";
inline constexpr const char* kControlFile = "control";
inline constexpr char kDiskIsReady = '+';

// Mounts the files on this directory and serves them until they are unmounted. Writes kDiskIsReady
// to `ready_fd` and closes it when they are there; else writes there what went wrong.
void ServeDisk(uint64_t bytes, const std::string& directory, int ready_fd);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_DISK_PROCESS_H_
