#include "plan/graph_settings.h"

namespace levelfield {

Status CheckGraph(const Settings& settings) {
  const GraphPlan plan = GraphPlanOf(settings);
  if (plan.get_ratio + plan.put_ratio + plan.seek_ratio <= 0) {
    return Status::Usage(
        "--mix_get_ratio, --mix_put_ratio and --mix_seek_ratio are all 0: no operation would be "
        "left; give one of them a share");
  }
  if (plan.value_sigma <= 0) return Status::Usage("--value_sigma=0: is a scale, above 0");
  if (plan.iter_sigma <= 0) return Status::Usage("--iter_sigma=0: is a scale, above 0");
  if (!plan.keys.IsPossible()) {
    return Status::Usage(
        "--keyrange_dist_a, _b, _c and _d: a * exp(b * i) + c * exp(d * i) comes to nothing, or "
        "beyond all numbers, for the ranges 1 to --keyrange_num; the published ones are 14.18, "
        "-2.917, 0.0164 and -0.08082 for 30 ranges");
  }
  return Status::Ok();
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
