// The two processes of a fault, and the parent's hold on them: the writer that is hit, and the
// checker that looks at what is left. Engines are loaded in these, never in the parent. The
// destructors end both. For one thread.
#ifndef LEVELFIELD_DURABILITY_CRASH_PROCESS_H_
#define LEVELFIELD_DURABILITY_CRASH_PROCESS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/crash_state.h"
#include "base/random.h"
#include "base/status.h"
#include "durability/commits.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "process/process.h"

namespace levelfield {

inline constexpr const char* kCrashWriterWord = "--crash-writer";
inline constexpr const char* kCrashCheckerWord = "--crash-checker";

// A writer's or a checker's orders, as one line of JSON on standard input.
struct CrashTask {
  std::string engine;    // The spec.
  SettingList settings;  // Canonical, with `durability`.
  std::string directory;
  CommitOrder::Shape shape;
  // By thread. Writer: commits that are already in the store; it continues after them. Checker:
  // what was acknowledged, and what was issued.
  std::vector<uint64_t> acked;
  std::vector<uint64_t> issued;
  std::string acknowledgements;  // For the writer: the path of the shared memory.
};

// The writer's side: opens a store and commits in the order of commits.h, on one or several
// threads, until it is killed. If the engine fails, its message goes to descriptor 3 in one line: a
// fault is no failure of the engine, but the parent knows what it did. Returns the exit code.
int RunCrashWriter();

// The checker's side: opens what a fault left, with the engine's own recovery, and reads all of it
// twice: each key that was ever issued by a get, and everything by a scan. Descriptor 3 gets a line
// `opened` when the engine has opened the store, so the parent knows where one hangs. Then it gets
// the CrashFinding as JSON, with the first lost commit of each thread as `first_lost`. Returns the
// exit code.
int RunCrashChecker();

// For both: the task; empty if there is none.
std::optional<CrashTask> ReadCrashTask();
StatusOr<Engine> LoadEngineOf(const CrashTask& task);

// What was acknowledged at one moment before a fault.
struct AckedBefore {
  std::vector<uint64_t> commits;  // By thread.
  uint64_t at_ns = 0;
};

class CrashWriter {
 public:
  // Starts it on the task, whose `acked` says where each thread continues, and waits until every
  // thread is about to write. An engine that needs longer than `patience_seconds` is a failure.
  static StatusOr<CrashWriter> Start(CrashTask task, double patience_seconds);

  // Lets the threads continue for up to some thousand commits each, and returns in the middle:
  // after a random time, or at a random number of acknowledgements.
  Status WriteUntilSomeInstant(Random& random);

  AckedBefore Acked() const;
  std::vector<uint64_t> Issued() const { return acknowledgements_->Issued(); }
  // The time from the first of these commits (0: none of that thread) to `at_ns`.
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
  std::vector<uint64_t> first_lost;  // By thread; 0: none. Empty: nothing could be read.
  std::vector<uint64_t> kept;
};

// Opens and reads the store in another process. If that dies or hangs, it is a finding.
StatusOr<CheckedStore> CheckStore(const CrashTask& task, double patience_seconds);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_PROCESS_H_
