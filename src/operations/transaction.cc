// A transaction that reads a counter of each set and writes it back, all grown by the same amount.
// The counter is the version in the value's header, so values describe themselves as all others do.
// A missing key counts as 0. Without transactions, the writes are one batch.
//
// A conflict is an answer: the transaction is rolled back and not tried again. The list of these
// grows only in that case. Additions have the same sum in any order. So every counter is known
// afterwards, however many threads there were, and the verification of the store compares them all.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/expected_state.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/key_format.h"
#include "workload/key_history.h"
#include "workload/value_source.h"

namespace levelfield {
namespace transaction {
namespace {

// What a thread's transactions do, one after another: a drawn key from each of several sets, in a
// drawn order, and an amount from 1 to 100 for the counters, as in RocksDB's db_bench. The same
// seed gives the same transactions. The keys of set s have the indexes from s * range on.
class TransactionDraws {
 public:
  explicit TransactionDraws(const ThreadTask& task)
      : random_(task.keys.draw_seed),
        range_(task.role->range),
        sets_(task.role->sets),
        keys_(sets_.size()) {
    std::iota(sets_.begin(), sets_.end(), uint64_t{0});
  }

  // Moves on to the next transaction. The order of the sets changes each time, so two transactions
  // may each wait for what the other has locked.
  void Next() {
    increment_ = static_cast<uint32_t>(1 + random_.Below(100));
    for (size_t i = sets_.size(); i > 1; --i) std::swap(sets_[i - 1], sets_[random_.Below(i)]);
    for (size_t i = 0; i < sets_.size(); ++i) {
      keys_[i] = sets_[i] * range_ + random_.Below(range_);
    }
  }
  std::span<const uint64_t> keys() const { return keys_; }
  uint32_t increment() const { return increment_; }

 private:
  Random random_;
  uint64_t range_;
  std::vector<uint64_t> sets_;
  std::vector<uint64_t> keys_;
  uint32_t increment_ = 0;
};

template <bool kAsBatch>
class TransactionOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kCommittedStatistics = 0;
  static constexpr size_t kConflictStatistics = 1;

