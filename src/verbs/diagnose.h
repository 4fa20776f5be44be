// Findings as a person reads them. Pure.
#ifndef LEVELFIELD_VERBS_DIAGNOSE_H_
#define LEVELFIELD_VERBS_DIAGNOSE_H_

#include <string>
#include <vector>

#include "analysis/diagnosis.h"
#include "verbs/verbs.h"

namespace levelfield {

// A paragraph each; where there are none, which rules were looked for, and whether the result was
// cut off before there was anything to look at.
std::string RenderFindings(const std::vector<Finding>& findings, const Result& of);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DIAGNOSE_H_
