// Reports of any verb in the form of --format, and the files that formats write.
#ifndef LEVELFIELD_VERBS_REPORT_H_
#define LEVELFIELD_VERBS_REPORT_H_

#include <string>
#include <string_view>

#include "analysis/comparison.h"
#include "report/model.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/verbs.h"

namespace levelfield {

// An error if that format only writes results.
StatusOr<std::string> WriteReport(const Report& report, const Settings& settings,
                                  std::string_view verb);

// As wide as the terminal.
std::string ForTerminal(const Report& report);

// The comparisons in a result, as flags request them or as it ran.

// With the margin that the run was given, unless `settings` give another.
Settings WithMarginOf(const Result& result, Settings settings);
// Where nobody has named a baseline, with the engine that is the best in most workloads.
Settings WithBestAsBaseline(const Result& result, Settings settings);
// Within one result: all its engines if --against or --baseline is given. With variants, each of
// them with the first.
StatusOr<std::vector<Comparison>> ComparisonsOf(const Result& result, const Settings& settings);
// The comparisons that its run asked for, unless `settings` ask for others.
StatusOr<std::vector<Comparison>> ComparisonsAsItRan(const Result& result, Settings settings);
// Each engine as the baseline of all others, for readers who choose the baseline later. Empty if
// nothing can be compared.
std::vector<Comparison> ComparisonsOfAllPairs(const Result& result, const Settings& settings);
// Latencies too with -v, and for programs.
Report ReportOf(const std::vector<Comparison>& comparisons, const Settings& settings);
struct Compared {
  Report report;
  int exit_code = 0;
  std::vector<Comparison> comparisons = {};
};
StatusOr<Compared> CompareEngines(const Result& result, const Settings& settings);
// The first screen, and below it what no table has. With commands to go on, if `directory` is not
// empty.
Report ScreenOf(const Result& result, const Settings& settings, const std::string& directory);
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
using Noise = std::vector<std::pair<std::string, double>>;
// What a result of `levelfield noise` says of each workload. An error if the directory has none, or
// it was measured with other keys, values, threads or durations than `measured`, or on another
// machine than `compared` (null: that is not known yet).
StatusOr<Noise> ReadNoise(const std::string& directory, const NamedTexts& measured,
                          const Result* compared = nullptr);
// An error if --baseline names an engine that the result does not have.
Status CheckBaseline(const Result& result, const Settings& settings);

// Writes <directory>/report.html and returns its name. `settings` choose what its engines are
// compared with.
StatusOr<std::string> WritePageOf(const Result& result, const std::string& directory,
                                  const Settings& settings);

// Makes the directory `to`, which must not exist, with a .hlog and a .hgrm for each operation of
// each role of each workload. An open loop gives two of each (of service times, and `-response`).
// Returns their names, a line each.
StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_H_
