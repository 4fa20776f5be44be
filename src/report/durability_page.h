// The findings of `levelfield verify durability`, for a terminal and as the page
// docs/generated/durability.md. All of it is computed from the recorded states and the recorded
// machine. Pure.
#ifndef LEVELFIELD_REPORT_DURABILITY_PAGE_H_
#define LEVELFIELD_REPORT_DURABILITY_PAGE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/crash_state.h"
#include "base/status.h"

namespace levelfield {

// A line for each row, with its verdict below.
std::string RenderDurabilityTable(const std::vector<CrashRow>& rows);

// `manifests` belong to the invocations that found the states.
StatusOr<std::string> RenderDurabilityPage(const std::vector<nlohmann::ordered_json>& manifests,
                                           const std::vector<CrashRow>& rows);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DURABILITY_PAGE_H_
