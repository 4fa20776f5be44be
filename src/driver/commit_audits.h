// The findings about engines' commits (audit.h): has them audited before each engine's first run,
// and adds the findings to the phases that wrote. The driver makes one, and is its only caller.
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
  // In the very place that the store will have, or, where there is one already, beside the results.
  // Its failures are no news: the phases meet them too. The status is of our own files;
  // `interrupted` becomes true where the person at the keyboard had enough meanwhile.
  Status Look(const Trial& trial, bool& interrupted);

  // To a phase of the run that is the round's `planned`.
  void AddTo(size_t planned, PhaseResult& phase) const;

 private:
  using ByClass = std::vector<std::pair<std::string, Audit>>;  // By durability class.
  std::map<size_t, ByClass> seen_;                             // By `planned`.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_COMMIT_AUDITS_H_
