// The text above all figures: the name of the run, what was asked of every engine alike, and what a
// reader must know about the whole result first. Every form of report also says if there are fewer
// figures than planned, or if they have different promises. Pure.
#ifndef LEVELFIELD_REPORT_HEADING_H_
#define LEVELFIELD_REPORT_HEADING_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// `sums` has one run for each of the series: all of its rounds put together.
void AddHeading(const Result& sums, const std::vector<Series>& series, Report& report);

// None where the result is whole and all stores keep the same promise, on a disk.
std::vector<std::string> BannerLines(const Result& result);
std::string BannerText(const Result& result);
void AddBanner(const Result& result, Report& report);

// "; these words"; nothing of none.
std::string AfterSemicolon(const std::string& words);

// On what and as what the engines of a table ran: the disk below the stores, the state that reading
// workloads begin in, the configuration that each engine tells of itself, the allocator below it.
// Pure.

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

#endif  // LEVELFIELD_REPORT_HEADING_H_
