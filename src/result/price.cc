#include "result/price.h"

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

std::optional<double> NsOf(const Price& price, std::string_view workload) {
  const auto it = std::ranges::find(price.workload_ns, workload,
                                    [](const auto& row) { return std::string_view(row.first); });
  if (it == price.workload_ns.end()) return std::nullopt;
  return it->second;
}

std::optional<double> OperationNs(const PhaseResult& phase) {
  if (phase.outcome != Outcome::kOk || phase.roles.empty() || phase.level.empty()) {
    return std::nullopt;
  }
  const RoleResult& role = phase.roles.front();
  if (role.Operations() < kLeastOperations || role.thread_seconds <= 0) return std::nullopt;
  return role.thread_seconds * 1e9 / static_cast<double>(role.Operations());
}

std::vector<Price> PricesOf(const Result& result) {
  std::vector<Price> prices = result.prices;
  for (const RunResult& run : result.runs) {
    const bool is_known = std::ranges::find(prices, run.engine, &Price::engine) != prices.end();
    const bool is_price =
        std::ranges::find(kPriceEngines, run.engine) != std::ranges::end(kPriceEngines);
    if (!is_price || is_known) continue;
    Price price{.engine = run.engine, .keys = KeysOf(result), .workload_ns = {}};
    for (const PhaseResult& phase : run.phases) {
      const std::optional<double> ns = OperationNs(phase);
      if (ns && !phase.implicit && !NsOf(price, phase.workload)) {
        price.workload_ns.emplace_back(phase.workload, *ns);
      }
    }
    if (!price.workload_ns.empty()) prices.push_back(std::move(price));
  }
  std::ranges::stable_sort(prices, {}, [](const Price& price) {
    return std::ranges::find(kPriceEngines, price.engine) - std::ranges::begin(kPriceEngines);
  });
  return prices;
}

}  // namespace levelfield
