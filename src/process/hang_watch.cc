#include "process/hang_watch.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/process_tree.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

// "17 (name of 1 to 15 bytes) D 1 ...": the state stands behind the last parenthesis.
bool WaitsForTheDisk(std::string_view stat) {
  const size_t end = stat.rfind(')');
  return end != std::string_view::npos && stat.substr(end).starts_with(") D");
}

// What changes when anything moves; `looker` is the thread that asks, which always moves.
struct Sight {
  uint64_t steps = 0;
  std::string threads;  // Each with its accounts of what it has read and written.
  bool waits_for_the_disk = false;
};

Sight Look(long looker) {
  const ProcessId self = FindProcess(getpid()).value_or(ProcessId());
  Sight sight{.steps = counted_steps.load(std::memory_order_relaxed), .threads = {}};
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc/self/task", error), end; !error && it != end;
       it.increment(error)) {
    const std::string thread = it->path().filename();
    if (thread == std::to_string(looker)) continue;
    sight.threads += thread + "\n" + ReadAll(it->path() / "io");
    if (WaitsForTheDisk(ReadAll(it->path() / "stat"))) sight.waits_for_the_disk = true;
  }
  for (const ProcessId& other : TreesOf(std::vector<ProcessId>{self})) {
    if (other == self) continue;
    const std::string process = "/proc/" + std::to_string(other.pid);
    sight.threads += process + "\n" + ReadAll(process + "/io");
    if (WaitsForTheDisk(ReadAll(process + "/stat"))) sight.waits_for_the_disk = true;
  }
  return sight;
}

}  // namespace

void StartHangWatch(unsigned looks, std::string message, int exit_code) {
  std::thread([looks, message = std::move(message), exit_code] {
    const long looker = syscall(SYS_gettid);
    Sight last = Look(looker);
    for (unsigned idle = 0; idle < looks;) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      Sight now = Look(looker);
      const bool moved =
          now.waits_for_the_disk || now.steps != last.steps || now.threads != last.threads;
      idle = moved ? 0 : idle + 1;
      last = std::move(now);
    }
    (void)!write(STDERR_FILENO, message.data(), message.size());
    _exit(exit_code);
  }).detach();
}

}  // namespace levelfield
