#include "driver/duet.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "probe/processors.h"
#include "process/interrupts.h"

namespace levelfield {
namespace {

constexpr size_t kGone = std::numeric_limits<size_t>::max();

std::string ExistingAbove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path existing = std::filesystem::absolute(path, ignored);
  while (!std::filesystem::exists(existing, ignored) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  return existing.string();
}

// Nothing where the files are in memory.
std::optional<dev_t> DiskBelow(const std::string& directory) {
  struct statfs file_system {};
  struct stat status {};
  if (statfs(directory.c_str(), &file_system) != 0 || stat(directory.c_str(), &status) != 0) {
    return std::nullopt;
  }
  const bool is_memory = file_system.f_type == TMPFS_MAGIC || file_system.f_type == RAMFS_MAGIC;
  return is_memory ? std::nullopt : std::optional(status.st_dev);
}

std::vector<int> ProcessorsFor(const std::string& cpus) {
  const StatusOr<std::vector<int>> asked = ParseProcessors(cpus);
  return cpus.empty() || !asked.ok() ? ProcessorsInForce() : *asked;
}

}  // namespace

void Meeting::Await(size_t who, size_t phase) {
  std::unique_lock lock(mutex_);
  at_[who] = phase + 1;
  changed_.notify_all();
  while (at_[1 - who] < phase + 1 && !IsInterrupted()) {
    changed_.wait_for(lock, std::chrono::milliseconds(100));  // No signal wakes it.
  }
}

void Meeting::Leave(size_t who) {
  const std::lock_guard lock(mutex_);
  at_[who] = kGone;
  changed_.notify_all();
}

class SecondOfDuet::Recorder : public RunObserver {
 public:
  explicit Recorder(SecondOfDuet& duet) : duet_(duet) {}

  void PhaseReady(size_t phase) override { duet_.meeting_.Await(1, phase); }
  void PhaseEnded(size_t phase, const PhaseResult& result) override {
    duet_.told_.emplace_back(
        [phase, result](RunObserver& observer) { observer.PhaseEnded(phase, result); });
  }
  void IntervalEnded(size_t phase, const PhaseInterval& interval) override {
    duet_.told_.emplace_back(
        [phase, interval](RunObserver& observer) { observer.IntervalEnded(phase, interval); });
  }

 private:
  SecondOfDuet& duet_;
};

SecondOfDuet::SecondOfDuet(WorkerSpec spec, StoreKeeper& store)
    : spec_(std::move(spec)), view_({spec_.engine}, {"duet"}) {
  try {
    thread_ = std::thread([this, &store] {
      Recorder recorder(*this);
      end_ = Supervise(spec_, store, view_, recorder);
      meeting_.Leave(1);
    });
  } catch (const std::system_error& error) {
    end_.failure = fmt::format("no thread can be started for it: {}", error.code().message());
    meeting_.Leave(1);
  }
}

SecondOfDuet::~SecondOfDuet() {
  meeting_.Leave(0);
  if (thread_.joinable()) thread_.join();
}

RunEnd SecondOfDuet::Finish(RunObserver& observer) {
  meeting_.Leave(0);
  if (thread_.joinable()) thread_.join();
  for (const auto& tell : told_) tell(observer);
  return std::move(end_);
}

std::string HalfOfProcessors(const std::string& cpus, size_t which, uint64_t round) {
  const std::vector<int> all = ProcessorsFor(cpus);
  const size_t half = all.size() / 2;  // Of an odd number one rests.
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>((which + round) % 2 * half);
  return ProcessorsText({begin, begin + static_cast<std::ptrdiff_t>(half)});
}

Status CheckDuet(const Settings& settings, const std::vector<std::string>& stores_on_files) {
  if (ProcessorsFor(settings.cpus).size() < 2) {
    return Status::Usage(
        "--duet: measures two engines on processors of their own, and here is one processor");
  }
  for (const char* const name : {"use_existing_db", "single_db", "memory", "slo", "report_file"}) {
    if (!settings.given.contains(name)) continue;
    return Status::Usage(fmt::format(
        "--duet with --{}: two engines at the same moment have no use of it; leave one of them out",
        name));
  }
  if (settings.rate == "sweep") {
    return Status::Usage("--duet with --rate=sweep: each engine would have rates of its own");
  }
  if (stores_on_files.size() < 2) return Status::Ok();
  const std::string one = ExistingAbove(stores_on_files[0]);
  const std::string other = ExistingAbove(stores_on_files[1]);
  const std::optional<dev_t> device = DiskBelow(one);
  if (!device || device != DiskBelow(other)) return Status::Ok();
  return Status::Usage(fmt::format(
      "--duet: both stores would be on one disk (device {}:{}, below {}), and each would be "
      "measured waiting for the other; give --db in memory, like --db=/dev/shm/stores, or leave "
      "--duet out: engines of one run take turns",
      major(*device), minor(*device), one));
}

}  // namespace levelfield
