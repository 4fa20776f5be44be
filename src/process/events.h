// What a worker tells the driver, as JSON lines on a pipe: the stage it is in, its progress, each
// phase as it ends. One direction, but for questions that the driver answers: an empty database
// is asked for, as the driver alone removes anything, and what is better done by another process
// than the one that is measured.
#ifndef LEVELFIELD_PROCESS_EVENTS_H_
#define LEVELFIELD_PROCESS_EVENTS_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace levelfield {

// The descriptor that the worker finds its pipe at.
inline constexpr int kEventFd = 3;

class EventWriter {
 public:
  explicit EventWriter(int fd) : fd_(fd) {}

  // "open", "run", "settle", "check", "verify", "close": a stage that may take longer than others
  // without progress is `slow` (the engine is at it alone).
  void Stage(size_t phase, std::string_view stage, bool slow);
  void Progress(uint64_t operations, uint64_t of);
  // With --watch: of the last interval, for whoever looks on.
  void Percentile99(uint64_t latency_ns);
  void Clock(std::string_view text);
  // One of those of a phase that has run, before the phase itself.
  void Interval(size_t phase, const nlohmann::ordered_json& interval);
  void Allocator(std::string_view text);
  void Processors(std::string_view text);  // Those that the worker can run on.
  // What the engine says that its store is configured as, opened in that durability class.
  void Configuration(std::string_view durability, std::string_view text);
  void Note(std::string_view text);  // For people, of the run as a whole.
  void Phase(size_t phase, const nlohmann::ordered_json& result);
  // What the store holds now, as StoreContent counts it; 0 before it is changed.
  void Entries(uint64_t entries);
  // The store, in good order, for good.
  void Closed();
  void Failed(std::string_view message);  // The run, outside of any phase.
  void Done();
  // Asks for an empty database and waits for it; the answer comes on standard input.
  Status RequestEmptyDatabase() { return Ask("empty", "empty the database's directory"); }
  // The same for having the store's files written to the device. Not done by the worker: closing a
  // file that was opened for it would take away all locks that an engine has on it (fcntl(2)).
  Status RequestSync() { return Ask("sync", "sync the store's files"); }
  // The same for looking how much of the store the page cache has; where `drops` says so, the page
  // cache is to forget it first. The driver adds what it found to the phase.
  Status RequestPageCache(bool drops) {
    return Ask(drops ? "drop_page_cache" : "page_cache", "look into the page cache");
  }
  // The same for timing syncs of a file beside the store's; the driver adds what it found to the
  // phase.
  Status RequestSyncProbe() { return Ask("sync_probe", "see how long a sync takes"); }
  // The same for looking which pages of the store's files are not on the device yet; the driver
  // adds them to the audit that is told next.
  Status RequestDirtyPages() { return Ask("dirty_pages", "look for dirty pages"); }
  // What was seen of the commits in that class (worker/audit.h).
  void Audited(std::string_view durability, const nlohmann::ordered_json& audit);

 private:
  Status Ask(std::string_view event, std::string_view what);
  void Send(const nlohmann::ordered_json& event);

  int fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_EVENTS_H_
