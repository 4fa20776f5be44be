// On what and as what the engines of a table ran: the disk below the stores, the state that reading
// workloads begin in, the configuration that each engine tells of itself, the allocator below it.
// Pure.
#ifndef LEVELFIELD_REPORT_SETUP_TEXT_H_
#define LEVELFIELD_REPORT_SETUP_TEXT_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "result/result.h"

namespace levelfield {

// "device: Samsung SSD 990 (nvme), ext4"; what is not known is `unknown`.
std::string DeviceWords(const Result& result);

// "ext4 of 512 MiB, mounted rw,relatime, ...": the one that was made for a run, as it was in force.
std::string FileSystemWords(const FileSystem& file_system);

// A line for each different one that runs had, with whose they were; empty where none was made.
std::vector<std::string> FileSystemLines(const Result& result);

// What a workload finds that those before it have left: in the page cache, and of work put off.
// Empty for results that do not say.
std::string StateWords(const Result& result);

// What of their settings all engines have in common (--settings), and compression by itself, of
// which rates depend most.
std::string SettingsWords(const Result& result);

// "configuration 0123456789abcdef": its hash, by the durability class where it differs with that;
// and where it is not known, why. Empty for results that do not have it.
std::string ConfigurationWords(const RunResult& run);

// A line for each thing that is not the same for all, though a table compares it: allocators of
// engines, configurations of one engine's rounds.
std::vector<std::string> SetupWarnings(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_SETUP_TEXT_H_
