// A trace that RocksDB has recorded, made one of ours for a replay: its db_bench replays its own.
#ifndef LEVELFIELD_VERBS_TRACE_FOR_REPLAY_H_
#define LEVELFIELD_VERBS_TRACE_FOR_REPLAY_H_

#include <cstdint>
#include <string>

#include "base/status.h"

namespace levelfield {

class TraceForReplay {
 public:
  TraceForReplay() = default;
  TraceForReplay(const TraceForReplay&) = delete;
  TraceForReplay& operator=(const TraceForReplay&) = delete;
  // Removes what it has made.
  ~TraceForReplay();

  // The path itself, if there is no trace of RocksDB's. Else that of one of ours in the directory
  // for temporary files, in which values of unknown size have `value_size` bytes.
  StatusOr<std::string> Of(const std::string& path, uint64_t value_size);

 private:
  std::string made_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_TRACE_FOR_REPLAY_H_
