// A thread's session of the stub engine: an honest one, or one that does to each call what the
// script says. That is settled when the session begins, so an honest call checks nothing.
#ifndef LEVELFIELD_ENGINES_STUB_SESSION_H_
#define LEVELFIELD_ENGINES_STUB_SESSION_H_

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "levelfield/engine.h"
#include "ordered_map.h"
#include "stub_background.h"
#include "stub_log.h"

namespace levelfield {

class StubSession : public OrderedMapSession<StubLog> {
 public:
  using OrderedMapSession::OrderedMapSession;
  virtual ~StubSession() = default;
  StubSession(const StubSession&) = delete;
  StubSession& operator=(const StubSession&) = delete;

  virtual lf_code Get(lf_bytes key, lf_bytes* value) { return OrderedMapSession::Get(key, value); }
  virtual lf_code Put(lf_bytes key, lf_bytes value) { return OrderedMapSession::Put(key, value); }
  virtual lf_code Erase(lf_bytes key) { return OrderedMapSession::Erase(key); }
  virtual lf_code Write(std::span<const lf_entry> entries) {
    return OrderedMapSession::Write(entries);
  }
  virtual lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    return OrderedMapSession::Seek(how, key, found_key, value);
  }
  virtual lf_code Next(lf_bytes* key, lf_bytes* value) {
    return OrderedMapSession::Next(key, value);
  }
  virtual lf_code Prev(lf_bytes* key, lf_bytes* value) {
    return OrderedMapSession::Prev(key, value);
  }
};

// What happens to calls; 0: nothing of the kind. Periodic events count the calls of all sessions.
struct StubScript {
  uint64_t service_us = 0;
  uint64_t stall_every_ms = 0;
  uint64_t stall_ms = 0;
  uint64_t debt_us_per_put = 0;
  uint64_t lose_every = 0;
  uint64_t reorder_every = 0;
  uint64_t wrong_value_every = 0;
  bool lazy_pages = false;

  bool operator==(const StubScript&) const = default;
  bool IsEmpty() const { return *this == StubScript(); }
};

// What all sessions of a store share: the position in the script, and what it has done so far.
struct StubActs {
  const SteadyClock::time_point opened = SteadyClock::now();
  std::atomic<int64_t> stalls_due{1};  // The n-th stall is due after n times stall_every_ms.
  std::atomic<uint64_t> puts{0};
  std::atomic<uint64_t> steps{0};
  std::atomic<uint64_t> gets{0};
  std::atomic<uint64_t> stalls{0};
  std::atomic<uint64_t> lost_puts{0};
  std::atomic<uint64_t> reordered_steps{0};
  std::atomic<uint64_t> wrong_values{0};
};

// A value in pages that must be mapped again before they can be read: the first access waits for a
// page fault, as with a memory map.
class LazyPages {
 public:
  LazyPages() = default;
  LazyPages(const LazyPages&) = delete;
  LazyPages& operator=(const LazyPages&) = delete;
  ~LazyPages() {
    Unmap();
    if (file_ >= 0) close(file_);
  }

  lf_code Move(lf_bytes* value) {
    if (value->size > size_ || file_ < 0) {
      const lf_code code = Grow(value->size);
      if (code != LF_OK) return code;
    }
    if (pwrite(file_, value->data, value->size, 0) != static_cast<ssize_t>(value->size) ||
        madvise(pages_, size_, MADV_DONTNEED) != 0) {
      return Failed(std::string("stub: lazy pages: ") + std::strerror(errno));
    }
    value->data = static_cast<const char*>(pages_);
    return LF_OK;
  }

 private:
  lf_code Grow(size_t bytes) {
    if (file_ < 0) file_ = memfd_create("stub", MFD_CLOEXEC);
    Unmap();
    constexpr size_t kPage = 4096;
    size_ = (bytes / kPage + 1) * kPage;
    if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(size_)) == 0) {
      pages_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_, 0);
    }
    if (pages_ != MAP_FAILED) return LF_OK;
    return Failed(std::string("stub: lazy pages: ") + std::strerror(errno));
  }
  void Unmap() {
    if (pages_ != MAP_FAILED) munmap(pages_, size_);
    pages_ = MAP_FAILED;
  }

  int file_ = -1;
  void* pages_ = MAP_FAILED;
  size_t size_ = 0;
};

class ScriptedSession : public StubSession {
 public:
  ScriptedSession(OrderedMap& map, StubLog& log, const StubScript& script, StubActs& acts,
                  DeferredWork* debt)
      : StubSession(map, log), script_(script), acts_(acts), debt_(debt) {}

