// Findings of `levelfield diagnose` for every format. Pure.
#ifndef LEVELFIELD_REPORT_DIAGNOSIS_REPORT_H_
#define LEVELFIELD_REPORT_DIAGNOSIS_REPORT_H_

#include <vector>

#include "analysis/diagnosis.h"
#include "report/model.h"

namespace levelfield {

// An entry for each cause, with all engines and workloads that have it. Without findings: which
// rules were tried, and whether the result was cut off before there was anything to examine.
Report DiagnosisReport(const std::vector<Finding>& findings, const Result& of);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DIAGNOSIS_REPORT_H_
