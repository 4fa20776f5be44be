#include "report/csv.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "result/completion.h"
#include "result/load_verdict.h"
#include "result/outcome.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

// What a field is computed from. Numbers are of phases that are ok, which have a role.
struct Of {
  const Result& result;
  const RunResult& run;
  const PhaseResult& phase;

  const RoleResult& role() const { return phase.roles.front(); }
};

struct Column {
  const char* name;
  bool is_figure;  // Empty where the phase is not ok.
  std::string (*value)(const Of&);
};

std::string Text(const std::string& words) { return CsvField(Printable(words)); }
std::string Count(uint64_t count) { return std::to_string(count); }
std::string Real(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}
std::string Quotient(const Ratio& ratio) { return Real(ratio.value); }

template <std::optional<SparseHistogram> LaneResult::*kWhich>
std::string Percentile(const Of& of, double p) {
  const LaneResult& lane = of.role().lanes.front();
  if (!(lane.*kWhich)) return "";
  const auto value = (lane.*kWhich)->Percentile(p);
  return value ? Count(*value) : "";
}
std::string Service(const Of& of, double p) { return Percentile<&LaneResult::latency_ns>(of, p); }
std::string Response(const Of& of, double p) { return Percentile<&LaneResult::response_ns>(of, p); }

template <class Get>
std::string Used(const Of& of, Get get) {
  return of.phase.resources ? get(*of.phase.resources) : "";
}

constexpr Column kColumns[] = {
    {"result", false, [](const Of& of) { return Text(of.result.name); }},
    {"started", false, [](const Of& of) { return Text(of.result.started); }},
    {"engine", false, [](const Of& of) { return Text(of.run.engine); }},
    {"variant", false, [](const Of& of) { return Text(of.run.variant.name); }},
    {"version", false, [](const Of& of) { return Text(of.run.version); }},
    {"round", false, [](const Of& of) { return Count(of.run.round); }},
    {"seed", false, [](const Of& of) { return Count(of.run.seed); }},
    {"benchmark", false, [](const Of& of) { return Text(of.phase.workload); }},
    {"durability", false, [](const Of& of) { return Text(of.phase.durability); }},
    {"level", false, [](const Of& of) { return Text(of.phase.level); }},
    {"outcome", false,
     [](const Of& of) { return Text(std::string(OutcomeName(of.phase.outcome))); }},
    {"message", false, [](const Of& of) { return Text(of.phase.message); }},
    {"checked", true, [](const Of& of) { return Text(of.phase.checked); }},
    {"threads", true, [](const Of& of) { return Count(of.role().threads); }},
    {"operations", true, [](const Of& of) { return Count(of.role().Operations()); }},
    {"seconds", true, [](const Of& of) { return Real(of.role().seconds); }},
    {"operations_per_second", true, [](const Of& of) { return Real(RateOf(of.phase)); }},
    {"charged_operations_per_second", true,
     [](const Of& of) { return Real(ChargedRateOf(of.phase)); }},
    {"settle_seconds", true,
     [](const Of& of) { return of.phase.settle ? Real(of.phase.settle->seconds) : ""; }},
    {"rate_asked_per_second", true,
     [](const Of& of) { return of.role().rate == 0 ? "" : Count(of.role().rate); }},
    {"p50_ns", true, [](const Of& of) { return Service(of, 0.5); }},
    {"p90_ns", true, [](const Of& of) { return Service(of, 0.9); }},
    {"p99_ns", true, [](const Of& of) { return Service(of, 0.99); }},
    {"p99.9_ns", true, [](const Of& of) { return Service(of, 0.999); }},
    {"max_ns", true,
     [](const Of& of) {
       const auto& latency_ns = of.role().lanes.front().latency_ns;
       return latency_ns && latency_ns->Count() != 0 ? Count(latency_ns->Max()) : "";
     }},
    {"response_p50_ns", true, [](const Of& of) { return Response(of, 0.5); }},
    {"response_p99_ns", true, [](const Of& of) { return Response(of, 0.99); }},
    {"response_p99.9_ns", true, [](const Of& of) { return Response(of, 0.999); }},
    {"cpu_us_per_operation", true, [](const Of& of) { return Quotient(CostOf(of.phase).cpu_us); }},
    {"written_per_put_device", true,
     [](const Of& of) { return Quotient(CostOf(of.phase).write_device); }},
    {"written_per_put_dirtied", true,
     [](const Of& of) { return Quotient(CostOf(of.phase).write_dirtied); }},
    {"fetched_per_read", true, [](const Of& of) { return Quotient(CostOf(of.phase).read_device); }},
    {"space_per_held", true, [](const Of& of) { return Quotient(CostOf(of.phase).space); }},
    {"disk_bytes", true, [](const Of& of) { return Count(of.phase.disk_bytes); }},
    {"sync_calls", true,
     [](const Of& of) {
       return Used(of, [](const Resources& used) {
         return used.syncs ? Count(used.syncs->calls) : std::string();
       });
     }},
    {"anonymous_bytes", true,
     [](const Of& of) {
       return Used(of, [](const Resources& used) {
         return used.memory ? Count(used.memory->anonymous_bytes) : std::string();
       });
     }},
    {"file_bytes", true,
     [](const Of& of) {
       return Used(of, [](const Resources& used) {
         return used.memory ? Count(used.memory->file_bytes) : std::string();
       });
     }},
    {"cut_off", false, [](const Of& of) { return Text(CutOffWords(of.result)); }},
};

}  // namespace

std::string CsvField(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string field = "\"";
  for (const char c : name) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::string CsvHeader() {
  std::vector<std::string> names;
  for (const Column& column : kColumns) names.emplace_back(column.name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

StatusOr<std::string> CsvRowsOf(const Result& result, const std::string&, const Settings&) {
  std::string rows;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit) continue;
      const bool has_figures =
          phase.outcome == Outcome::kOk && !phase.roles.empty() && !phase.roles[0].lanes.empty();
      std::vector<std::string> fields;
      for (const Column& column : kColumns) {
        fields.push_back(column.is_figure && !has_figures ? ""
                                                          : column.value({result, run, phase}));
      }
      rows += fmt::format("{}\n", fmt::join(fields, ","));
    }
  }
  return rows;
}

}  // namespace levelfield
