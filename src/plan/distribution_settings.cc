#include "plan/distribution_settings.h"

namespace levelfield {

Status CheckDistributions(const Settings& settings) {
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
