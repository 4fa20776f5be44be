// What the marker of a store says when its run is over and the store stays. Nobody else says that a
// store is clean, but for copies that a worker makes (backups.h). The driver, on its one thread.
#ifndef LEVELFIELD_DRIVER_STORE_ENDING_H_
#define LEVELFIELD_DRIVER_STORE_ENDING_H_

#include "base/status.h"
#include "driver/supervisor.h"
#include "result/result.h"
#include "store/store_directory.h"

namespace levelfield {

// Clean, with the entries that it was left with, where the worker has closed it in good order and
// no answer was wrong. Tainted where one was wrong. Else dirty, as it was while the worker ran: the
// worker was killed, or the engine failed.
Status MarkAtTheEnd(const RunEnd& end, Outcome outcome, StoreDirectory& store);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_STORE_ENDING_H_
