// Findings about engines' commits (worker/audit.h). Has commits audited before each engine's first
// run, and adds the findings to the phases that wrote. The driver makes one, and is its only
// caller.
#ifndef LEVELFIELD_DRIVER_COMMIT_AUDITS_H_
#define LEVELFIELD_DRIVER_COMMIT_AUDITS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "plan/trial.h"
#include "result/result.h"

namespace levelfield {

class CommitAudits {
 public:
  // Audits at the place of the coming store. If a store exists there, audits beside the results.
  // Failures of the audit are not reported, because the phases meet them too. The returned status
  // concerns our own files. `interrupted` becomes true if the user interrupts.
  Status Look(const Trial& trial, bool& interrupted);

  // Adds the findings to a phase of the round's run number `planned`.
  void AddTo(size_t planned, PhaseResult& phase) const;

 private:
  using ByClass = std::vector<std::pair<std::string, Audit>>;  // By durability class.
  std::map<size_t, ByClass> seen_;                             // By `planned`.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_COMMIT_AUDITS_H_
