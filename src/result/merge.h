// One result of several: of the same plan on other machines, of the jobs of one plan
// (`levelfield plan --jobs`), of the ranks of a fleet (ranks.h), or of more rounds of any. Each
// machine, and each value of what is varied, is a variant of the whole, so that everything that
// shows variants shows machines. Pure.
#ifndef LEVELFIELD_RESULT_MERGE_H_
#define LEVELFIELD_RESULT_MERGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// The setting of a variant that names its machine.
inline constexpr std::string_view kHostSetting = "host";

struct PartOfMerge {
  std::string path;  // As typed, for messages.
  std::string host;  // The machine that it is from. Empty: nobody said.
  Result result;
};

// Where a run of the merged result came from.
struct MergedRun {
  size_t part = 0;  // Behind the last part: of the ranks of a fleet.
  size_t run = 0;   // Its index there.
};

struct Merged {
  Result result;                // Its machines are in `machines`, each once.
  std::vector<MergedRun> from;  // For each run of the result.
  uint64_t planned_runs = 0;    // In a round.
};

// Says of the whole what its machines have in common.
void DescribeTogether(Result& whole);

// The order of parts is that of the variants. A usage error if two parts are of different plans (it
// names a setting), if one is there twice, or if their machines differ and nobody said which is
// which.
StatusOr<Merged> Merge(const std::vector<PartOfMerge>& parts);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_MERGE_H_
