#include "worker/message_writer.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/unique_fd.h"

namespace levelfield {

void MessageWriter::Send(const Message& message) {
  // If the driver is gone, the kernel will end this process too.
  (void)WriteAll(fd_, ToText(message) + "\n");
}

void MessageWriter::SendProcessesOf(const Store& store) {
  ProcessesTold told;
  for (const ProcessId& process : store.Processes()) told.processes.push_back(process.pid);
  if (!told.processes.empty()) Send(told);
}

namespace {

const char* WhatIsAsked(Request request) {
  switch (request) {
    case Request::kEmptyDatabase:
      return "empty the database's directory";
    case Request::kSyncFiles:
      return "sync the store's files";
    case Request::kLookAtPageCache:
      return "look into the page cache";
    case Request::kDropPageCache:
      return "drop the page cache";
    case Request::kTimeSyncs:
      return "see how long a sync takes";
    case Request::kFindDirtyPages:
      return "look for dirty pages";
    case Request::kLiftMemoryLimit:
      return "lift the limit of memory";
    case Request::kHoldMemoryLimit:
      return "limit the memory again";
  }
  return "do what is unknown";
}

}  // namespace

Status MessageWriter::Ask(Request request) {
  Send(RequestMade{request});
  char answer = 0;
  ssize_t count = 0;
  do {
    count = read(STDIN_FILENO, &answer, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 1 && answer == 'y') return Status::Ok();
  return Status::Failed(fmt::format("the driver could not {}", WhatIsAsked(request)));
}

std::optional<uint64_t> MessageWriter::AwaitTurn(const TurnEnded& turn,
                                                 const std::function<bool()>& is_interrupted) {
  constexpr int kLookMs = 100;
  Send(turn);
  pollfd answer = {STDIN_FILENO, POLLIN, 0};
  while (poll(&answer, 1, kLookMs) <= 0) {
    if (is_interrupted()) return std::nullopt;
  }
  uint64_t charged_ns = 0;
  const ssize_t count = read(STDIN_FILENO, &charged_ns, sizeof(charged_ns));
  return count == sizeof(charged_ns) ? std::optional(charged_ns) : std::nullopt;
}

StatusOr<GateAnswer> MessageWriter::Meet(const GateReached& gate) {
  Send(gate);
  std::string line;
  char byte = 0;
  while (true) {
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Status::Failed("the driver is gone");
    if (byte == '\n') break;
    line += byte;
  }
  ASSIGN_OR_RETURN(GateAnswer answer, GateAnswerFromText(line));
  if (answer.is_interrupted) return Status::Interrupted(answer.failure);
  if (!answer.failure.empty()) return Status::Failed("the fleet is not whole: " + answer.failure);
  return answer;
}

}  // namespace levelfield
