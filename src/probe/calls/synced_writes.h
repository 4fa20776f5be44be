// Sees those writes each of which is a sync by itself: to a file that was opened with O_DSYNC or
// O_SYNC, or with RWF_DSYNC or RWF_SYNC. The program exports write and its like for that
// (sync_calls.h). What a descriptor is, is asked of the kernel at the first write to it and kept
// until it is closed, so an ordinary write costs one load and one comparison more: 2.5 ns
// of 270 (benchmarks/parts_benchmark.cc).
//
// A descriptor that libc itself closes (fclose) after somebody had written to it by number keeps
// what was known of it, until it is closed by number.
#ifndef LEVELFIELD_PROBE_CALLS_SYNCED_WRITES_H_
#define LEVELFIELD_PROBE_CALLS_SYNCED_WRITES_H_

namespace levelfield {

// By the kernel's word; false for one that is not open, or for reading only. Keeps errno.
bool IsOpenedSynced(int fd);

// `flags` as pwritev2 takes them; 0 for all others.
bool IsWriteSynced(int fd, int flags);

// Whether plug-ins' writes come here.
bool AreWritesSeen();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_SYNCED_WRITES_H_
