#include "report/csv.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/load_verdict.h"
#include "result/merge.h"
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

// The source of a field. Numbers need a phase that is ok and so has a role.
struct CsvRow {
  const Result& result;
  const std::string& engine;
  const RunResult& run;
  const PhaseResult& phase;

  const RoleResult& role() const { return phase.roles.front(); }
};

struct CsvColumn {
  const char* name;
  bool is_figure;  // Empty if the phase is not ok.
  std::string (*value)(const CsvRow&);
};

std::string Text(const std::string& words) { return CsvField(Printable(words)); }
std::string Count(uint64_t count) { return std::to_string(count); }
std::string Real(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}
std::string Quotient(const Ratio& ratio) { return Real(ratio.value); }
std::string Counted(const Ratio& ratio) {
  return ratio.value ? Count(static_cast<uint64_t>(*ratio.value)) : "";
}

std::string Percentile(const std::optional<SparseHistogram>& histogram, double p) {
  return histogram ? Percentile(*histogram, p) : "";
}
std::string Service(const CsvRow& of, double p) {
  return Percentile(LatenciesOf(of.role(), &OperationStatistics::latency_ns), p);
}
std::string Response(const CsvRow& of, double p) {
  return Percentile(LatenciesOf(of.role(), &OperationStatistics::response_ns), p);
}

// As it was named with --host, or when it was merged.
std::string HostOf(const CsvRow& of) {
  const std::string merged = TextIn(of.run.variant.settings, kHostSetting);
  return merged.empty() ? SettingOf(of.result, kHostSetting) : merged;
}

constexpr CsvColumn kColumns[] = {
    {"result", false, [](const CsvRow& of) { return Text(of.result.name); }},
    {"started", false, [](const CsvRow& of) { return Text(of.result.started); }},
    {"engine", false, [](const CsvRow& of) { return Text(of.engine); }},
    {"variant", false, [](const CsvRow& of) { return Text(of.run.variant.name); }},
    {"host", false, [](const CsvRow& of) { return Text(HostOf(of)); }},
    {"version", false, [](const CsvRow& of) { return Text(of.run.version); }},
    {"round", false, [](const CsvRow& of) { return Count(of.run.round); }},
    {"seed", false, [](const CsvRow& of) { return Count(of.run.seed); }},
    {"benchmark", false, [](const CsvRow& of) { return Text(of.phase.workload); }},
    {"durability", false, [](const CsvRow& of) { return Text(of.phase.durability); }},
    {"level", false, [](const CsvRow& of) { return Text(std::string(NameOf(of.phase.level))); }},
    {"outcome", false,
     [](const CsvRow& of) { return Text(std::string(NameOf(of.phase.outcome))); }},
    {"message", false, [](const CsvRow& of) { return Text(of.phase.message); }},
    {"checked", true, [](const CsvRow& of) { return Text(WordsOf(of.phase.checked)); }},
    {"threads", true, [](const CsvRow& of) { return Count(of.role().threads); }},
    {"operations", true, [](const CsvRow& of) { return Count(of.role().Operations()); }},
    {"seconds", true, [](const CsvRow& of) { return Real(of.role().seconds); }},
    {"operations_per_second", true, [](const CsvRow& of) { return Real(RateOf(of.phase)); }},
    {"charged_operations_per_second", true,
     [](const CsvRow& of) { return Real(ChargedRateOf(of.phase)); }},
    {"settle_seconds", true,
     [](const CsvRow& of) { return of.phase.settle ? Real(of.phase.settle->seconds) : ""; }},
    {"rate_asked_per_second", true,
     [](const CsvRow& of) { return of.role().rate == 0 ? "" : Count(of.role().rate); }},
    {"p50_ns", true, [](const CsvRow& of) { return Service(of, 0.5); }},
    {"p90_ns", true, [](const CsvRow& of) { return Service(of, 0.9); }},
    {"p99_ns", true, [](const CsvRow& of) { return Service(of, 0.99); }},
    {"p99.9_ns", true, [](const CsvRow& of) { return Service(of, 0.999); }},
    {"max_ns", true,
     [](const CsvRow& of) {
       const auto latency_ns = LatenciesOf(of.role(), &OperationStatistics::latency_ns);
       return latency_ns && latency_ns->Count() != 0 ? Count(latency_ns->Max()) : "";
     }},
    {"response_p50_ns", true, [](const CsvRow& of) { return Response(of, 0.5); }},
    {"response_p99_ns", true, [](const CsvRow& of) { return Response(of, 0.99); }},
    {"response_p99.9_ns", true, [](const CsvRow& of) { return Response(of, 0.999); }},
    // "late generator": the response times are upper bounds.
    {"load_verdict", true,
     [](const CsvRow& of) {
       return of.role().load ? Text(std::string(NameOf(of.role().load->verdict))) : "";
     }},
    {"cpu_us_per_operation", true,
     [](const CsvRow& of) { return Quotient(CostOf(of.phase).cpu_us); }},
    {"written_per_put_device", true,
     [](const CsvRow& of) { return Quotient(CostOf(of.phase).write_device); }},
    {"written_per_put_dirtied", true,
     [](const CsvRow& of) { return Quotient(CostOf(of.phase).write_dirtied); }},
    {"fetched_per_read", true,
     [](const CsvRow& of) { return Quotient(CostOf(of.phase).read_device); }},
    {"space_per_held", true, [](const CsvRow& of) { return Quotient(CostOf(of.phase).space); }},
    {"disk_bytes", true, [](const CsvRow& of) { return Count(of.phase.disk_bytes); }},
    {"sync_calls", true, [](const CsvRow& of) { return Counted(CostOf(of.phase).sync_calls); }},
    {"anonymous_bytes", true,
     [](const CsvRow& of) { return Counted(CostOf(of.phase).anonymous_bytes); }},
    {"file_bytes", true, [](const CsvRow& of) { return Counted(CostOf(of.phase).file_bytes); }},
    {"cut_off", false, [](const CsvRow& of) { return Text(CutOffWords(of.result)); }},
};

}  // namespace

