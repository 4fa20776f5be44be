// The operations on a store as a whole: compact it, flush it, wait for its threads, verify it,
// close and open it. Each is one call that takes as long as the engine likes; they run on the
// worker's main thread, with no session open.
#ifndef LEVELFIELD_WORKER_STORE_OPERATIONS_H_
#define LEVELFIELD_WORKER_STORE_OPERATIONS_H_

#include "result/result.h"
#include "worker/store_host.h"
#include "workload/workload.h"

namespace levelfield {

// Runs the role's operations; a result of one lane. The status is the first failure.
Status RunStoreOperations(const Role& role, const std::string& durability, bool timed,
                          StoreHost& host, const std::function<bool(uint64_t)>& go_on,
                          RoleResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STORE_OPERATIONS_H_
