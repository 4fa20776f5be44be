#include "process/events.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/json_text.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

void EventWriter::Stage(size_t phase, std::string_view stage, bool slow) {
  Send({{"event", "stage"}, {"phase", phase}, {"stage", stage}, {"slow", slow}});
}

void EventWriter::Progress(uint64_t operations, uint64_t of) {
  Send({{"event", "progress"}, {"operations", operations}, {"of", of}});
}

void EventWriter::Percentile99(uint64_t latency_ns) {
  Send({{"event", "percentile_99"}, {"latency_ns", latency_ns}});
}

void EventWriter::Clock(std::string_view text) { Send({{"event", "clock"}, {"text", text}}); }

void EventWriter::Interval(size_t phase, const Json& interval) {
  Send({{"event", "interval"}, {"phase", phase}, {"interval", interval}});
}

void EventWriter::Allocator(std::string_view text) {
  Send({{"event", "allocator"}, {"text", text}});
}

void EventWriter::Processors(std::string_view text) {
  Send({{"event", "processors"}, {"text", text}});
}

void EventWriter::Configuration(std::string_view durability, std::string_view text) {
  Send({{"event", "configuration"}, {"durability", durability}, {"text", text}});
}

void EventWriter::Note(std::string_view text) { Send({{"event", "note"}, {"text", text}}); }

void EventWriter::Entries(uint64_t entries) { Send({{"event", "entries"}, {"entries", entries}}); }
void EventWriter::Audited(std::string_view durability, const Json& audit) {
  Send({{"event", "audit"}, {"durability", durability}, {"audit", audit}});
}

void EventWriter::Phase(size_t phase, const Json& result) {
  Send({{"event", "phase"}, {"phase", phase}, {"result", result}});
}

void EventWriter::Closed() { Send({{"event", "closed"}}); }

void EventWriter::Failed(std::string_view message) {
  Send({{"event", "failed"}, {"message", message}});
}

void EventWriter::Done() { Send({{"event", "done"}}); }

Status EventWriter::Ask(std::string_view event, std::string_view what) {
  Send({{"event", event}});
  char answer = 0;
  ssize_t count = 0;
  do {
    count = read(STDIN_FILENO, &answer, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 1 && answer == 'y') return Status::Ok();
  return Status::Failed(fmt::format("the driver could not {}", what));
}

void EventWriter::Send(const Json& event) {
  const std::string line = JsonText(event) + "\n";
  size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t count = write(fd_, line.data() + sent, line.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // The driver is gone; the kernel is about to end this process too.
    sent += static_cast<size_t>(count);
  }
}

}  // namespace levelfield
