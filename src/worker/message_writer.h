// What a worker tells its driver, and asks it (plan/messages.h), by the pipes between them.
#ifndef LEVELFIELD_WORKER_MESSAGE_WRITER_H_
#define LEVELFIELD_WORKER_MESSAGE_WRITER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "base/status.h"
#include "engine/engine.h"
#include "plan/messages.h"

namespace levelfield {

// The worker's end of the pipe, for its main thread.
class MessageWriter {
 public:
  explicit MessageWriter(int fd) : fd_(fd) {}

  void Send(const Message& message);
  // Of a store that was opened: the processes that work for it, if there are any.
  void SendProcessesOf(const Store& store);
  // Waits for the driver's answer on standard input.
  Status Ask(Request request);
  // The same for the next turn. Returns the time to charge. Nothing if it is interrupted meanwhile,
  // or the driver is gone.
  std::optional<uint64_t> AwaitTurn(const TurnEnded& turn,
                                    const std::function<bool()>& is_interrupted);
  // Waits for the others of the fleet. A failure names the rank that it is of.
  StatusOr<GateAnswer> Meet(const GateReached& gate);

 private:
  int fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_MESSAGE_WRITER_H_
