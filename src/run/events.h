// What a worker tells the driver, as JSON lines on a pipe: the stage it is in, its progress, each
// phase as it ends. One direction, but for one question: an empty database is asked for, and the
// driver, who alone removes anything, answers.
#ifndef LEVELFIELD_RUN_EVENTS_H_
#define LEVELFIELD_RUN_EVENTS_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace levelfield {

// The descriptor that the worker finds its pipe at.
inline constexpr int kEventFd = 3;

class EventWriter {
 public:
  explicit EventWriter(int fd) : fd_(fd) {}

  // "open", "run", "check", "verify", "close": a stage that may take longer than others without
  // progress is `slow` (the engine is at it alone).
  void Stage(size_t phase, std::string_view stage, bool slow);
  void Progress(uint64_t operations, uint64_t of);
  void Clock(std::string_view text);
  // One of those of a phase that has run, before the phase itself.
  void Interval(size_t phase, const nlohmann::ordered_json& interval);
  void Phase(size_t phase, const nlohmann::ordered_json& result);
  void Failed(std::string_view message);  // The run, outside of any phase.
  void Done();
  // Asks for an empty database and waits for it; the answer comes on standard input.
  Status RequestEmptyDatabase();

 private:
  void Send(const nlohmann::ordered_json& event);

  int fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_EVENTS_H_
