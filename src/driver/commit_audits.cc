#include "driver/commit_audits.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/cost.h"
#include "base/version.h"
#include "driver/progress_view.h"
#include "driver/run_store.h"
#include "driver/supervisor.h"
#include "worker/audit.h"

namespace levelfield {
namespace {

// An engine that hangs here hangs in its phases too, where it is reported.
constexpr double kAuditStallSeconds = 5;

}  // namespace

Status CommitAudits::Look(const Trial& trial, bool& interrupted) {
  const ProbeReply& engine = trial.engine();
  if (!IsAuditDue(trial.settings(), trial.phases(), engine.description.capabilities)) {
    return Status::Ok();
  }
  std::optional<RunFileSystem> file_system;
  if (!MakeFileSystem(trial, file_system).ok()) return Status::Ok();
  const std::string path = trial.what.variant->stores.empty() ? PathOfNewStore(trial, file_system)
                                                              : trial.results + "/audit";
  StatusOr<StoreDirectory> store =
      StoreDirectory::Create(path, {.salt = 1, .harness = kVersion, .fresh = true, .content = {}});
  if (!store.ok()) return Status::Ok();
  WorkerSpec spec = trial.Spec(store->path(), 1, {});
  spec.audits = true;
  spec.settings.memory = 0;
  spec.settings.stall = std::min(spec.settings.stall, kAuditStallSeconds);
  std::vector<std::string> workloads;
  for (const PlannedPhase& phase : trial.phases()) workloads.push_back(phase.workload.name);
  ProgressView view({"audit of " + engine.engine}, workloads);
  RunObserver nobody;
  RunEnd end = Supervise(spec, &*store, view, nobody);
  interrupted = interrupted || end.interrupted;
  seen_[trial.planned] = std::move(end.audits);
  return file_system ? Status::Ok() : store->Remove();
}

void CommitAudits::AddTo(size_t planned, PhaseResult& phase) const {
  const auto of_engine = seen_.find(planned);
  if (of_engine == seen_.end()) return;
  const auto audit =
      std::ranges::find(of_engine->second, phase.durability, &ByClass::value_type::first);
  if (audit == of_engine->second.end() || phase.implicit || !HasWritten(phase)) return;
  phase.audit = audit->second;
  // The phase's own counter is known to miss some calls, so its count is meaningless.
  if (phase.audit->flushes_past_libc.value_or(0) != 0 && phase.resources) {
    phase.resources->syncs.reset();
  }
}

}  // namespace levelfield
