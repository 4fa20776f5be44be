// The operations of a workload of YCSB as its file writes them: `95% read, 5% insert`. Pure.
#ifndef LEVELFIELD_WORKLOAD_YCSB_TEXT_H_
#define LEVELFIELD_WORKLOAD_YCSB_TEXT_H_

#include <string>
#include <string_view>

#include "workload/ycsb_draws.h"

namespace levelfield {

// Each of read, update, insert, scan and rmw at most once, with a percentage that may have a
// fraction, of together 100 %. Sets the shares; returns nothing, or what is accepted.
std::string ReadYcsbMix(std::string_view text, YcsbPlan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_YCSB_TEXT_H_
