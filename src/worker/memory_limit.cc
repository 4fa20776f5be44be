#include "worker/memory_limit.h"

#include <malloc.h>

namespace levelfield {

Status LiftMemoryLimit(WorkerState& worker) {
  if (worker.spec.settings.memory == 0) return Status::Ok();
  return worker.events.Ask(Request::kLiftMemoryLimit);
}

Status HoldMemoryLimit(WorkerState& worker) {
  if (worker.spec.settings.memory == 0) return Status::Ok();
  double seconds = 0;
  if (!worker.store.Has(LF_VOLATILE)) RETURN_IF_ERROR(worker.store.Close(&seconds));
  malloc_trim(0);
  return worker.events.Ask(Request::kHoldMemoryLimit);
}

}  // namespace levelfield
