#include "workload/file/draw_checks.h"

#include <fmt/format.h>

#include "workload/park_miller.h"

namespace levelfield {

Status CheckSkew(const RoleLines& lines) {
  const Role& role = lines.role();
  using Kind = KeyDistributionPlan::Kind;
  const Kind kind = role.order == KeyOrder::kSkewed ? role.distribution.kind : Kind::kUniform;
  if (lines.Has("exponent") && kind != Kind::kZipf && kind != Kind::kLatest) {
    return lines.Error("exponent", "has an exponent, but its keys are not `zipf` or `latest`");
  }
  for (const char* const key : {"hot_keys", "hot_requests"}) {
    if (!lines.Has(key) || kind == Kind::kHotspot) continue;
    return lines.Error(key, fmt::format("has `{} =`, but its keys are not `hotspot`", key));
  }
  if (!lines.Has("records")) return Status::Ok();
  const bool is_order = role.order == KeyOrder::kShuffled || role.order == KeyOrder::kSequential;
  if (role.operation->name != "put" || !is_order || role.repeat) {
    return lines.Error(
        "records",
        "has records, but only `op = ycsb`, and `op = put` of shuffled or sequential "
        "keys that fills the store for it, have some");
  }
  if (role.records <= role.range) return Status::Ok();
  return lines.Error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                            role.records, role.range));
}

Status CheckDraws(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.source != DrawSource::kOwn &&
      (!IsDrawn(role.order) || role.order == KeyOrder::kSkewed)) {
    return lines.Error("stream",
                       "names a generator, but its keys are not uniform, drawn or forward");
  }
  if (role.source == DrawSource::kParkMiller && role.range > ParkMiller::kModulus) {
    return lines.Error("range", fmt::format("is beyond {}, the most that park-miller draws",
                                            ParkMiller::kModulus));
  }
  if (!role.operation->writes || !IsDrawn(role.order)) return Status::Ok();
  if (!lines.section().drawn) {
    return lines.Error(
        "keys",
        "writes keys that are drawn: a writer's keys are sequential or shuffled, so that what "
        "the store must hold is known, or `drawn`, which remembers it");
  }
  if (!role.operation->is_plain_write() && !role.operation->is_transaction()) {
    return lines.Error(
        "keys",
        "writes drawn keys, which only `op = put`, `op = erase` and `op = transaction` "
        "may do");
  }
  return CheckRemembered(lines, "drawn write", 4);
}

Status SetStride(const RoleLines& lines) {
  Role& role = lines.role();
  if (role.stride == 0) return Status::Ok();
  if (role.operation->name != "multi_get" || role.order != KeyOrder::kUniform ||
      role.source != DrawSource::kOwn) {
    return lines.Error(
        "stride",
        "has a stride between the keys of a call, but only `op = multi_get` of uniform "
        "keys, drawn by our own generator without --read_random_exp_range or "
        "--key_distribution, does");
  }
  if (static_cast<unsigned __int128>(role.stride) * role.batch > role.range) {
    return lines.Error("stride",
                       fmt::format("asks for {} keys with a stride of {} in a call, which "
                                   "{} keys do not hold; lower --multiread_stride",
                                   role.batch, role.stride, role.range));
  }
  role.order = KeyOrder::kRuns;
  return Status::Ok();
}

}  // namespace levelfield
