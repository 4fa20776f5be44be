// Whether a workload found the same store in every engine. Rates over stores of other sizes say
// nothing of engines, so nothing is ranked by them. Pure.
#ifndef LEVELFIELD_ANALYSIS_EQUAL_STORES_H_
#define LEVELFIELD_ANALYSIS_EQUAL_STORES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/series.h"
#include "result/phase_result.h"

namespace levelfield {

// What the phase with that place found, in the round that is the median of all by its share of the
// planned entries. Nothing: not known, or it needs no filled store.
std::optional<Held> HeldIn(const Series& series, size_t place);

// Two stores are equal if their shares of the planned entries differ by at most a hundredth of the
// larger share: writers beside readers do not end at the same key.
bool AreEqual(const Held& one, const Held& other);

// A series, and the place of the phase in it.
struct PhaseOfSeries {
  const Series* series = nullptr;
  size_t place = 0;
};

// "the stores differ: lmdb's held 151859 of 1000000 entries, leveldb's held 273911 of 1000000".
// Empty: they are equal, as far as is known. Phases without a figure do not count.
std::string WhyUnequal(const std::vector<PhaseOfSeries>& phases);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_EQUAL_STORES_H_
