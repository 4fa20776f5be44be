// How the keys of a role are written:
//     sequential | shuffled | uniform | drawn | forward | zipf [contiguous] | ycsb-zipf | latest |
//     hotspot [contiguous] | exponential [missing | cut] [of the first N%] | none
// Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_KEY_TEXT_H_
#define LEVELFIELD_WORKLOAD_FILE_KEY_TEXT_H_

#include <string>
#include <string_view>

#include "workload/file/role_lines.h"
#include "workload/key_distribution.h"
#include "workload/workload.h"

namespace levelfield {

// Sets what the keys say of the role; returns nothing, or what is accepted. `$ycsb_key_order` is
// `sequential` if `ycsb_ordered`.
std::string ReadKeys(std::string_view text, bool ycsb_ordered, Role& role, Section& section);

// Those whose hot keys are in one place; YCSB's zipfian spreads them by itself, and the others say
// of a key how new it is.
bool IsScattered(KeyDistributionPlan::Kind kind);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_KEY_TEXT_H_
