// What the worker's allocator says of its heap, as a file for its own tool (jeprof, google-pprof).
// Allocators that can are not linked with: they come by LD_PRELOAD, and are found by their names.
#ifndef LEVELFIELD_OPERATIONS_HEAP_PROFILE_H_
#define LEVELFIELD_OPERATIONS_HEAP_PROFILE_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// Writes the next of heap-0001, heap-0002, ... in the directory, never over another, and says
// where. kUsage, with what to do, where no allocator that profiles is loaded or it is not started.
StatusOr<std::string> WriteHeapProfile(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_HEAP_PROFILE_H_
