// How long a sync takes on a file system, with nothing of an engine in it: appends of 4 KiB, each
// made durable. Run before a phase whose writes have to survive power cuts. One that takes nearly
// no time reaches no device, or one that answers before it has written.
#ifndef LEVELFIELD_RUN_SYNC_PROBE_H_
#define LEVELFIELD_RUN_SYNC_PROBE_H_

#include <string>

#include "base/status.h"
#include "result/ceilings.h"

namespace levelfield {

// At most 200 syncs or 100 ms, in a file of its own in that directory, which is gone afterwards.
Status ProbeSyncs(const std::string& directory, Ceilings& ceilings);

// The name of the file system where it lives in memory alone (tmpfs, ramfs) and nothing on it can
// survive a power cut; empty on all others.
std::string MemoryFileSystemOf(const std::string& path);

// Bytes a second.
double MeasureCopies();

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_SYNC_PROBE_H_
