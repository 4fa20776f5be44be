// The text above all figures: the name of the run, the settings that every engine shares, and what
// a reader must know about the whole result first. Every form of report also says if there are
// fewer figures than planned, or if their promises differ. Pure.
#ifndef LEVELFIELD_REPORT_HEADING_H_
#define LEVELFIELD_REPORT_HEADING_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// `sums` has one run for each of the series: all of its rounds together.
void AddHeading(const Result& sums, const std::vector<Series>& series, Report& report);

// What every engine was given, in a few words: "100,000 keys of 16 bytes, values of 100; 1 thread;
// memory not limited; --cache=cold". Empty for a result that does not say how many keys it has.
std::string ConditionsLine(const Result& result);

// "2 * AMD EPYC, kernel 6.1.0", as the system said it.
std::string MachineWords(const Result& result);

// "64M", or empty if memory was not limited (--memory).
std::string MemoryLimitOf(const Result& result);

// None if the result is complete and all stores keep the same promise, on a disk.
std::vector<std::string> BannerLines(const Result& result);
std::string BannerText(const Result& result);
void AddBanner(const Result& result, Report& report);

// "; these words", or nothing if there are none.
std::string AfterSemicolon(const std::string& words);

// Where and as what the engines of a table ran: the disk under the stores, the initial state of
// reading workloads, each engine's reported configuration, its allocator. Pure.

// "device: Samsung SSD 990 (nvme), ext4". An unknown part is `unknown`.
std::string DeviceWords(const Result& result);

// "ext4 of 512 MiB, mounted rw,relatime, ...": the file system made for a run, as it was in force.
std::string FileSystemWords(const FileSystem& file_system);

// A line for each different one that runs had, with their engines. Empty if none was made.
std::vector<std::string> FileSystemLines(const Result& result);

// What earlier workloads left for a workload: page cache, and deferred work. Empty if the result
// does not have it.
std::string StateWords(const Result& result);

// The kind of settings shared by all engines (--settings), and compression, on which rates depend
// most.
std::string SettingsWords(const Result& result);

// "configuration 0123456789abcdef": its hash, by durability class if it differs between classes. If
// it is not known, the reason. Empty for results that do not have it.
std::string ConfigurationWords(const RunResult& run);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HEADING_H_
