// Findings for people. Pure.
#ifndef LEVELFIELD_VERBS_DIAGNOSE_H_
#define LEVELFIELD_VERBS_DIAGNOSE_H_

#include <string>
#include <vector>

#include "analysis/diagnosis.h"
#include "verbs/verbs.h"

namespace levelfield {

// A paragraph each. Without findings: which rules were tried, and whether the result was cut off
// before there was anything to examine.
std::string RenderFindings(const std::vector<Finding>& findings, const Result& of);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DIAGNOSE_H_
