#include "driver/fleet_gate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "process/process.h"

namespace levelfield {

StatusOr<FleetGate> FleetGate::Open(const std::string& words, double stall_seconds) {
  const char* const given = std::getenv(kGateVariable);
  int ends[2] = {-1, -1};
  const bool is_given = given != nullptr && std::sscanf(given, "%d,%d", &ends[0], &ends[1]) == 2;
  // The workers inherit none of it.
  if (!is_given || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
      fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) {
    return Status::Usage(
        "--fleet=one: nobody has started others beside this run; say `mpirun -n 4 levelfield-mpi "
        "run --fleet=one ...`");
  }
  FleetGate gate{UniqueFd(ends[0]), UniqueFd(ends[1]), stall_seconds};
  const GateAnswer answer = gate.Ask({.gate = "the start", .tells = words});
  if (!answer.failure.empty()) return Status::Usage("--fleet=one: " + answer.failure);
  const auto other =
      std::ranges::find_if(answer.told, [&](const std::string& told) { return told != words; });
  if (other != answer.told.end()) {
    return Status::Usage(fmt::format(
        "--fleet=one: rank {} was told something else, or has another version; give all ranks the "
        "same words",
        other - answer.told.begin()));
  }
  gate.place_ = answer.place;
  return gate;
}

void FleetGate::SkipRun() {
  ++run_;
  has_idled_ = true;
}

GateAnswer FleetGate::BeginRun(const std::string& name, uint64_t ranks, const std::string& left,
                               const std::string& failure) {
  ++run_;
  ranks_ = ranks;
  return Ask({.gate = "the begin of " + name, .failure = failure, .left = left});
}

GateAnswer FleetGate::Meet(GateQuestion question) { return Ask(std::move(question)); }

void FleetGate::End(const std::string& left, const std::string& results) {
  run_ = std::numeric_limits<uint32_t>::max();
  ranks_ = 0;
  (void)Ask({.gate = kLastGate, .tells = results, .left = left});
}

GateAnswer FleetGate::Ask(GateQuestion question) {
  if (!broken_.empty()) return {.failure = broken_};
  question.run = run_;
  // Who took long itself has to wait as long for others.
  question.patience_seconds = stall_seconds_ + SecondsSince(answered_ns_);
  question.ranks = ranks_;
  if (std::exchange(has_idled_, false)) question.patience_seconds = 1e9;
  (void)WriteAll(questions_.get(), ToText(question) + "\n");  // If that fails, so does the answer.
  const StatusOr<std::string> text = ReadLine();
  const StatusOr<GateAnswer> answer = text.ok() ? GateAnswerFromText(*text) : text.status();
  answered_ns_ = MonotonicNs();
  if (answer.ok()) return *answer;
  broken_ = answer.status().message();
  return {.failure = broken_, .is_interrupted = answer.status().kind() == ErrorKind::kInterrupted};
}

StatusOr<std::string> FleetGate::ReadLine() {
  constexpr int kLookMs = 100;
  std::string line;
  while (true) {
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    pollfd answer = {answers_.get(), POLLIN, 0};
    if (poll(&answer, 1, kLookMs) <= 0) continue;
    char byte = 0;
    const ssize_t count = read(answers_.get(), &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Status::Failed("its launcher has ended, as it does when a rank dies");
    if (byte == '\n') return line;
    line += byte;
  }
}

}  // namespace levelfield