  lf_code Get(lf_bytes key, lf_bytes* value) override {
    Begin();
    const lf_code code = StubSession::Get(key, value);
    if (code != LF_OK) return code;
    if (IsNth(acts_.gets, script_.wrong_value_every)) TakeAnothersValue(key, value);
    return Hand(value);
  }

  lf_code Put(lf_bytes key, lf_bytes value) override {
    Begin();
    if (IsLost()) return LF_OK;
    return Owe(1, StubSession::Put(key, value));
  }

  lf_code Erase(lf_bytes key) override {
    Begin();
    return StubSession::Erase(key);
  }

  lf_code Write(std::span<const lf_entry> entries) override {
    Begin();
    std::vector<lf_entry> kept;
    uint64_t puts = 0;
    for (const lf_entry& entry : entries) {
      if (entry.erase == 0 && IsLost()) continue;
      kept.push_back(entry);
      puts += entry.erase == 0 ? 1 : 0;
    }
    return Owe(puts, StubSession::Write(kept));
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) override {
    Begin();
    skipped_.reset();
    const lf_code code = StubSession::Seek(how, key, found_key, value);
    return code == LF_OK ? Hand(value) : code;
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) override {
    Begin();
    const lf_code code = StepOn(key, value);
    return code == LF_OK ? Hand(value) : code;
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) override {
    Begin();
    skipped_.reset();
    const lf_code code = StubSession::Prev(key, value);
    return code == LF_OK ? Hand(value) : code;
  }

 private:
  struct Entry {
    std::string key;
    std::string value;
  };

  static bool IsNth(std::atomic<uint64_t>& calls, uint64_t n) {
    return n != 0 && (calls.fetch_add(1) + 1) % n == 0;
  }

  // The costs of every call.
  void Begin() {
    const SteadyClock::time_point now = SteadyClock::now();
    if (script_.stall_every_ms != 0) Stall(now);
    if (script_.service_us != 0) SpinUntil(now + std::chrono::microseconds(script_.service_us));
  }

  // The first call after a stall is due takes it.
  void Stall(SteadyClock::time_point now) {
    const auto open = std::chrono::duration_cast<std::chrono::milliseconds>(now - acts_.opened);
    const int64_t over = open.count() / static_cast<int64_t>(script_.stall_every_ms);
    int64_t due = acts_.stalls_due.load();
    if (over < due || !acts_.stalls_due.compare_exchange_strong(due, over + 1)) return;
    std::this_thread::sleep_until(now + std::chrono::milliseconds(script_.stall_ms));
    ++acts_.stalls;
  }

  bool IsLost() {
    if (!IsNth(acts_.puts, script_.lose_every)) return false;
    ++acts_.lost_puts;
    return true;
  }

  lf_code Owe(uint64_t puts, lf_code code) {
    if (debt_ != nullptr && code == LF_OK && puts != 0) {
      debt_->Add(std::chrono::microseconds(puts * script_.debt_us_per_put));
    }
    return code;
  }

  // The value of the next key, or of the first.
  void TakeAnothersValue(lf_bytes key, lf_bytes* value) {
    const std::string behind = std::string(View(key)) + '\0';
    lf_bytes other;
    if (StubSession::Seek(LF_AT_OR_AFTER, Bytes(behind), &other, value) != LF_OK) {
      (void)StubSession::Seek(LF_FIRST, {}, &other, value);
    }
    ++acts_.wrong_values;
  }

  // Two neighbours change places when it is their turn.
  lf_code StepOn(lf_bytes* key, lf_bytes* value) {
    if (skipped_) {
      given_ = std::move(*skipped_);
      skipped_.reset();
      *key = Bytes(given_.key);
      *value = Bytes(given_.value);
      return LF_OK;
    }
    const lf_code code = StubSession::Next(key, value);
    if (code != LF_OK || !IsNth(acts_.steps, script_.reorder_every)) return code;
    Entry first{std::string(View(*key)), std::string(View(*value))};
    if (StubSession::Next(key, value) != LF_OK) {  // It has no neighbour.
      given_ = std::move(first);
      *key = Bytes(given_.key);
      *value = Bytes(given_.value);
      return LF_OK;
    }
    skipped_ = std::move(first);
    ++acts_.reordered_steps;
    return LF_OK;
  }

  lf_code Hand(lf_bytes* value) { return script_.lazy_pages ? lazy_.Move(value) : LF_OK; }

  const StubScript script_;
  StubActs& acts_;
  DeferredWork* const debt_;  // The store's; null: writes defer nothing.
  LazyPages lazy_;
  std::optional<Entry> skipped_;  // To be given next.
  Entry given_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_STUB_SESSION_H_
