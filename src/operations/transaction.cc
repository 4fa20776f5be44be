// A transaction that reads a counter of each set and writes it back, grown by the same amount. The
// counter is the version in the value's header, so values describe themselves as all others do; a
// key that is not there counts 0. Without transactions, the writes are one batch.
//
// A conflict is an answer: the transaction is rolled back and not tried again. Which ones those
// were is noted, so that afterwards each counter is known (worker/transactions.h); the list grows
// on their way alone.
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "operations/transaction_draws.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

template <bool kAsBatch>
class TransactionOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kCommittedLane = 0;
  static constexpr size_t kConflictLane = 1;

  TransactionOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                       size_t value_size, const KeyFormat& format, const TransactionDraws& draws)
      : table_(table),
        session_(session),
        values_(values),
        value_size_(value_size),
        format_(format),
        draws_(draws),
        key_bytes_(format.Blank(draws.keys().size())),
        value_bytes_((kAsBatch ? draws.keys().size() : 1) * value_size),
        entries_(kAsBatch ? draws.keys().size() : 0) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    draws_.Next();
    format_.Format(draws_.keys(), key_bytes_.data());
  }

  lf_code Call(const NumberedKey&) {
    lane_ = kCommittedLane;
    const lf_code code = kAsBatch ? Batch() : Transaction();
    if (code == LF_CONFLICT) [[unlikely]] {
      return GiveWay();
    }
    attempts_ += code == LF_OK ? 1 : 0;
    return code;
  }

  size_t Lane() const { return lane_; }
  const std::vector<uint64_t>& conflicts() const { return conflicts_; }

  // The bytes are those that were written.
  Tally tally(size_t lane) const {
    if (lane == kConflictLane)
      return {.operations = conflicts_.size(), .misses = conflicts_.size()};
    const uint64_t committed = attempts_ - conflicts_.size();
    const uint64_t entries = committed * draws_.keys().size();
    return {.operations = committed,
            .hits = committed,
            .bytes = entries * (format_.key_size() + value_size_),
            .wrong = wrong_};
  }

 private:
  lf_code Transaction() {
    if (const lf_code code = table_.begin_transaction(session_); code != LF_OK) return code;
    is_open_ = true;
    for (size_t i = 0; i < draws_.keys().size(); ++i) {
      uint32_t count = 0;
      if (const lf_code code = Read(table_.get_for_update, i, &count); code != LF_OK) return code;
      const lf_code code = table_.put(session_, Key(i), Grown(i, count, value_bytes_.data()));
      if (code != LF_OK) return code;
    }
    const lf_code code = table_.commit_transaction(session_);
    is_open_ = code != LF_OK;
    return code;
  }

  lf_code Batch() {
    for (size_t i = 0; i < draws_.keys().size(); ++i) {
      uint32_t count = 0;
      if (const lf_code code = Read(table_.get, i, &count); code != LF_OK) return code;
      char* const out = value_bytes_.data() + i * value_size_;
      entries_[i] = {.key = Key(i), .value = Grown(i, count, out), .erase = 0};
    }
    return table_.write(session_, entries_.data(), entries_.size());
  }

  lf_code GiveWay() {
    lane_ = kConflictLane;
    conflicts_.push_back(attempts_++);
    if (!is_open_) return LF_OK;
    is_open_ = false;
    return table_.roll_back_transaction(session_);
  }

  lf_bytes Key(size_t i) const {
    return {key_bytes_.data() + i * format_.key_size(), format_.key_size()};
  }

  lf_code Read(decltype(lf_engine::get) get, size_t i, uint32_t* count) {
    lf_bytes value;
    const lf_code code = get(session_, Key(i), &value);
    if (code == LF_NOT_FOUND) return LF_OK;
    if (code != LF_OK) return code;
    const std::optional<uint32_t> version = values_.Check(draws_.keys()[i], value);
    wrong_ += version.has_value() ? 0 : 1;
    *count = version.value_or(0);
    return LF_OK;
  }

  lf_bytes Grown(size_t i, uint32_t count, char* out) {
    values_.Make(draws_.keys()[i], count + draws_.increment(), value_size_, out);
    return {out, value_size_};
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  size_t value_size_;
  KeyFormat format_;
  TransactionDraws draws_;
  std::string key_bytes_;
  std::vector<char> value_bytes_;
  std::vector<lf_entry> entries_;
  size_t lane_ = kCommittedLane;
  bool is_open_ = false;
  uint64_t attempts_ = 0;  // Committed, or given up in a conflict.
  uint64_t wrong_ = 0;
  std::vector<uint64_t> conflicts_;  // Which of the attempts, from 0 on.
};

template <bool kAsBatch>
void RunWith(const ThreadTask& task, ThreadResult& result) {
  const Role& role = *task.role;
  TransactionOperation<kAsBatch> operation(
      *task.table, task.session, *task.values, role.value_size.most(),
      KeyFormat(task.key_shape, role.key_count()),
      TransactionDraws(task.keys.draw_seed, role.range, role.sets));
  ThreadRun(task, result).Chosen(operation, {"transaction", "conflict"});
  result.conflicts = operation.conflicts();
}

void Run(const ThreadTask& task, ThreadResult& result) {
  if (task.role->as_batch) return RunWith<true>(task, result);
  if (task.table->begin_transaction == nullptr) {
    return ThreadRun(task, result).Refuse("this engine has no transactions");
  }
  RunWith<false>(task, result);
}

void Set(const FileNumbers& numbers, Role& role) {
  role.as_batch = numbers.settings().transaction_batches;
}

constexpr uint64_t kMostSets = 9'999;  // As in RocksDB's db_bench.
constexpr RoleLine kLines[] = {
    {"sets", ReadCount<kMostSets, 1, &Role::sets>,
     "has sets of keys, but only `op = transaction` changes one of each"}};

Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.order != KeyOrder::kUniform || role.source != DrawSource::kOwn) {
    return lines.Error("keys",
                       "changes counters in transactions: their keys are `drawn`, by our own "
                       "generator");
  }
  if (role.value_size.least() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size",
                       fmt::format("counts in the versions of its values, which those "
                                   "below {} bytes do not have; this has {}",
                                   ValueSource::kHeaderBytes, role.value_size.least()));
  }
  const auto keys = static_cast<unsigned __int128>(role.range) * role.sets;
  if (keys > ExpectedState::kMostRemembered) {
    return lines.Error("sets",
                       fmt::format("has more than {} keys in all its sets, of each of which "
                                   "the counter would be remembered, in 4 bytes",
                                   ExpectedState::kMostRemembered));
  }
  if (role.as_batch && role.threads > 1) {
    return lines.Error(
        "threads", fmt::format("has {} threads, and without transactions they lose each other's "
                               "updates: one thread, or an engine's transactions "
                               "(--transaction_batches=0; RocksDB's db_bench: --transaction_db or "
                               "--optimistic_transaction_db)",
                               role.threads));
  }
  return Status::Ok();
}

}  // namespace

constinit const Operation operations::kTransaction = {.name = "transaction",
                                                      .writes = true,
                                                      .has_one_value_size = true,
                                                      .is_transaction = true,
                                                      .lines = kLines,
                                                      .check = Check,
                                                      .set = Set,
                                                      .run = Run};

}  // namespace levelfield