  explicit TransactionOperation(const ThreadTask& task)
      : task_(task),
        table_(*task.table),
        session_(task.session),
        values_(*task.values),
        value_size_(task.role->value_size.most()),
        format_(task.key_shape, task.role->key_count()),
        draws_(task),
        key_bytes_(format_.Blank(draws_.keys().size())),
        value_bytes_(draws_.keys().size() * value_size_),
        parts_(draws_.keys().size()),
        entries_(kAsBatch ? draws_.keys().size() : 0) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      parts_[i] = {.key = key_bytes_.data() + i * format_.stride(),
                   .value = value_bytes_.data() + i * value_size_};
    }
  }

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    draws_.Next();
    const uint64_t* index = draws_.keys().data();
    for (Part& part : parts_) {
      part.index = *index++;
      part.key_size = format_.FormatOne(part.index, part.key);
    }
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    stats_ = kCommittedStatistics;
    const lf_code code = kAsBatch ? Batch() : Transaction();
    if (code == LF_OK) [[likely]] {
      ++attempts_;
      return LF_OK;
    }
    return code == LF_CONFLICT ? GiveWay() : code;
  }

  size_t Statistics() const { return stats_; }
  const std::vector<uint64_t>& conflicts() const { return conflicts_; }

  // The bytes are those that were written.
  OperationCounts counts(size_t stats) const {
    if (stats == kConflictStatistics)
      return {.operations = conflicts_.size(), .misses = conflicts_.size()};
    const uint64_t committed = attempts_ - conflicts_.size();
    const uint64_t entries = committed * draws_.keys().size();
    const KeyShape& keys = format_.shape();
    return {.operations = committed,
            .hits = committed,
            .bytes = (keys.vary() ? DrawnKeyBytes() : entries * keys.size) + entries * value_size_,
            .wrong = wrong_};
  }

 private:
  // The bytes of the keys that were committed, by drawing all of them once more.
  uint64_t DrawnKeyBytes() const {
    TransactionDraws draws(task_);
    auto conflict = conflicts_.begin();
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < attempts_; ++i) {
      draws.Next();
      const bool is_rolled_back = conflict != conflicts_.end() && *conflict == i;
      if (is_rolled_back) {
        ++conflict;
        continue;
      }
      for (const uint64_t index : draws.keys()) bytes += format_.SizeOf(index);
    }
    return bytes;
  }

  lf_code Transaction() {
    if (const lf_code code = table_.begin_transaction(session_); code != LF_OK) return code;
    is_open_ = true;
    for (const Part& part : parts_) {
      uint32_t count = 0;
      if (const lf_code code = Read(table_.get_for_update, part, &count); code != LF_OK) {
        return code;
      }
      const lf_code code = table_.put(session_, Key(part), Grown(part, count));
      if (code != LF_OK) return code;
    }
    const lf_code code = table_.commit_transaction(session_);
    is_open_ = code != LF_OK;
    return code;
  }

  lf_code Batch() {
    for (size_t i = 0; i < parts_.size(); ++i) {
      uint32_t count = 0;
      if (const lf_code code = Read(table_.get, parts_[i], &count); code != LF_OK) return code;
      entries_[i] = {.key = Key(parts_[i]), .value = Grown(parts_[i], count), .erase = 0};
    }
    return table_.write(session_, entries_.data(), entries_.size());
  }

  lf_code GiveWay() {
    stats_ = kConflictStatistics;
    conflicts_.push_back(attempts_++);
    if (!is_open_) return LF_OK;
    is_open_ = false;
    return table_.roll_back_transaction(session_);
  }

  // One of the keys that a transaction changes.
  struct Part {
    char* key = nullptr;
    size_t key_size = 0;
    char* value = nullptr;
    uint64_t index = 0;
  };

  lf_bytes Key(const Part& part) const { return {part.key, part.key_size}; }

  [[gnu::always_inline]] lf_code Read(decltype(lf_engine::get) get, const Part& part,
                                      uint32_t* count) {
    lf_bytes value;
    const lf_code code = get(session_, Key(part), &value);
    if (code == LF_NOT_FOUND) return LF_OK;
    if (code != LF_OK) return code;
    const std::optional<uint32_t> version = values_.Check(part.index, value);
    wrong_ += version.has_value() ? 0 : 1;
    *count = version.value_or(0);
    return LF_OK;
  }

  [[gnu::always_inline]] lf_bytes Grown(const Part& part, uint32_t count) {
    values_.Make(part.index, count + draws_.increment(), value_size_, part.value);
    return {part.value, value_size_};
  }

  const ThreadTask& task_;
  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  size_t value_size_;
  KeyFormat format_;
  TransactionDraws draws_;
  std::string key_bytes_;
  std::vector<char> value_bytes_;
  std::vector<Part> parts_;
  std::vector<lf_entry> entries_;
  size_t stats_ = kCommittedStatistics;
  bool is_open_ = false;
  uint64_t attempts_ = 0;  // Committed, or given up after a conflict.
  uint64_t wrong_ = 0;
  std::vector<uint64_t> conflicts_;  // The attempts concerned, from 0 on.
};

template <bool kAsBatch>
void RunWith(const ThreadTask& task, ThreadResult& result) {
  TransactionOperation<kAsBatch> operation(task);
  const std::vector<CallKind> kinds = {{"transaction", kChanges},
                                       {"conflict", Effect::kReads | Effect::kWrites}};
  ThreadRun(task, result).Chosen(operation, kinds);
  result.conflicts = operation.conflicts();
}

void Run(const ThreadTask& task, ThreadResult& result) {
  if (task.role->as_batch) return RunWith<true>(task, result);
  if (task.table->begin_transaction == nullptr) {
    return ThreadRun(task, result).Refuse("this engine has no transactions");
  }
  RunWith<false>(task, result);
}

