#include "run/distribution_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest.h"
#include "base/quote.h"

namespace levelfield {
namespace {

Status CheckName(std::string_view flag, const std::string& name) {
  if (DistributionKindOf(name)) return Status::Ok();
  const std::vector<std::string> names = DistributionNames();
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("--{}={}: {} is accepted{}", flag, Printable(name), fmt::join(names, ", "),
                  nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace

Status CheckDistributions(const Settings& settings) {
  for (const auto& [flag, name] : {std::pair("key_distribution", settings.key_distribution),
                                   std::pair("ycsb_requests", settings.ycsb_requests)}) {
    if (const Status status = CheckName(flag, name); !status.ok()) return status;
  }
  if (settings.ycsb_key_order != "hashed" && settings.ycsb_key_order != "ordered") {
    return Status::Usage(fmt::format("--ycsb_key_order={}: hashed or ordered is accepted",
                                     Printable(settings.ycsb_key_order)));
  }
  if (settings.key_distribution == "uniform") return Status::Ok();
  if (settings.read_random_exp_range > 0) {
    return Status::Usage(
        "--key_distribution and --read_random_exp_range both say how keys are drawn; leave one "
        "out");
  }
  if (settings.compat == "exact") {
    return Status::Usage(
        "--compat=exact: its keys are those of the original: no --key_distribution");
  }
  return Status::Ok();
}

KeyDistributionPlan DistributionOf(const Settings& settings) {
  using Kind = KeyDistributionPlan::Kind;
  return {.kind = DistributionKindOf(settings.key_distribution).value_or(Kind::kUniform),
          .exponent = settings.zipf_exponent,
          .hot_keys = settings.hot_keys,
          .hot_requests = settings.hot_requests};
}

KeyDistributionPlan::Kind YcsbRequestsOf(const Settings& settings) {
  return DistributionKindOf(settings.ycsb_requests).value_or(KeyDistributionPlan::Kind::kYcsbZipf);
}

}  // namespace levelfield
