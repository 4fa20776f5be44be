#include "worker/running_phase.h"

namespace levelfield {

bool RunningPhase::Keep(const Status& status) {
  if (status.ok()) return true;
  result_.message = status.message();
  result_.outcome = status.kind() == ErrorKind::kUsage ? Outcome::kUnsupported : Outcome::kFailed;
  if (result_.outcome == Outcome::kFailed) EndRun();
  return false;
}

}  // namespace levelfield