// From the model or, if that does not know, from the store itself.
StatusOr<std::vector<uint32_t>> CountersBefore(const StoreBefore& store) {
  std::vector<uint32_t> counters(store.role.key_count(), 0);
  const KeyFormat format(store.shape, store.role.key_count());
  std::string key = format.Blank();
  for (uint64_t index = 0; index < counters.size(); ++index) {
    const std::optional<ExpectedState::Entry> entry = store.model.Find(index);
    const bool is_known = entry ? entry->version != ExpectedState::kUnknownVersion
                                : !store.store_existed || store.model.IsTouched(index);
    if (is_known && (!entry || entry->value_size >= ValueSource::kHeaderBytes)) {
      counters[index] = entry ? entry->version : 0;
      continue;
    }
    const size_t key_size = format.FormatOne(index, key.data());
    lf_bytes value;
    const lf_code code = store.table.get(store.session, {key.data(), key_size}, &value);
    if (code == LF_NOT_FOUND) continue;
    if (code != LF_OK) return Status::Failed(store.table.last_error());
    const std::optional<uint32_t> version = store.values.Check(index, value);
    if (!version) {
      return Status::Usage(
          "the store holds values that Levelfield has not written, or below 16 bytes: there is no "
          "counter in them that transactions could add to");
    }
    counters[index] = *version;
  }
  return counters;
}

// What the counters must be: their values before, grown by each acknowledged transaction.
class CounterHistory final : public KeyHistory {
 public:
  CounterHistory(const Role& role, const RoleRun& run)
      : counters_(role.key_count()),
        grown_(role.sets),
        value_size_(role.value_size.most()),
        first_version_(run.tasks.front().first_version) {
    for (size_t t = 0; t < run.tasks.size(); ++t) Grow(role, run, t);
  }
  uint64_t range() const override { return counters_.size(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    if (counters_[index] == 0) return std::nullopt;
    return Last{.version = counters_[index], .value_size = value_size_};
  }
  uint64_t versions() const override {
    const uint32_t largest = std::ranges::max(counters_);
    return largest < first_version_ ? 0 : largest + 1 - first_version_;
  }
  uint64_t smallest_value() const override { return value_size_; }

  uint64_t committed() const { return committed_; }
  // The growth of all counters in each set.
  const std::vector<uint64_t>& grown() const { return grown_; }

 private:
  void Grow(const Role& role, const RoleRun& run, size_t thread) {
    const ThreadResult& result = run.results[thread];
    if (result.statistics.empty()) return;
    TransactionDraws draws(run.tasks[thread]);
    auto conflict = result.conflicts.begin();
    const uint64_t attempts = result.statistics.front().counts.operations + result.conflicts.size();
    for (uint64_t i = 0; i < attempts; ++i) {
      draws.Next();
      if (conflict != result.conflicts.end() && *conflict == i) {
        ++conflict;
        continue;
      }
      ++committed_;
      for (const uint64_t index : draws.keys()) {
        uint32_t& counter = counters_[index];
        if (counter == 0 && !run.versions_before.empty()) counter = run.versions_before[index];
        counter += draws.increment();
        grown_[index / role.range] += draws.increment();
      }
    }
  }

  std::vector<uint32_t> counters_;  // For the keys that were written; else 0.
  std::vector<uint64_t> grown_;
  uint64_t value_size_;
  uint32_t first_version_;
  uint64_t committed_ = 0;
};

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  return LayerOf(run, std::make_shared<CounterHistory>(role, run));
}

// Whether all sets have grown alike, and what to say about it.
std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  const CounterHistory history(role, run);
  const std::vector<uint64_t>& grown = history.grown();
  uint64_t conflicts = 0;
  for (const ThreadResult& thread : run.results) conflicts += thread.conflicts.size();
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail = fmt::format(
      "{} acknowledged, {} rolled back after a conflict; each of {} sets must have grown by {}",
      history.committed(), conflicts, role.sets, grown.front());
  const uint64_t wrong = summary.statistics.front().wrong;
  const bool are_alike = std::ranges::count(grown, grown.front()) == std::ssize(grown);
  if (wrong == 0 && are_alike) return "";
  return fmt::format("[{}]: {} of the counters that were read were not whole or not their key's",
                     role.name, wrong);
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
}  // namespace transaction

constinit const Operation operations::kTransaction = {
    .name = "transaction",
    .effects = kChanges,
    .has_one_value_size = true,
    .lines = transaction::kLines,
    .check = transaction::Check,
    .set = transaction::Set,
    .versions_before = transaction::CountersBefore,
    .run = transaction::Run,
    .verify = transaction::Verify,
    .layer = transaction::Layer};

}  // namespace levelfield
