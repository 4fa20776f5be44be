// How long a sync takes on a file system without an engine: appends of 4 KiB, each made durable,
// then the same in place, as a store does that recycles its log. Run before a phase whose writes
// must survive power cuts. A sync that takes nearly no time reaches no device, or one that answers
// before it has written.
#ifndef LEVELFIELD_PROBE_SYNC_PROBE_H_
#define LEVELFIELD_PROBE_SYNC_PROBE_H_

#include <string>

#include "base/status.h"
#include "result/conditions.h"

namespace levelfield {

// At most 100 syncs or a second of each kind, in a temporary file in that directory.
Status ProbeSyncs(const std::string& directory, MachineLimits& limits);

// Bytes a second.
double MeasureCopies();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_SYNC_PROBE_H_
