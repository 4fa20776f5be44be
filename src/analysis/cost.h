// The cost of a phase's operations: processor time, bytes to and from the device, space. Derived
// from a phase's result alone, so a report made from the files has the same values. Pure.
#ifndef LEVELFIELD_ANALYSIS_COST_H_
#define LEVELFIELD_ANALYSIS_COST_H_

#include <optional>
#include <string>

#include "result/result.h"

namespace levelfield {

// A figure, usually a quotient, or the reason why there is none.
struct Ratio {
  std::optional<double> value;
  std::string reason;
};

struct Cost {
  // All operations of every role.
  // Per operation: all of the process but the thread that watches, and settling behind it. None of
  // an open loop, where threads read the clock while they wait.
  Ratio cpu_us;
  Ratio background_share;  // The share of the engine's own threads.
  // What limited it: shares of the time of the threads that ran the operations. The engine's own
  // threads may wait for syncs meanwhile, so the three may be more than the whole. None of an open
  // loop.
  Ratio computing;
  Ratio in_syncs;
  Ratio waiting;  // For anything else: the device, a lock, a processor.
  // Bytes written for each byte of the keys and values of acknowledged puts, in four ways: by calls
  // (blind to memory maps), pages that became dirty, bytes that reached the device until the
  // store's files were synced (including other users of the device), and the engine's own count.
  Ratio write_calls;
  Ratio write_dirtied;
  Ratio write_device;
  Ratio write_engine;
  // Bytes fetched from the device for each byte that an operation returned.
  Ratio read_device;
  // Allocated blocks for each byte of the store's keys and values, at the end and at the peak.
  Ratio space;
  Ratio peak_space;
  // Totals of the phase, not quotients. Page cache figures are shares of the store's files.
  Ratio sync_calls;
  Ratio sync_seconds;
  Ratio anonymous_bytes;
  Ratio file_bytes;
  Ratio major_faults;
  Ratio preempted;
  Ratio cached_at_begin;
  Ratio cached_at_end;
  // Per commit, and the share of the audited commits that had no durable flush.
  Ratio flushes;
  Ratio device_flushes;
  Ratio unflushed;
};

Cost CostOf(const PhaseResult& phase);

// Bytes that came to the device while a writing phase ran, and the most that can be its own: what
// it dirtied, three times over for a file system that writes data twice, and 64 KiB for each of its
// syncs. (Of 3,000 synced appends on ext4, which dirtied 11 MiB, 49 MiB came to the device: 13 KiB
// a sync.) Nothing: others need not have written, or nobody counted.
struct BytesOfOthers {
  uint64_t came = 0;
  uint64_t most_own = 0;
};
std::optional<BytesOfOthers> BytesOfOthersIn(const PhaseResult& phase);

// Bytes of the keys and values that the phase put. Nothing if an operation that puts does something
// else too, because then its bytes belong to both.
std::optional<uint64_t> PutBytes(const PhaseResult& phase);
// Whether it committed anything: puts, changes, erasures.
bool HasWritten(const PhaseResult& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COST_H_
