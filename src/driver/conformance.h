// `levelfield verify conformance`: for one engine after another the list of c_test_list.h, then the
// claims of the program `conformance` (tests/conformance), which is beside this one or in the
// installation. Each has its own process and directory, so that a crash or a hang harms no other.
#ifndef LEVELFIELD_DRIVER_CONFORMANCE_H_
#define LEVELFIELD_DRIVER_CONFORMANCE_H_

#include <string>
#include <vector>

#include "engine/options.h"

namespace levelfield {

struct ConformanceRequest {
  std::string engine;   // The spec.
  std::string version;  // For the heading. Empty if the engine does not load.
  GivenOptions options;
};

struct ConformanceReport {
  std::string text;  // "# leveldb 1.23", the lines of the list, and what failed.
  bool passed = true;
  bool interrupted = false;
  std::string
      not_checked;  // Why the claims were not checked. Empty if they were, or not asked for.
};

enum class ConformanceOf { kList, kListAndClaims };

// In the order of the requests.
ConformanceReport VerifyConformance(const std::vector<ConformanceRequest>& requests,
                                    ConformanceOf what);

// The child's side: one request on standard input, the lines on descriptor 3. Returns its exit
// code.
int AnswerConformance();
// The same with the claims: this process becomes that of the program.
int AnswerClaims();

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_CONFORMANCE_H_
