#include "durability/crash_cell.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "base/random.h"
#include "base/removal.h"
#include "base/unique_fd.h"
#include "durability/crash_process.h"
#include "durability/cuttable_disk.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// How often a store that was killed and found whole is written to and killed again.
constexpr uint64_t kKillsOfAStore = 8;
// A running writer gives this many states; then another begins with an empty store.
constexpr uint64_t kCutsOfAWriter = 8;
// mkfs.xfs asks for at least 300 MB. btrfs writes nothing in place: in 320 MiB Berkeley DB's log
// ran out of room, and its recovery after a cut failed.
uint64_t DiskBytesOf(const CrashCell& cell) {
  return cell.file_system == "btrfs" ? uint64_t{1} << 30 : uint64_t{320} << 20;
}

// An empty directory whose name is on the disk. Else losing it would count as the store's loss.
Status MakeStoreDirectory(const std::string& path) {
  std::error_code error = RemoveAll(path);
  if (!error) fs::create_directory(path, error);
  if (error) return Status::Failed(fmt::format("cannot make {}: {}", path, error.message()));
  const UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.ok() && syncfs(directory.get()) == 0) return Status::Ok();
  return Status::Failed(fmt::format("cannot sync {}: {}", path, std::strerror(errno)));
}

// Failures here mean that the power is off, or that the engine has just removed the file.
void WriteFilesBack(const std::string& directory) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored)) continue;
    const UniqueFd file(open(it->path().c_str(), O_RDONLY | O_CLOEXEC));
    if (file.ok()) (void)sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  }
}

void SyncFileSystem(const std::string& directory) {
  const UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.ok()) (void)syncfs(fd.get());
}

// Brings forward the kernel's own write-back of dirty pages, which comes some seconds after a write
// and in its own order. While this lives, a thread has the files below a directory written back at
// random moments. Without it a power cut would find only what the engine has synced, and no store
// would ever be half there.
//
// Half of the times it writes back without a flush or a commit of the file system's journal, else
// it syncs the whole file system.
class Writeback {
 public:
  Writeback(std::string directory, uint64_t seed);
  // Waits until the thread has ended and has no file open.
  ~Writeback() = default;
  Writeback(const Writeback&) = delete;
  Writeback& operator=(const Writeback&) = delete;

 private:
  std::jthread thread_;
};

Writeback::Writeback(std::string directory, uint64_t seed)
    : thread_([directory = std::move(directory), seed](const std::stop_token& stop) {
        Random random(seed);
        while (!stop.stop_requested()) {
          // 1 to 16 ms: several times in a burst of writes.
          for (uint64_t left = uint64_t{1} << random.Below(5); left > 0 && !stop.stop_requested();
               --left) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          random.Below(2) == 0 ? WriteFilesBack(directory) : SyncFileSystem(directory);
        }
      }) {}

// The faults of a cell, one after another.
class Cell {
 public:
  Cell(const CellPlan& plan, const std::function<Status(const CrashState&)>& take)
      : plan_(plan),
        take_(take),
        random_(DeriveSeed(plan.seed, "crash",
                           fmt::format("{} {} {}{}{}", plan.cell.engine, plan.cell.durability,
                                       NameOf(plan.cell.fault), NameOf(plan.cell.cut_method),
                                       plan.cell.file_system),
                           0)) {}

  Status Kill() {
    const std::string store = plan_.scratch + "/store";
    std::vector<uint64_t> kept;  // By thread; empty: a fresh store.
    for (uint64_t i = 0; i < plan_.states; ++i) {
      if (kept.empty()) {
        NextStore();
        RETURN_IF_ERROR(MakeStoreDirectory(store));
        kept.assign(threads_, 0);
      }
      CrashTask task = Task(store);
      task.acked = kept;
      ASSIGN_OR_RETURN(CrashWriter writer, CrashWriter::Start(task, plan_.patience_seconds));
      RETURN_IF_ERROR(writer.WriteUntilSomeInstant(random_));
      FaultSeen seen = {.acked = writer.Acked()};
      writer.Kill();
      seen.issued = writer.Issued();
      ASSIGN_OR_RETURN(std::vector<uint64_t> left, Check(task, store, writer, seen));
      kept = (i + 1) % kKillsOfAStore == 0 ? std::vector<uint64_t>() : std::move(left);
    }
    (void)RemoveAll(store);
    return Status::Ok();
  }

  Status Power() {
    ASSIGN_OR_RETURN(std::unique_ptr<CuttableDisk> disk,
                     CuttableDisk::Make({.cut = plan_.cell.cut_method,
                                         .file_system = plan_.cell.file_system,
                                         .bytes = DiskBytesOf(plan_.cell),
                                         .scratch = plan_.scratch,
                                         .eats_flushes = plan_.cell.eats_flushes}));
    const bool is_volatile = plan_.cell.cut_method == PowerCut::kVolatile;
    for (uint64_t i = 0; i < plan_.states;) {
      NextStore();
      const std::string store = (disk)->directory() + "/store";
      RETURN_IF_ERROR(MakeStoreDirectory(store));
      RETURN_IF_ERROR(CheckIsOnTheDisk(store));
      CrashTask task = Task(store);
      ASSIGN_OR_RETURN(CrashWriter writer, CrashWriter::Start(task, plan_.patience_seconds));
      const uint64_t end = is_volatile ? std::min(i + kCutsOfAWriter, plan_.states) : i + 1;
      for (; i < end; ++i) {
        RETURN_IF_ERROR(Cut(*disk, task, writer, is_volatile));
      }
      if (is_volatile) writer.Kill();
    }
    return Status::Ok();
  }