std::string IntervalsHeader() {
  return "run,round,engine,phase,benchmark,begin_seconds,end_seconds,role,role_operations,"
         "role_operations_per_second,operation,latencies,p50_ns,p99_ns,p99.9_ns,max_ns,"
         "responses,response_p50_ns,response_p99_ns,response_p99.9_ns,response_max_ns\n";
}

Status NoIntervals(const std::string& directory) {
  return Status::Usage(fmt::format(
      "{}: there are no intervals in it: it was made with --interval_seconds=0",
      Printable(directory)));
}

std::string IntervalRows(const StoredInterval& stored) {
  const PhaseInterval& interval = stored.interval;
  const uint64_t ms = interval.end_ms - interval.begin_ms;
  std::string rows;
  for (const RoleInterval& role : interval.roles) {
    const std::string begin = fmt::format(
        "{},{},{},{},{},{:.3f},{:.3f},{},{},{}", stored.run, stored.round,
        CsvField(Printable(stored.engine)), stored.phase, CsvField(Printable(stored.workload)),
        static_cast<double>(interval.begin_ms) * 1e-3, static_cast<double>(interval.end_ms) * 1e-3,
        CsvField(Printable(role.name)), role.operations,
        ms == 0 ? ""
                : fmt::format("{:.1f}", static_cast<double>(role.operations) * 1e3 /
                                            static_cast<double>(ms)));
    if (role.statistics.empty()) rows += begin + ",,,,,,,,,,,\n";  // Untimed.
    for (const StatisticsInterval& stats : role.statistics) {
      rows += fmt::format("{},{},{},{}\n", begin, CsvField(Printable(stats.operation)),
                          LatencyFields(stats.latency_ns), ResponseFields(stats.response_ns));
    }
  }
  return rows;
}

StatusOr<std::string> IntervalRowsOf(const Result&, const std::string& directory, const Settings&) {
  std::string rows;
  bool torn = false;
  RETURN_IF_ERROR(ForEachInterval(directory, &torn, [&](const StoredInterval& stored) {
    rows += IntervalRows(stored);
  }));
  if (rows.empty()) return NoIntervals(directory);
  return rows;
}

std::string CsvHeader() {
  std::vector<std::string> names;
  for (const CsvColumn& column : kColumns) names.emplace_back(column.name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

StatusOr<std::string> CsvRowsOf(const Result& result, const std::string&, const Settings&) {
  std::string rows;
  const std::vector<std::string> engines = EngineNamesOf(result);
  for (size_t i = 0; i < result.runs.size(); ++i) {
    const RunResult& run = result.runs[i];
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit) continue;
      const bool has_figures = phase.outcome == Outcome::kOk && !phase.roles.empty() &&
                               !phase.roles[0].statistics.empty();
      std::vector<std::string> fields;
      for (const CsvColumn& column : kColumns) {
        fields.push_back(
            column.is_figure && !has_figures ? "" : column.value({result, engines[i], run, phase}));
      }
      rows += fmt::format("{}\n", fmt::join(fields, ","));
    }
  }
  return rows;
}

}  // namespace levelfield
