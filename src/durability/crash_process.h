// The parent's hold on the two processes of a fault: the writer that is hit, and the checker that
// looks at what is left. Both are ended by the destructors. For one thread.
#ifndef LEVELFIELD_DURABILITY_CRASH_PROCESS_H_
#define LEVELFIELD_DURABILITY_CRASH_PROCESS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/crash_state.h"
#include "base/random.h"
#include "base/status.h"
#include "durability/acknowledgements.h"
#include "durability/crash_writer.h"
#include "process/process.h"

namespace levelfield {

// What was acknowledged at one moment, which is before a fault.
struct AckedBefore {
  std::vector<uint64_t> commits;  // Of each thread.
  uint64_t at_ns = 0;
};

class CrashWriter {
 public:
  // Starts it on the task, whose `acked` says where each thread goes on, and waits until every
  // thread is about to write. An engine that needs longer than `patience_seconds` is a failure.
  static StatusOr<CrashWriter> Start(CrashTask task, double patience_seconds);

  // Lets the threads write on, by up to some thousand commits each, and returns in the middle of
  // it: after a random time, or at a random number of acknowledgements.
  Status WriteUntilSomeInstant(Random& random);

  AckedBefore Acked() const;
  std::vector<uint64_t> Issued() const { return acknowledgements_->Issued(); }
  // From the first of these commits, 0 for none of that thread, to then.
  double SecondsSince(const std::vector<uint64_t>& commits, uint64_t at_ns) const;
  // Waits until it is gone, with all its descriptors.
  void Kill();

 private:
  CrashWriter(ChildProcess child, Acknowledgements acknowledgements, double patience_seconds)
      : child_(std::move(child)),
        acknowledgements_(std::make_unique<Acknowledgements>(std::move(acknowledgements))),
        patience_seconds_(patience_seconds) {}
  Status WhyEnded();
  uint64_t AckedInAll() const;

  ChildProcess child_;
  std::unique_ptr<Acknowledgements> acknowledgements_;
  double patience_seconds_;
};

struct CheckedStore {
  CrashFinding finding;
  std::vector<uint64_t> first_lost;  // Of each thread; 0: none. Empty where nothing could be read.
  std::vector<uint64_t> kept;
};

// Opens and reads the store in another process; one that dies or hangs is a finding.
StatusOr<CheckedStore> CheckStore(const CrashTask& task, double patience_seconds);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_PROCESS_H_
