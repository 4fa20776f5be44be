// What was seen of an engine's commits one by one, outside of any measurement (worker/audit.h):
// whether each of them was flushed before it was acknowledged. Plain data.
#ifndef LEVELFIELD_RESULT_AUDIT_H_
#define LEVELFIELD_RESULT_AUDIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levelfield {

struct Audit {
  uint64_t commits = 0;             // Puts, deletes and batches, each acknowledged before the next.
  uint64_t without_flush = 0;       // Of those, in which no durable call was made.
  uint64_t flushes = 0;             // Durable calls in all of them.
  uint64_t acknowledged_bytes = 0;  // Of the keys and values that were put.
  uint64_t written_bytes = 0;       // Given to the kernel by calls meanwhile.
  // Of the store's files, right after the last acknowledgement: pages that are in the page cache
  // alone; absent where the kernel does not tell (cachestat, Linux 6.5). An engine's own side files
  // (locks, shared memory) may well be among them.
  std::optional<uint64_t> dirty_pages = {};
  std::vector<std::pair<std::string, uint64_t>> dirty_files = {};
  std::optional<uint64_t> device_flushes = {};  // Of the whole device; absent where it has none.
  std::string reason = {};                      // Why there is none, or why it ended early.
  // Why the durable calls may have been more than were counted; empty: each one of all the worker's
  // threads and processes was counted, unless this is of a version that could not do so (next).
  std::string uncounted = {};
  // Durable calls, from the opening of the store to its closing, that a phase's own counter misses,
  // as nobody made them by libc's functions in the worker itself (probe/calls/call_tracer.h).
  // Absent: nobody compared.
  std::optional<uint64_t> flushes_past_libc = {};

  bool operator==(const Audit&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_AUDIT_H_
