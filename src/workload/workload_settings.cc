#include "workload/workload_settings.h"

#include <string>

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

KeyShape KeyShapeOf(const Settings& settings) { return KeyShapeOf(settings, Workload()); }

KeyShape KeyShapeOf(const Settings& settings, const Workload& workload) {
  if (workload.key_format == NameOf(KeyKind::kInteger)) {
    return KeyShape(sizeof(uint64_t), KeyKind::kInteger);
  }
  const std::string& format =
      workload.key_format.empty() ? settings.key_format : workload.key_format;
  const bool has_own_sizes = workload.key_size != 0;
  const uint64_t digits = has_own_sizes ? workload.key_size : settings.key_size;
  const uint64_t most = has_own_sizes ? workload.key_size_max : settings.key_size_max;
  const uint64_t prefix = settings.key_prefix;
  return KeyShape(prefix + digits, FromName<KeyKind>(format).value_or(KeyKind::kDecimal), prefix,
                  prefix + most);
}

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
