// Erases the present place of a key and puts its next one, an empty value, while a snapshot of the
// loaded store is held, where the engine has snapshots: the erased entries cannot go away. The
// store is loaded before the clock starts. Belongs to one thread.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/file/role_lines.h"
#include "workload/key_history.h"
#include "workload/value_source.h"

namespace levelfield {
namespace replace {
namespace {

// Each key has fifty places, one of which is taken at a time. A replacement erases the key's
// present place and puts the next. The keys are normally distributed around the middle one.
// RocksDB's randomreplacekeys.
constexpr uint64_t kSlots = 50;

// The same task gives the same keys. Belongs to one thread.
class SlotChoices {
 public:
  explicit SlotChoices(const ThreadTask& task)
      : keys_(task.role->range / kSlots), stddev_(task.role->stddev), draws_(task.choice_seed) {}

  uint64_t keys() const { return keys_; }
  // The key of the next replacement. A draw outside becomes the first or the last one.
  uint64_t Next() {
    const double drawn = static_cast<double>(keys_) / 2 + static_cast<double>(stddev_) * Normal();
    return static_cast<uint64_t>(std::clamp(drawn, 0.0, static_cast<double>(keys_ - 1)));
  }

 private:
  // Box and Muller; the second number is dropped.
  double Normal() {
    const double u = (static_cast<double>(draws_.Next() >> 11) + 1) * 0x1p-53;  // (0, 1].
    const double v = static_cast<double>(draws_.Next() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

  uint64_t keys_;
  uint64_t stddev_;
  Random draws_;
};

// A store that was loaded with a value in the first place of each key. Later puts are empty.
class SlotHistory final : public KeyHistory {
 public:
  SlotHistory(const ThreadTask& task, uint64_t replacements)
      : version_(task.first_version), value_size_(task.role->value_size.most()) {
    SlotChoices choices(task);
    replaced_.resize(choices.keys());
    for (uint64_t i = 0; i < replacements; ++i) ++replaced_[choices.Next()];
  }

  uint64_t range() const override { return replaced_.size() * kSlots; }
  std::optional<Last> LastOf(uint64_t index) const override {
    const uint64_t times = replaced_[index / kSlots];
    const uint64_t slot = index % kSlots;
    if (slot == times % kSlots) return Last{false, version_, times == 0 ? value_size_ : 0};
    if (slot > times) return std::nullopt;
    return Last{true, 0, 0};
  }
  uint64_t versions() const override { return 1; }
  uint64_t smallest_value() const override { return 0; }

 private:
  std::vector<uint64_t> replaced_;  // How often each key was replaced.
  uint32_t version_;
  uint64_t value_size_;
};

class ReplaceOperation {
 public:
  static constexpr bool kWholeBlock = false;

  explicit ReplaceOperation(const ThreadTask& task)
      : table_(*task.table),
        session_(task.session),
        values_(*task.values),
        choices_(task),
        format_(task.key_shape, task.role->range),
        version_(task.first_version),
        value_size_(task.role->value_size.most()),
        slots_(choices_.keys()),
        keys_(format_.Blank(2)) {}
  ReplaceOperation(const ReplaceOperation&) = delete;
  ReplaceOperation& operator=(const ReplaceOperation&) = delete;
  ~ReplaceOperation() {
    if (snapshot_ != nullptr) table_.release_snapshot(session_, snapshot_);
  }

  // Before the clock starts. Where others have loaded the store and begun to replace, it goes on
  // behind them, without a snapshot.
  lf_code Load(uint64_t done) {
    for (uint64_t i = 0; i < done; ++i) {
      uint8_t& slot = slots_[choices_.Next()];
      slot = slot + 1 == kSlots ? 0 : slot + 1;
    }
    if (done != 0) return LF_OK;
    std::vector<char> value(std::max(value_size_, ValueSource::kHeaderBytes));
    for (uint64_t key = 0; key < slots_.size(); ++key) {
      MakeKeys(key * kSlots, key * kSlots);
      values_.Make(key * kSlots, version_, value_size_, value.data());
      const lf_code code = table_.put(session_, Key(0), {value.data(), value_size_});
      if (code != LF_OK) return code;
    }
    if (table_.take_snapshot == nullptr) return LF_OK;
    const lf_code code = table_.take_snapshot(session_, &snapshot_);
    return code == LF_UNSUPPORTED ? LF_OK : code;
  }

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    key_ = choices_.Next();
    next_ = slots_[key_] + 1 == kSlots ? 0 : slots_[key_] + 1;
    MakeKeys(key_ * kSlots + slots_[key_], key_ * kSlots + next_);
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    lf_code code = table_.erase(session_, Key(0));
    if (code == LF_OK) code = table_.put(session_, Key(1), {keys_.data(), 0});
    if (code != LF_OK) return code;
    slots_[key_] = next_;
    key_bytes_ += sizes_[0] + sizes_[1];
    return LF_OK;
  }

  size_t Statistics() const { return 0; }
  OperationCounts counts(uint64_t, uint64_t operations) const {
    return {.operations = operations, .hits = operations, .bytes = key_bytes_};
  }

  bool has_snapshot() const { return snapshot_ != nullptr; }
  // Entries that the snapshot has lost.
  uint64_t wrong() const { return wrong_; }

  // After the clock has stopped: checks that the snapshot still shows the store as it was loaded.
  lf_code CheckSnapshot() {
    for (uint64_t key = 0; snapshot_ != nullptr && key < slots_.size(); ++key) {
      MakeKeys(key * kSlots, key * kSlots + 1);
      lf_bytes value;
      lf_code code = table_.get_at(session_, snapshot_, Key(0), &value);
      if (code != LF_OK && code != LF_NOT_FOUND) return code;
      const bool is_right = code == LF_OK && IsAsLoaded(key * kSlots, value);
      code = table_.get_at(session_, snapshot_, Key(1), &value);
      if (code != LF_OK && code != LF_NOT_FOUND) return code;
      wrong_ += is_right && code == LF_NOT_FOUND ? 0 : 1;
    }
    return LF_OK;
  }

 private:
  void MakeKeys(uint64_t first, uint64_t second) {
    format_.Format(std::array<uint64_t, 2>{first, second}, keys_.data());
    sizes_ = {format_.SizeOf(first), format_.SizeOf(second)};
  }
  lf_bytes Key(size_t i) const { return {keys_.data() + i * format_.stride(), sizes_[i]}; }

  // A value shorter than a header says only so much about its key.
  bool IsAsLoaded(uint64_t index, lf_bytes value) const {
    if (value.size != value_size_) return false;
    std::vector<char> loaded(std::max(value_size_, ValueSource::kHeaderBytes));
    values_.Make(index, version_, value_size_, loaded.data());
    return std::memcmp(loaded.data(), value.data, value_size_) == 0;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  SlotChoices choices_;
  KeyFormat format_;
  uint32_t version_;
  size_t value_size_;
  std::vector<uint8_t> slots_;        // By key: which one is taken.
  std::string keys_;                  // The place to erase and the one to put,
  std::array<size_t, 2> sizes_ = {};  // and how long they are.
  uint64_t key_bytes_ = 0;
  uint64_t key_ = 0;
  uint8_t next_ = 0;
  lf_snapshot* snapshot_ = nullptr;
  uint64_t wrong_ = 0;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  ReplaceOperation operation(task);
  if (run.HasFailed(operation.Load(task.done))) return;
  run.One(operation);
  if (result.code == LF_OK) (void)run.HasFailed(operation.CheckSnapshot());
  result.statistics.front().counts.wrong = operation.wrong();
  result.note = operation.has_snapshot() ? "a snapshot is held" : "no snapshot is held";
  if (operation.has_snapshot()) {
    result.detail = "the snapshot still had every entry that it was taken of";
  }
}

WriteLayer Layer(const Role&, const RoleRun& run, std::span<const RoleRun>) {
  return LayerOf(
      run, std::make_shared<SlotHistory>(run.tasks.front(), run.results.front().Operations()));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  const ThreadResult& first = run.results.front();
  result.note = first.note;
  if (first.detail.empty()) return "";
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail = first.detail;
  const uint64_t wrong = summary.statistics.front().wrong;
  if (wrong == 0) return "";
  return fmt::format("[{}]: the snapshot lost {} of the entries that it was taken of", role.name,
                     wrong);
}

constexpr RoleLine kLines[] = {{"stddev", ReadCount<KeyFormat::kLimit, 0, &Role::stddev>}};

Status Check(const RoleLines& lines) {
  RETURN_IF_ERROR(CheckFillsAlone(lines));
  if (lines.role().range % kSlots == 0) return Status::Ok();
  return lines.Error("range", "is not a multiple of 50");
}

}  // namespace
}  // namespace replace

constinit const Operation operations::kReplace = {
    .name = "replace",
    .scope = OperationScope::kOwnKeys,
    .effects = kPuts | kErasures,
    .has_one_value_size = true,
    .takes_snapshots = true,
    .goes_on = true,
    .lines = replace::kLines,
    .check = replace::Check,
    .smallest_value = [](const Role&) -> uint64_t { return 0; },
    .run = replace::Run,
    .verify = replace::Verify,
    .layer = replace::Layer};

}  // namespace levelfield
