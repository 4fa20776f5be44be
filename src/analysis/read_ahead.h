// Figures that are the kernel's read-ahead more than the engine's. Where a page of a memory map is
// missing, the kernel fetches it with its neighbours, as many as the device's read_ahead_kb says:
// with 8,192 KB, thousands of bytes for each that an operation asks for. An engine that reads by
// calls is not read ahead for, as long as it reads at random. Pure.
#ifndef LEVELFIELD_ANALYSIS_READ_AHEAD_H_
#define LEVELFIELD_ANALYSIS_READ_AHEAD_H_

#include <optional>
#include <string>
#include <vector>

#include "analysis/findings/remark.h"
#include "analysis/series.h"
#include "result/result.h"

namespace levelfield {

struct ReadAhead {
  double per_byte = 0;   // Bytes fetched for each byte asked for.
  double per_fault = 0;  // Bytes fetched for each page that was missing in the map.
};

// Of a phase of this run. Nothing if read-ahead does not decide the figure: no more than 30 bytes
// were fetched for each that was asked for, calls asked for half of them, or the engine's own means
// against it are in force. A lookup of an absent key, which returns nothing, asks for a page.
std::optional<ReadAhead> ReadAheadOf(const RunResult& run, const PhaseResult& phase);

// "--lmdb.readahead=0": what the engine has against it, as typed. Empty: it has nothing, or ran so.
std::string OwnMeansOf(const RunResult& run);

// "sudo blockdev --setra 32 /dev/vda" limits it to 16 KiB, for all programs. Empty: the device is
// not known, reads no further ahead, or was made for the run and is gone.
std::string LimitReadAhead(const Result& result, const RunResult& run);

// About all these series for which it decides something. Nothing: for none.
std::optional<Remark> FindReadAhead(const Result& result, const std::vector<const Series*>& all);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_READ_AHEAD_H_
