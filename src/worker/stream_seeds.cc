#include "worker/stream_seeds.h"

#include "base/random.h"

namespace levelfield {

StreamSeeds::StreamSeeds(const Workload& workload, uint64_t phase_seed, uint64_t layout_seed,
                         uint64_t mention)
    : workload_(workload),
      phase_seed_(phase_seed),
      layout_seed_(layout_seed),
      mention_seed_(mention <= 1 ? phase_seed : DeriveSeed(phase_seed, "mention", "", mention)) {}

StreamSeeds::Scope StreamSeeds::KeysOf(const Role& role) const {
  // Roles of other workloads have the same `seed` to get the same keys.
  if (!role.seed.empty()) return {phase_seed_, "seed/" + role.seed};
  const bool fills_store = workload_.need == StoreNeed::kEmpty && role.operation->writes();
  return {fills_store ? phase_seed_ : mention_seed_, workload_.name + "/" + role.name};
}

uint64_t StreamSeeds::Order(const Role& role) const {
  if (role.order == KeyOrder::kSkewed) return DeriveSeed(layout_seed_, "hot keys", "", 0);
  if (role.records != 0) return DeriveSeed(layout_seed_, "records", "", 0);
  // A plan of one row is none.
  if (role.rows.rows > 1) return DeriveSeed(layout_seed_, "rows", "", 0);
  const Scope scope = KeysOf(role);
  return DeriveSeed(scope.seed, "order", scope.name, 0);
}

uint64_t StreamSeeds::Draws(const Role& role, uint64_t thread) const {
  const Scope scope = KeysOf(role);
  return DeriveSeed(scope.seed, "draw", scope.name, thread);
}

uint64_t StreamSeeds::Others(std::string_view purpose, const Role& role, uint64_t thread) const {
  return DeriveSeed(mention_seed_, purpose, workload_.name + "/" + role.name, thread);
}

uint64_t StreamSeeds::Series() const {
  return DeriveSeed(phase_seed_, "series", workload_.name, 0);
}

}  // namespace levelfield