 private:
  void NextStore() {
    threads_ = plan_.threads[stores_ % plan_.threads.size()];
    ++stores_;
  }

  CrashTask Task(const std::string& store) const {
    CrashTask task = {.engine = plan_.cell.engine,
                      .settings = plan_.settings,
                      .directory = store,
                      .shape = {.seed = DeriveSeed(plan_.seed, "crash", "store", stores_),
                                .value_bytes = plan_.value_bytes,
                                .erases = true},
                      .acked = std::vector<uint64_t>(threads_, 0),
                      .issued = {},
                      .acknowledgements = ""};
    task.settings.emplace_back("durability", plan_.cell.durability);
    task.settings.emplace_back(kSessionsHint, std::to_string(threads_));
    return task;
  }

  Status Cut(CuttableDisk& disk, const CrashTask& written, CrashWriter& writer, bool is_volatile) {
    std::optional<Writeback> writeback;
    const bool is_written_back = random_.Below(2) == 0;
    if (is_written_back) writeback.emplace(written.directory, random_.Next());
    RETURN_IF_ERROR(writer.WriteUntilSomeInstant(random_));
    const double survives = is_volatile ? plan_.survives[random_.Below(plan_.survives.size())] : 0;
    if (disk.written_bytes() == 0) {
      return Status::Failed("nothing came to the disk whose power is cut: the store is not on it");
    }
    FaultSeen seen = {
        .acked = writer.Acked(), .survives = survives, .written_back = is_written_back};
    RETURN_IF_ERROR(disk.Cut(survives, random_.Next()));
    writeback.reset();
    if (!is_volatile) writer.Kill();
    seen.issued = writer.Issued();
    const StatusOr<std::string> recovered = disk.Recover();
    if (!recovered.ok()) {
      (void)disk.Release();
      if (!plan_.cell.eats_flushes) return recovered.status();
      // A disk that lies to its file system can destroy it, with everything in it.
      CheckedStore nothing;
      nothing.finding.message = "the file system that it is on cannot be mounted any more";
      return Take(nothing, writer, seen);
    }
    const StatusOr<std::vector<uint64_t>> left =
        Check(written, *recovered + "/store", writer, seen);
    const Status released = disk.Release();
    return left.ok() ? released : left.status();
  }

  // What is known about a fault before anybody looks at what it left.
  struct FaultSeen {
    AckedBefore acked;
    std::vector<uint64_t> issued = {};
    double survives = 0;
    bool written_back = false;
  };

  // Returns the commits after which each thread may go on; empty if anything is wrong with the
  // store.
  StatusOr<std::vector<uint64_t>> Check(CrashTask task, const std::string& directory,
                                        const CrashWriter& writer, const FaultSeen& seen) {
    task.directory = directory;
    task.acked = seen.acked.commits;
    task.issued = seen.issued;
    ASSIGN_OR_RETURN(const CheckedStore checked, CheckStore(task, plan_.patience_seconds));
    RETURN_IF_ERROR(Take(checked, writer, seen));
    if (checked.finding.IsBroken() || checked.finding.lost != 0) return std::vector<uint64_t>();
    return checked.kept;
  }

  Status Take(const CheckedStore& checked, const CrashWriter& writer, const FaultSeen& seen) {
    const std::vector<uint64_t>& acked = seen.acked.commits;
    return take_({.cell = plan_.cell,
                  .threads = threads_,
                  .survives = seen.survives,
                  .written_back = seen.written_back,
                  .issued = std::reduce(seen.issued.begin(), seen.issued.end()),
                  .acked = std::reduce(acked.begin(), acked.end()),
                  .lost_seconds = writer.SecondsSince(checked.first_lost, seen.acked.at_ns),
                  .finding = checked.finding});
  }

  // Without the mount this would be a directory of the machine's own disk, which loses nothing.
  Status CheckIsOnTheDisk(const std::string& store) const {
    struct stat of_store = {};
    struct stat of_scratch = {};
    if (stat(store.c_str(), &of_store) == 0 && stat(plan_.scratch.c_str(), &of_scratch) == 0 &&
        of_store.st_dev != of_scratch.st_dev) {
      return Status::Ok();
    }
    return Status::Failed(store + " is not on the disk whose power is cut");
  }

  const CellPlan& plan_;
  const std::function<Status(const CrashState&)>& take_;
  Random random_;
  uint64_t stores_ = 0;
  uint32_t threads_ = 1;
};

}  // namespace

std::string WhyNotTried(const CrashCell& cell) {
  return cell.fault == CrashFault::kPower ? CuttableDisk::WhyNot(cell.cut_method, cell.file_system)
                                          : "";
}

Status TryCell(const CellPlan& plan, const std::function<Status(const CrashState&)>& take) {
  Cell cell(plan, take);
  return plan.cell.fault == CrashFault::kKill ? cell.Kill() : cell.Power();
}

}  // namespace levelfield
