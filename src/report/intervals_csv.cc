#include "report/intervals_csv.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "report/csv.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

std::string Percentile(const SparseHistogram& histogram, double p) {
  const std::optional<uint64_t> value = histogram.Percentile(p);
  return value ? std::to_string(*value) : "";
}

std::string LatencyFields(const SparseHistogram& histogram) {
  const uint64_t count = histogram.Count();
  if (count == 0) return "0,,,,";
  return fmt::format("{},{},{},{},{}", count, Percentile(histogram, 0.5),
                     Percentile(histogram, 0.99), Percentile(histogram, 0.999), histogram.Max());
}

std::string ResponseFields(const std::optional<SparseHistogram>& response_ns) {
  return response_ns ? LatencyFields(*response_ns) : ",,,,";
}

}  // namespace

std::string IntervalsHeader() {
  return "run,round,engine,phase,benchmark,begin_seconds,end_seconds,role,role_operations,"
         "role_operations_per_second,operation,latencies,p50_ns,p99_ns,p99.9_ns,max_ns,"
         "responses,response_p50_ns,response_p99_ns,response_p99.9_ns,response_max_ns\n";
}

Status NoIntervals(const std::string& directory) {
  return Status::Usage(fmt::format(
      "{}: there are no intervals in it: it was made with --interval_seconds=0, or by an older "
      "version",
      Printable(directory)));
}

std::string IntervalRows(const Result& result, const StoredInterval& stored) {
  const PhaseInterval& interval = stored.interval;
  const uint64_t round = stored.run < result.runs.size() ? result.runs[stored.run].round : 0;
  const uint64_t ms = interval.end_ms - interval.begin_ms;
  std::string rows;
  for (const RoleInterval& role : interval.roles) {
    const std::string begin = fmt::format(
        "{},{},{},{},{},{:.3f},{:.3f},{},{},{}", stored.run, round,
        CsvField(Printable(stored.engine)), stored.phase, CsvField(Printable(stored.workload)),
        static_cast<double>(interval.begin_ms) * 1e-3, static_cast<double>(interval.end_ms) * 1e-3,
        CsvField(Printable(role.name)), role.operations,
        ms == 0 ? ""
                : fmt::format("{:.1f}", static_cast<double>(role.operations) * 1e3 /
                                            static_cast<double>(ms)));
    if (role.lanes.empty()) rows += begin + ",,,,,,,,,,,\n";  // Untimed.
    for (const LaneInterval& lane : role.lanes) {
      rows += fmt::format("{},{},{},{}\n", begin, CsvField(Printable(lane.operation)),
                          LatencyFields(lane.latency_ns), ResponseFields(lane.response_ns));
    }
  }
  return rows;
}

StatusOr<std::string> IntervalRowsOf(const Result& result, const std::string& directory,
                                     const Settings&) {
  std::string rows;
  bool torn = false;
  RETURN_IF_ERROR(ForEachInterval(directory, &torn, [&](const StoredInterval& stored) {
    rows += IntervalRows(result, stored);
  }));
  if (rows.empty()) return NoIntervals(directory);
  return rows;
}

}  // namespace levelfield
