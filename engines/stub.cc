// The stub engine: an honest small store, an ordered map with a log of its writes, that misbehaves
// as its options say. It is slow, it stalls, it defers work, it loses writes, it lies about syncs.
// It shows what the program would find in an engine with the same faults, and what the program
// itself costs beside a known service time. With all options off it is a store like any other. It
// is never ranked, and runs only if it is named.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "levelfield/engine.h"
#include "ordered_map.h"
#include "store_files.h"
#include "stub_background.h"
#include "stub_log.h"
#include "stub_session.h"

namespace {

using levelfield::DeferredWork;
using levelfield::EngineSettings;
using levelfield::OrderedMap;
using levelfield::ScriptedSession;
using levelfield::StubActs;
using levelfield::StubBurners;
using levelfield::StubLog;
using levelfield::StubScript;
using levelfield::StubSession;
using levelfield::Unsupported;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in memory. There is no cache."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Writes go to the map, and to the log."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one file."},
    {"service_us", LF_COUNT, "0", nullptr,
     "Each call of a session is busy for so many microseconds before it does anything."},
    {"hurry", LF_FLAG, "0", nullptr, "Leaves service_us out."},
    {"stall_every_ms", LF_COUNT, "0", nullptr,
     "The first call after every so many milliseconds since the store was opened stalls for "
     "stall_ms. "
     "0: none."},
    {"stall_ms", LF_COUNT, "0", nullptr, "How long such a call stalls, in milliseconds."},
    {"debt_us_per_put", LF_COUNT, "0", nullptr,
     "Each put leaves so many microseconds of deferred work to a thread, which begins when "
     "somebody "
     "waits for it or writes have paused for 50 ms. Calls do not wait for it."},
    {"tells_debt", LF_FLAG, "1", nullptr,
     "Whether the store can be asked to wait for its own threads. 0: they can only be watched."},
    {"lose_every", LF_COUNT, "0", nullptr,
     "The last of every so many puts is acknowledged, but not stored. 0: none."},
    {"reorder_every", LF_COUNT, "0", nullptr,
     "The last of every so many steps of scans returns the entry after the next one, and the step "
     "after it returns the entry that was left out. 0: none."},
    {"wrong_value_every", LF_COUNT, "0", nullptr,
     "The last of every so many gets that find their key returns the next key's value. 0: none."},
    {"lazy_pages", LF_FLAG, "0", nullptr,
     "Values are returned in pages that are not mapped until somebody reads them."},
    {"no_sync", LF_FLAG, "0", nullptr,
     "Writes are acknowledged without the sync that they need: durability is claimed and not "
     "kept."},
    {"sync_every", LF_COUNT, "1", nullptr,
     "Only the last of every so many commits that need a sync is synced. The others are "
     "acknowledged "
     "without."},
    {"open_ms", LF_COUNT, "0", nullptr, "Opening the store takes so many milliseconds more."},
    {"background_threads", LF_COUNT, "0", nullptr,
     "So many threads keep a processor busy while the store is open."},
    {"sparse_bytes", LF_BYTES, "0", nullptr,
     "A file of that length, without a block, lies beside the log."},
    {"map_bytes", LF_BYTES, "0", nullptr,
     "A file of that length is mapped into memory, and each of its pages is read."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// For demonstrating --settings=best.
const lf_alternative kAlternatives[] = {
    {"hurry", "hurry=1", "none,process,synced", "Saves the time that it wastes.",
     "https://example.org/hurry"},
    {"careless", "no_sync=1", "none,process", "Would break the promise of `synced`.",
     "https://example.org/careless"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "the log waits in a buffer of 64 KiB"},
    {"process", LF_D1_PROCESS, "write(2) before the acknowledgement, no sync"},
    {"synced", LF_D4_SYNCED, "write(2) and fdatasync(2) before the acknowledgement"},
    {nullptr, LF_REFUSED, nullptr},
};

StubScript ScriptOf(const EngineSettings& settings) {
  return {.service_us = settings.Flag("hurry", false) ? 0 : settings.Number("service_us", 0),
          .stall_every_ms = settings.Number("stall_every_ms", 0),
          .stall_ms = settings.Number("stall_ms", 0),
          .debt_us_per_put = settings.Number("debt_us_per_put", 0),
          .lose_every = settings.Number("lose_every", 0),
          .reorder_every = settings.Number("reorder_every", 0),
          .wrong_value_every = settings.Number("wrong_value_every", 0),
          .lazy_pages = settings.Flag("lazy_pages", false)};
}

lf_code Check(const EngineSettings& settings) {
  constexpr uint64_t kHourMs = 3'600'000;
  const lf_code code = settings.CheckRanges("stub", {{"service_us", 0, kHourMs * 1000},
                                                     {"stall_every_ms", 0, kHourMs},
                                                     {"stall_ms", 0, kHourMs},
                                                     {"debt_us_per_put", 0, kHourMs * 1000},
                                                     {"sync_every", 1, 1'000'000},
                                                     {"open_ms", 0, kHourMs},
                                                     {"background_threads", 0, 64},
                                                     {"sparse_bytes", 0, uint64_t{1} << 43},
                                                     {"map_bytes", 0, uint64_t{1} << 36}});
  if (code != LF_OK) return code;
  const bool has_every = settings.Number("stall_every_ms", 0) != 0;
  if (has_every == (settings.Number("stall_ms", 0) != 0)) return LF_OK;
  return Unsupported(has_every
                         ? "stub: stall_every_ms needs stall_ms, how long a call stands still"
                         : "stub: stall_ms needs stall_every_ms, how often a call stands still");
}

// A file of that length beside the log, without blocks, and its pages in memory if it is mapped.
class HollowFile {
 public:
  HollowFile() = default;
  HollowFile(const HollowFile&) = delete;
  HollowFile& operator=(const HollowFile&) = delete;
  ~HollowFile() {
    if (pages_ != MAP_FAILED) munmap(pages_, bytes_);
    if (file_ >= 0) close(file_);
  }

  lf_code Make(const std::string& path, uint64_t bytes, bool is_mapped, StubLog& log) {
    bytes_ = bytes;
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0) {
      return log.FailedTo("make", path);
    }
    if (!is_mapped) return LF_OK;
    pages_ = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, 0);
    if (pages_ == MAP_FAILED) return log.FailedTo("map", path);
    constexpr uint64_t kPage = 4096;
    const auto* const first = static_cast<const volatile char*>(pages_);
    for (uint64_t at = 0; at < bytes; at += kPage) (void)first[at];
    return LF_OK;
  }

