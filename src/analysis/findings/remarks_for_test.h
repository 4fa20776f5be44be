// The words of a result's remarks, for tests.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_REMARKS_FOR_TEST_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_REMARKS_FOR_TEST_H_

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "analysis/findings/findings.h"

namespace levelfield {

// As in a report, or else as on the screen.
inline std::string Said(const Remark& remark) {
  std::string words = ReportWords(remark);
  return words.empty() ? ScreenWords(remark) : words;
}

inline std::vector<std::string> SaidBeside(const Comparison& comparison) {
  std::vector<std::string> said;
  for (const Remark& remark : comparison.remarks) said.push_back(Said(remark));
  return said;
}

// Of these kinds.
inline std::vector<std::string> SaidOf(const Result& result,
                                       std::initializer_list<RemarkKind> kinds) {
  std::vector<std::string> said;
  for (const Remark& remark : FindingsOf(result, {}).remarks) {
    const bool is_one = std::ranges::find(kinds, remark.kind) != kinds.end();
    if (is_one) said.push_back(Said(remark));
  }
  return said;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_REMARKS_FOR_TEST_H_
