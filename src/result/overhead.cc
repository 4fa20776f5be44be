#include "result/overhead.h"

#include <algorithm>

#include "result/result.h"

namespace levelfield {
namespace {

constexpr uint64_t kLeastOperations = 1'000;

uint64_t KeysOf(const Result& result) {
  for (const auto& [name, value] : result.settings) {
    const bool is_count = !value.empty() && value.size() < 19 &&
                          value.find_first_not_of("0123456789") == std::string::npos;
    if (name == "num" && is_count) return std::stoull(value);
  }
  return 0;
}

}  // namespace

std::optional<double> NsOf(const Overhead& overhead, std::string_view workload) {
  const auto it = std::ranges::find(overhead.workload_ns, workload,
                                    [](const auto& row) { return std::string_view(row.first); });
  if (it == overhead.workload_ns.end()) return std::nullopt;
  return it->second;
}

std::optional<double> OperationNs(const PhaseResult& phase) {
  if (phase.outcome != Outcome::kOk || phase.roles.empty() ||
      phase.level == DurabilityLevel::kNone) {
    return std::nullopt;
  }
  const RoleResult& role = phase.roles.front();
  if (role.Operations() < kLeastOperations || role.thread_seconds <= 0) return std::nullopt;
  return role.thread_seconds * 1e9 / static_cast<double>(role.Operations());
}

std::vector<Overhead> OverheadsOf(const Result& result) {
  std::vector<Overhead> overheads = result.overheads;
  for (const RunResult& run : result.runs) {
    const bool is_known =
        std::ranges::find(overheads, run.engine, &Overhead::engine) != overheads.end();
    const bool is_baseline =
        std::ranges::find(kBaselineEngines, run.engine) != std::ranges::end(kBaselineEngines);
    if (!is_baseline || is_known) continue;
    Overhead overhead{.engine = run.engine, .keys = KeysOf(result), .workload_ns = {}};
    for (const PhaseResult& phase : run.phases) {
      const std::optional<double> ns = OperationNs(phase);
      if (ns && !phase.implicit && !NsOf(overhead, phase.workload)) {
        overhead.workload_ns.emplace_back(phase.workload, *ns);
      }
    }
    if (!overhead.workload_ns.empty()) overheads.push_back(std::move(overhead));
  }
  std::ranges::stable_sort(overheads, {}, [](const Overhead& overhead) {
    return std::ranges::find(kBaselineEngines, overhead.engine) -
           std::ranges::begin(kBaselineEngines);
  });
  return overheads;
}

}  // namespace levelfield