 private:
  int file_ = -1;
  void* pages_ = MAP_FAILED;
  uint64_t bytes_ = 0;
};

constexpr std::string_view kSparse = "/stub.sparse";
constexpr std::string_view kMapped = "/stub.map";

class Store {
 public:
  static lf_code Recognize(const char* path) {
    const std::string log = path + std::string(StubLog::kName);
    return levelfield::StartOfFile(log, StubLog::kMagic.size()) == StubLog::kMagic ? LF_OK
                                                                                   : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    const std::string log = path + std::string(StubLog::kName);
    for (const std::string& file :
         {path + std::string(kSparse), path + std::string(kMapped), log + ".new", log}) {
      if (!levelfield::RemoveFile(file)) return StubLog().FailedTo("remove", file);
    }
    return LF_OK;
  }

  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    const lf_code code = Check(settings);
    if (code != LF_OK || directory == nullptr) return code;
    auto opened = std::make_unique<Store>();
    const lf_code came_to = opened->OpenIn(directory, settings);
    if (came_to == LF_OK) store = std::move(opened);
    return came_to;
  }

  lf_code Close() {
    burners_.reset();
    debt_.reset();
    const std::unique_lock lock(map_.mutex);
    return log_.Flush();
  }

  lf_code BeginSession(std::unique_ptr<StubSession>& session) {
    if (script_.IsEmpty()) {
      session = std::make_unique<StubSession>(map_, log_);
    } else {
      session =
          std::make_unique<ScriptedSession>(map_, log_, script_, *acts_, debt_ ? &*debt_ : nullptr);
    }
    return LF_OK;
  }

  lf_code Sync() {
    const std::unique_lock lock(map_.mutex);
    return log_.Sync();
  }
  lf_code Flush() {
    const std::unique_lock lock(map_.mutex);
    return log_.Flush();
  }
  lf_code Compact() {
    const std::unique_lock lock(map_.mutex);
    return log_.Rewrite(map_);
  }

  lf_code WaitForBackground() {
    if (!tells_debt_) return Unsupported("stub: it was told not to say (--stub.tells_debt=0)");
    if (debt_) debt_->WaitUntilPaid();
    return LF_OK;
  }

  lf_code Property(const char* name, const char** text) {
    if (std::string_view(name) == "options") {
      *text = options_.c_str();
      return LF_OK;
    }
    if (std::string_view(name) != "stats") {
      return Unsupported(std::string("stub: it has no property ") + name);
    }
    const std::shared_lock lock(map_.mutex);
    stats_ = "entries=" + std::to_string(map_.map.size()) + "\n";
    *text = stats_.c_str();
    return LF_OK;
  }

  // The script's deeds, to compare with the findings.
  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    sink(context, "stub.stalls", acts_->stalls);
    sink(context, "stub.lost_puts", acts_->lost_puts);
    sink(context, "stub.reordered_steps", acts_->reordered_steps);
    sink(context, "stub.wrong_values", acts_->wrong_values);
    sink(context, "stub.debt_paid_us", debt_ ? static_cast<uint64_t>(debt_->paid().count()) : 0);
  }

 private:
  lf_code OpenIn(const std::string& directory, const EngineSettings& settings) {
    std::this_thread::sleep_for(std::chrono::milliseconds(settings.Number("open_ms", 0)));
    const std::string_view durability = settings.Durability();
    const StubLog::Keeps keeps = durability == "none"      ? StubLog::Keeps::kBuffer
                                 : durability == "process" ? StubLog::Keeps::kKernel
                                                           : StubLog::Keeps::kDisk;
    lf_code code = log_.Open(directory, keeps, !settings.Flag("no_sync", false),
                             settings.Number("sync_every", 1), map_);
    const uint64_t sparse_bytes = settings.Number("sparse_bytes", 0);
    if (code == LF_OK && sparse_bytes != 0) {
      code = sparse_.Make(directory + std::string(kSparse), sparse_bytes, false, log_);
    }
    const uint64_t map_bytes = settings.Number("map_bytes", 0);
    if (code == LF_OK && map_bytes != 0) {
      code = mapped_.Make(directory + std::string(kMapped), map_bytes, true, log_);
    }
    if (code != LF_OK) return code;
    options_ = "durability=" + std::string(durability) + "\n";
    for (const lf_option* option = kOptions; option->name != nullptr; ++option) {
      if (!settings.Has(option->name)) continue;
      options_ +=
          std::string(option->name) + "=" + std::string(settings.Text(option->name, "")) + "\n";
    }
    tells_debt_ = settings.Flag("tells_debt", true);
    script_ = ScriptOf(settings);
    acts_.emplace();  // From here on the store counts as open.
    if (script_.debt_us_per_put != 0) debt_.emplace();
    if (settings.Number("background_threads", 0) != 0) {
      burners_.emplace(settings.Number("background_threads", 0));
    }
    return LF_OK;
  }

  OrderedMap map_;
  StubLog log_;
  HollowFile sparse_;
  HollowFile mapped_;
  bool tells_debt_ = true;
  StubScript script_;
  std::optional<StubActs> acts_;
  std::optional<DeferredWork> debt_;
  std::optional<StubBurners> burners_;
  std::string options_;
  std::string stats_;
};

void Describe(void* context, lf_fact_sink sink) { sink(context, "version", "1"); }

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, StubSession>({
    .name = "stub",
    .summary =
        "an ordered map with a log that misbehaves as its options say, to show what is found",
    .license = "BSD-3-Clause",
    .capabilities = LF_FLOOR | LF_BY_NAME | LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
