// A process that ends itself when it hangs: that of `verify conformance`. (A worker is watched by
// driver/supervisor.cc.) What decides is progress, not the time that a step takes: on a slow
// disk or a busy machine a call of an engine may take minutes. Progress is a step that was counted,
// anything read or written by a thread or by a process that this one has started, one of them that
// waits for the disk, or any that begin and end.
#ifndef LEVELFIELD_PROCESS_HANG_WATCH_H_
#define LEVELFIELD_PROCESS_HANG_WATCH_H_

#include <atomic>
#include <cstdint>
#include <string>

namespace levelfield {

// Counts steps. Any thread.
inline std::atomic<uint64_t> counted_steps{0};
inline void CountStep() { counted_steps.fetch_add(1, std::memory_order_relaxed); }

// Starts a thread that looks once a second. When it has seen no progress `looks` times one after
// another, it writes `message` to standard error, and the process exits with the code. Looks are
// counted and not seconds, so a process that gets no processor does not hang by it. Call once.
void StartHangWatch(unsigned looks, std::string message, int exit_code);

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_HANG_WATCH_H_
