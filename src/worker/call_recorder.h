// Records what a run asks its engine for into a trace (workload/trace/trace_file.h), with times and
// sizes, so that the load can be replayed on any engine.
//
// It stands between the threads and the engine: a copy of the engine's table whose calls that read
// and write note the call and make it. Threads of a run that does not record have the engine's own
// table, and pay nothing. A note is 24 bytes and the key. A thread collects its own in a MiB of
// memory, and writes that to a file without a name, so that nothing is shared.
//
// Made by the worker's main thread, which also ends it. A thread belongs to a recorder from Begin to
// End.
#ifndef LEVELFIELD_WORKER_CALL_RECORDER_H_
#define LEVELFIELD_WORKER_CALL_RECORDER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

// The notes of one thread (call_recorder.cc).
class CallLog;

class CallRecorder {
 public:
  // The trace will be the file at `path`, where nothing is yet.
  CallRecorder(std::string path, const lf_engine& engine);
  ~CallRecorder();
  CallRecorder(const CallRecorder&) = delete;
  CallRecorder& operator=(const CallRecorder&) = delete;

  // The table whose calls are recorded, of threads that have begun.
  const lf_engine& table() const { return table_; }

  void Begin(uint32_t client);
  void End();

  // Puts the notes of all threads in the order of their times, and makes the trace. Returns what it
  // holds, in words.
  StatusOr<std::string> Finish();

 private:
  const std::string path_;
  const lf_engine& engine_;
  lf_engine table_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CallLog>> logs_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CALL_RECORDER_H_
