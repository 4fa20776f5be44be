// What the operations of a phase cost: processor time, bytes on their way to the device and from
// it, space. Derived from a phase's result alone, so a report from the files has the same. Pure.
#ifndef LEVELFIELD_ANALYSIS_COST_H_
#define LEVELFIELD_ANALYSIS_COST_H_

#include <optional>
#include <string>
#include <string_view>

#include "result/result.h"

namespace levelfield {

// A figure, which is a quotient for the most part, or why there is none.
struct Ratio {
  std::optional<double> value;
  std::string reason;
};

// Which way the bytes of an operation go, by its name in the results.
enum class Way { kReads, kPuts, kErases, kBoth, kNeither };
Way WayOf(std::string_view operation);

struct Cost {
  // All operations of every role.
  Ratio cpu_us;            // To an operation: all of the process but the thread that watches.
  Ratio background_share;  // The part of the engine's own threads.
  // Bytes written for each byte of the keys and values of acknowledged puts, four times: by calls
  // (blind to memory maps), pages that became dirty, what reached the device by the time at which
  // the store's files were synced (everybody's who uses that device), and as the engine counts it.
  Ratio write_calls;
  Ratio write_dirtied;
  Ratio write_device;
  Ratio write_engine;
  // Bytes that had to be fetched from the device for each byte that an operation returned.
  Ratio read_device;
  // Allocated blocks for each byte of the store's keys and values, at the end and at most.
  Ratio space;
  Ratio peak_space;
  // What the phase took of the machine by itself, no quotients; of the store's files, the shares
  // that the page cache had.
  Ratio sync_calls;
  Ratio sync_seconds;
  Ratio anonymous_bytes;
  Ratio file_bytes;
  Ratio major_faults;
  Ratio preempted;
  Ratio cached_at_begin;
  Ratio cached_at_end;
  // To a commit, and the share of the audited commits that had no durable flush.
  Ratio flushes;
  Ratio device_flushes;
  Ratio unflushed;
};

Cost CostOf(const PhaseResult& phase);

// Bytes of the keys and values that the phase put; nothing where an operation reads and writes at
// once, and its bytes are those of both.
std::optional<uint64_t> PutBytes(const PhaseResult& phase);
bool HasWritten(const PhaseResult& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COST_H_
