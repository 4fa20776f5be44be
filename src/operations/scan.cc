// Scans of the whole store, one entry an operation: forwards (next) and backwards (prev).
#include <optional>
#include <utility>

#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/thread_run.h"

namespace levelfield {
namespace scan {
namespace {

// One step of a scan, from the first entry forwards (next) or from the last one backwards (prev).
// The first step is the seek. The digest binds an entry to its place, so it depends on the order.
template <class Check, bool kKeysVary>
class ScanOperation : public KeyCountingOperation<kKeysVary> {
 public:
  ScanOperation(const lf_engine& table, lf_session* session, bool forwards, Check check)
      : step_(forwards ? table.next : table.prev),
        seek_(table.seek),
        from_(forwards ? LF_FIRST : LF_LAST),
        session_(session),
        check_(std::move(check)) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    lf_bytes key;
    lf_bytes value;
    const lf_code code = this->counts_.hits != 0 ? step_(session_, &key, &value)
                                                 : seek_(session_, from_, {}, &key, &value);
    if (code != LF_OK) [[unlikely]] {
      return code;
    }
    ++this->counts_.hits;
    this->CountBytes(key, value);
    this->digest_.Add(key, this->counts_.hits);
    this->digest_.Add(value, this->counts_.hits);
    this->counts_.wrong += check_.WrongStep(key, value);
    return LF_OK;
  }

  uint64_t entries() const { return this->counts_.hits; }

 private:
  decltype(lf_engine::next) step_;
  decltype(lf_engine::seek) seek_;
  lf_seek from_;
  lf_session* session_;
  [[no_unique_address]] Check check_;
};

// A scan that begins again when it reaches the end, for a role that scans until others end. Each
// round has its own digest, so the replay needs one round and a rest, however many rounds there
// were.
template <class Check, bool kKeysVary>
class ScanAgainOperation {
 public:
  static constexpr bool kWholeBlock = false;

  // Each round starts again from `begin`.
  explicit ScanAgainOperation(const ScanOperation<Check, kKeysVary>& begin)
      : begin_(begin), round_(begin) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }

  // Reads one entry. For the first of a round, this includes the end of the round before and the
  // seek.
  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    const lf_code code = round_->Call(at);
    if (code == LF_NOT_FOUND && round_->entries() != 0) [[unlikely]] {
      finished_ += round_->counts(0, round_->entries());
      round_.emplace(begin_);
      return round_->Call(at);
    }
    return code;
  }

  // The digest is the sum over the rounds.
  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    OperationCounts counts = finished_;
    counts += round_->counts(0, round_->entries());
    counts.operations = operations;
    counts.bytes += kKeysVary ? 0 : key_bytes;
    return counts;
  }

 private:
  ScanOperation<Check, kKeysVary> begin_;
  std::optional<ScanOperation<Check, kKeysVary>> round_;
  OperationCounts finished_;
};

template <class Check>
void RunWith(const ThreadTask& task, ThreadResult& result, bool forwards, Check check) {
  const ThreadRun run(task, result);
  WithKeySizes(task, [&](auto vary) {
    const ScanOperation<Check, vary> scan(*task.table, task.session, forwards, std::move(check));
    if (task.role->restarts) return run.One(ScanAgainOperation(scan));
    run.One(ScanOperation(scan));
  });
}

template <bool kForwards>
void Run(const ThreadTask& task, ThreadResult& result) {
  if (task.check_order && task.check_in_loop) {
    return RunWith(task, result, kForwards, EntryCheckOf(task, kForwards));
  }
  if (task.check_order) return RunWith(task, result, kForwards, OrderCheckOf(task, kForwards));
  RunWith(task, result, kForwards, LeaveEntries{});
}

template <bool kForwards>
constexpr Operation RowNamed(std::string_view name) {
  return {.name = name,
          .scope = OperationScope::kOrder,
          .effects = Effect::kReads,
          .goes_backwards = !kForwards,
          .can_warm_up = true,
          .can_repeat = true,
          .run = Run<kForwards>,
          .verify = VerifyScans};
}

}  // namespace
}  // namespace scan

constinit const Operation operations::kNext = scan::RowNamed<true>("next");
constinit const Operation operations::kPrev = scan::RowNamed<false>("prev");

}  // namespace levelfield
