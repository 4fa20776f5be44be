// What a worker measures its phases with. Made once, before the first of them. Its main thread
// alone uses the probes, and never while operations run; the clock is read by all threads.
#ifndef LEVELFIELD_WORKER_INSTRUMENTS_H_
#define LEVELFIELD_WORKER_INSTRUMENTS_H_

#include <string>

#include "base/clock.h"
#include "probe/condition_probe.h"
#include "probe/resource_probe.h"
#include "probe/sync_probe.h"

namespace levelfield {

struct Instruments {
  // `directory` is the store's.
  Instruments(bool wants_tsc, const std::string& directory)
      : clock(Clock::Calibrate(wants_tsc)), resources(directory), settle_resources(directory) {}

  Clock clock;
  ResourceProbe resources;         // Of the measured time.
  ResourceProbe settle_resources;  // Of the settling behind it.
  ConditionProbe conditions;
  const double copy_bytes_per_second = MeasureCopies();
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_INSTRUMENTS_H_
