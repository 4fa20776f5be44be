// A phase in the lines of YCSB's client: `[OVERALL], RunTime(ms), 1000` and so on, or the same in
// its two forms of JSON. Latencies are whole microseconds, as there. Pure.
#ifndef LEVELFIELD_REPORT_YCSB_YCSB_TEXT_H_
#define LEVELFIELD_REPORT_YCSB_YCSB_TEXT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result/phase_result.h"
#include "settings/dialects/ycsb.h"

namespace levelfield {

// YCSB's name for a kind of operation of its workloads, or of the one that loads the records.
std::string_view YcsbNameOf(std::string_view operation, bool loads);

// All lines of the phase. `intervals` are needed for a time series alone.
std::string YcsbText(const PhaseResult& phase, bool loads, const YcsbOutput& output,
                     std::span<const PhaseInterval> intervals);

// A line of -s, without the time of day: "10 sec: 5000 operations; 500 current ops/sec; est
// completion in 20 seconds ". `rate` is that of the last interval, `whole_rate` that since the
// begin. `left` operations are still to do; 0: it is over, or its end is not known.
std::string YcsbStatus(double seconds, uint64_t operations, double rate, double whole_rate,
                       uint64_t left);
// What the last of these lines says of each kind of operation: "[READ: Count=10, Max=..., ...] ".
std::string YcsbStatusOf(const PhaseResult& phase, bool loads);

// A number as Java prints it: "0.5", "30303.030303030304", "1.0E7".
std::string JavaDouble(double number);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_YCSB_YCSB_TEXT_H_
