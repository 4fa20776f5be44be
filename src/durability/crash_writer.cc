#include <unistd.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "durability/commits.h"
#include "durability/crash_process.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

// One commit as the engine takes it.
class Commits {
 public:
  Commits(const CommitOrder::Shape& shape, uint32_t thread)
      : order_(shape, thread),
        values_(shape.seed, shape.value_bytes * CommitOrder::kLongValueFactor, 0.5) {}

  void SkipTo(uint64_t commit) {
    while (order_.commit() < commit) (void)order_.Next();
  }

  lf_code Write(const lf_engine& engine, lf_session* session) {
    const std::span<const CommitEntry> entries = order_.Next();
    keys_.resize(entries.size());
    bytes_.resize(entries.size());
    batch_.clear();
    for (size_t i = 0; i < entries.size(); ++i) {
      const CommitEntry& entry = entries[i];
      keys_[i] = KeyText(entry.key);
      bytes_[i].resize(entry.value_bytes);
      if (!entry.erase) {
        values_.Make(entry.key, order_.commit(), entry.value_bytes, bytes_[i].data());
      }
      batch_.push_back({{keys_[i].data(), keys_[i].size()},
                        {bytes_[i].data(), bytes_[i].size()},
                        entry.erase ? 1 : 0});
    }
    const lf_entry& first = batch_.front();
    if (batch_.size() > 1) return engine.write(session, batch_.data(), batch_.size());
    return first.erase != 0 ? engine.erase(session, first.key)
                            : engine.put(session, first.key, first.value);
  }

 private:
  CommitOrder order_;
  ValueSource values_;
  std::vector<std::string> keys_;
  std::vector<std::string> bytes_;
  std::vector<lf_entry> batch_;
};

// One thread of the writer, until the process is killed or the engine fails.
Status WriteOn(Store& store, std::mutex& store_mutex, const CrashTask& task, uint32_t thread,
               Acknowledgements& acknowledgements) {
  std::unique_lock lock(store_mutex);
  StatusOr<Session> session = store.BeginSession();
  lock.unlock();
  if (!session.ok()) return session.status();
  Commits commits(task.shape, thread);
  commits.SkipTo(task.acked[thread]);
  Acknowledgements::Slot& slot = acknowledgements.slot(thread);
  ++acknowledgements.ready();
  for (uint64_t n = task.acked[thread] + 1; n <= Acknowledgements::kMostCommits; ++n) {
    while (acknowledgements.goal() < n) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    slot.issued = n;
    const lf_code code = commits.Write(store.engine().table(), session->get());
    if (code != LF_OK) return store.engine().StatusOf(code, "commit");
    slot.acked_ns[n] = MonotonicNs();
    slot.acked = n;
  }
  return Status::Ok();
}

Status Run(const CrashTask& task) {
  const auto threads = static_cast<uint32_t>(task.acked.size());
  ASSIGN_OR_RETURN(Acknowledgements acknowledgements,
                   Acknowledgements::Open(task.acknowledgements, threads));
  ASSIGN_OR_RETURN(const Engine engine, LoadEngineOf(task));
  ASSIGN_OR_RETURN(Store store, Store::Open(engine, task.directory, task.settings));
  std::mutex store_mutex;
  std::vector<std::jthread> writers;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    writers.emplace_back([&, thread] {
      const Status status = WriteOn(store, store_mutex, task, thread, acknowledgements);
      if (status.ok()) return;
      TellParent(status.message() + "\n");
      _exit(1);
    });
  }
  writers.clear();
  while (true) pause();  // A thread that is done waits for the fault.
}

}  // namespace

int RunCrashWriter() {
  const std::optional<CrashTask> task = ReadCrashTask();
  if (!task) return 2;
  if (const Status status = Run(*task); !status.ok()) TellParent(status.message() + "\n");
  return 1;
}

}  // namespace levelfield
