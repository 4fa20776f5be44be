// Hears of a plan's progress as it happens, on the driver's thread.
#ifndef LEVELFIELD_DRIVER_RUN_LISTENER_H_
#define LEVELFIELD_DRIVER_RUN_LISTENER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan/messages.h"
#include "result/result.h"

namespace levelfield {

class RunListener {
 public:
  virtual ~RunListener() = default;
  // The result directory exists, with its manifest.
  virtual void Began(const std::string& directory) = 0;
  virtual void PhaseEnded(const PhaseResult& result) = 0;
  // Of the present run: a stage of a phase begins, and about ten times a second its operations so
  // far.
  virtual void StageBegan(size_t, Stage) {}
  virtual void Progressed(uint64_t) {}
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_LISTENER_H_
