// What `diagnose` says of two results, and what `history` says of the place where a level changes.
// Pure.
#ifndef LEVELFIELD_REPORT_LEVEL_CHANGE_REPORT_H_
#define LEVELFIELD_REPORT_LEVEL_CHANGE_REPORT_H_

#include <string>

#include "analysis/level_change.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// What was measured, and by what.
struct Build {
  std::string version = {};         // The engine's.
  std::string library_sha256 = {};  // Empty: not known.
  std::string git = {};             // Commit of Levelfield's source.
};
// "version 0.9.24 -> 0.9.31; levelfield 92311b8e3f1c -> 4f0c2a9b7d10"
std::string WhatIsNew(const Build& before, const Build& after);

Report LevelChangeReport(const LevelChanges& changes, const Result& before, const Result& after);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_LEVEL_CHANGE_REPORT_H_
