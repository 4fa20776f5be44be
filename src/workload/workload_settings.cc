#include "workload/workload_settings.h"

#include "base/random.h"

namespace levelfield {

ValueSizes ValueSizesOf(const Settings& settings) {
  const std::string& type = settings.value_size_distribution_type;
  if (type == "uniform") {
    return ValueSizes::Uniform(settings.value_size_min, settings.value_size_max);
  }
  if (type == "normal") {
    return ValueSizes::Normal(settings.value_size_min, settings.value_size_max);
  }
  return settings.value_size;
}

uint64_t ValueSizeSeed(const Settings& settings) {
  return DeriveSeed(settings.seed, "value sizes", "", 0);
}

uint64_t KeyBytesOf(const Settings& settings) { return settings.key_prefix + settings.key_size; }

KeyDistributionPlan DistributionOf(const Settings& settings) {
  using Kind = KeyDistributionPlan::Kind;
  return {.kind = DistributionKindOf(settings.key_distribution).value_or(Kind::kUniform),
          .exponent = settings.zipf_exponent,
          .hot_keys = settings.hot_keys,
          .hot_requests = settings.hot_requests};
}

GraphPlan GraphPlanOf(const Settings& settings) {
  return {.get_ratio = settings.mix_get_ratio,
          .put_ratio = settings.mix_put_ratio,
          .seek_ratio = settings.mix_seek_ratio,
          .keys = {.range_a = settings.keyrange_dist_a,
                   .range_b = settings.keyrange_dist_b,
                   .range_c = settings.keyrange_dist_c,
                   .range_d = settings.keyrange_dist_d,
                   .ranges = settings.keyrange_num,
                   .key_a = settings.key_dist_a,
                   .key_b = settings.key_dist_b},
          .iter_theta = settings.iter_theta,
          .iter_k = settings.iter_k,
          .iter_sigma = settings.iter_sigma,
          .most_scan = settings.mix_max_scan_len,
          .value_theta = settings.value_theta,
          .value_k = settings.value_k,
          .value_sigma = settings.value_sigma,
          .most_value = settings.mix_max_value_size};
}

}  // namespace levelfield
