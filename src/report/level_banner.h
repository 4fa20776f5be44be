// What stands above the numbers in every form of report: that there are fewer than were planned,
// or that they are of different promises. Pure.
#ifndef LEVELFIELD_REPORT_LEVEL_BANNER_H_
#define LEVELFIELD_REPORT_LEVEL_BANNER_H_

#include <algorithm>
#include <string>

#include "analysis/durability.h"
#include "base/quote.h"
#include "result/completion.h"

namespace levelfield {

// Empty where it is whole and all stores keep the same promise, on a disk.
inline std::string LevelBanner(const Result& result) {
  std::string text;
  if (IsCutOff(result)) text += "*** " + Printable(CutOffWords(result)) + " ***\n";
  if (const std::string mixed = MixedLevels(result); !mixed.empty()) {
    text += "*** DIFFERENT PROMISES, NOT TO BE COMPARED: " + Printable(mixed) + " ***\n";
  }
  const bool is_volatile = std::ranges::any_of(result.runs, [](const RunResult& run) {
    return std::ranges::any_of(run.phases, IsVolatile);
  });
  return text +
         (is_volatile ? "*** VOLATILE: written to where nothing survives a power cut ***\n" : "");
}

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_LEVEL_BANNER_H_
