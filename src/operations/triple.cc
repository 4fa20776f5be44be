// Three keys that are always written together in one batch, and read together from one snapshot. So
// their versions agree, whoever writes them meanwhile. For the thread's own groups the expected
// version is known. Belongs to one thread.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/digest.h"
#include "workload/expected_state.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace triple {
namespace {

constexpr uint64_t kTriple = 3;
// The last write of a group: a version, or one of these.
constexpr uint32_t kUntouched = 0;
constexpr uint32_t kErased = ~uint32_t{0};

// Which operation comes next, and on which group: the keys 3g, 3g + 1 and 3g + 2. Rounds of a
// hundred operations have first the gets, then the puts, then the erases, as in RocksDB's
// randomwithverify. Gets are of any group. Writes are of the thread's own, so every key has one
// writer.
class TripleSteps {
 public:
  explicit TripleSteps(const ThreadTask& task)
      : role_(*task.role),
        first_group_(GroupAt(task.write_keys.first_position)),
        end_group_(GroupAt(task.write_keys.end_position)),
        draws_(task.choice_seed),
        next_version_(task.first_version) {}

  Step Next() {
    const uint64_t step = step_;
    step_ = step_ == 99 ? 0 : step_ + 1;
    // More threads than groups: this one has none to write.
    if (step < role_.get_percent || own_groups() == 0) {
      return {.kind = StepKind::kGet,
              .key = draws_.Below(role_.range / kTriple) * kTriple,
              .length = kTriple};
    }
    const uint64_t key = (first_group_ + draws_.Below(own_groups())) * kTriple;
    if (step >= 100 - role_.erase_percent) {
      return {.kind = StepKind::kErase, .key = key, .length = kTriple};
    }
    return {.kind = StepKind::kPut,
            .version = next_version_++,
            .key = key,
            .size = role_.value_size.most(),
            .length = kTriple};
  }
  uint64_t own_groups() const { return end_group_ - first_group_; }
  // The group's place among the thread's own; own_groups() or more: it is not its own.
  uint64_t OwnPlace(uint64_t key) const { return key / kTriple - first_group_; }

 private:
  static uint64_t GroupAt(uint64_t position) { return (position + kTriple - 1) / kTriple; }

  const Role& role_;
  uint64_t first_group_;
  uint64_t end_group_;
  Random draws_;
  uint64_t step_ = 0;
  uint32_t next_version_;
};

class TripleOperation {
 public:
  static constexpr bool kWholeBlock = false;

  explicit TripleOperation(const ThreadTask& task)
      : table_(*task.table),
        session_(task.session),
        values_(*task.values),
        before_(*task.before),
        first_version_(task.first_version),
        steps_(task),
        format_(task.key_shape, task.role->range),
        value_size_(task.role->value_size.most()),
        keys_(format_.Blank(kTriple)),
        bytes_(kTriple * value_size_),
        before_bytes_(std::max(values_.max_value_size(), ValueSource::kHeaderBytes)),
        own_(steps_.own_groups(), kUntouched) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    step_ = steps_.Next();
    for (size_t i = 0; i < kTriple; ++i) {
      indexes_[i] = step_.key + i;
      key_sizes_[i] = format_.SizeOf(indexes_[i]);
    }
    format_.Format(indexes_, keys_.data());
    if (step_.gets()) return;
    for (size_t i = 0; i < kTriple; ++i) {
      char* const value = bytes_.data() + i * value_size_;
      if (!erases()) values_.Make(indexes_[i], step_.version, step_.size, value);
      entries_[i] = {.key = Key(i), .value = {value, step_.size}, .erase = erases() ? 1 : 0};
    }
  }
  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    if (step_.gets()) return GetAll();
    const lf_code code = table_.write(session_, entries_.data(), entries_.size());
    if (code != LF_OK) return code;
    own_[steps_.OwnPlace(step_.key)] = erases() ? kErased : step_.version;
    OperationCounts& counts = all_counts_[Statistics()];
    ++counts.operations;
    ++counts.hits;
    counts.bytes += kTriple * step_.size;
    for (const size_t size : key_sizes_) counts.bytes += size;
    return LF_OK;
  }
  size_t Statistics() const { return static_cast<size_t>(step_.kind); }
  OperationCounts counts(size_t stats) const { return all_counts_[stats]; }

 private:
  struct Found {
    bool is_there = false;
    bool is_as_before = false;  // If it does not say its version.
    uint32_t version = 0;       // 0: it says none.
  };

  bool erases() const { return step_.kind == StepKind::kErase; }
  lf_bytes Key(size_t i) const { return {keys_.data() + i * format_.stride(), key_sizes_[i]}; }

  lf_code GetAll() {
    lf_snapshot* snapshot = nullptr;
    lf_code code = table_.take_snapshot(session_, &snapshot);
    if (code != LF_OK) return code;
    OperationCounts& counts = all_counts_[Statistics()];
    uint64_t bytes = 0;
    std::array<Found, kTriple> found;
    for (size_t i = 0; i < kTriple; ++i) {
      lf_bytes value;
      code = table_.get_at(session_, snapshot, Key(i), &value);
      if (code == LF_NOT_FOUND) continue;
      if (code != LF_OK) break;
      bytes += key_sizes_[i] + value.size;
      found[i] = Look(indexes_[i], value);
    }
    table_.release_snapshot(session_, snapshot);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    ++counts.operations;
    ++(found[0].is_there ? counts.hits : counts.misses);
    counts.bytes += bytes;
    counts.wrong += IsRight(found) ? 0 : 1;
    return LF_OK;
  }

  Found Look(uint64_t index, lf_bytes value) {
    if (const std::optional<uint32_t> version = values_.Check(index, value)) {
      return {.is_there = true, .version = *version};
    }
    const std::optional<ExpectedState::Entry> entry = before_.Find(index);
    if (!entry || entry->value_size != value.size) return {.is_there = true};
    values_.Make(index, entry->version, value.size, before_bytes_.data());
    return {.is_there = true,
            .is_as_before = std::memcmp(value.data, before_bytes_.data(), value.size) == 0};
  }

  bool IsRight(const std::array<Found, kTriple>& found) const {
    if (const uint64_t place = steps_.OwnPlace(step_.key); place < own_.size()) {
      const uint32_t last = own_[place];
      if (last == kUntouched) return IsAsBefore(found);
      if (last == kErased) return AreAll(found, false, 0);
      return AreAll(found, true, last);
    }
    // Another thread's: as that one wrote them, or untouched.
    if (AreAll(found, false, 0)) return true;
    const bool is_new = found[0].version >= first_version_;
    return (is_new && AreAll(found, true, found[0].version)) || IsAsBefore(found);
  }

  static bool AreAll(const std::array<Found, kTriple>& found, bool are_there, uint32_t version) {
    return std::ranges::all_of(found, [&](const Found& one) {
      return one.is_there == are_there && one.version == version;
    });
  }

  // Whether each is as the phase found it.
  bool IsAsBefore(const std::array<Found, kTriple>& found) const {
    for (size_t i = 0; i < kTriple; ++i) {
      const std::optional<ExpectedState::Entry> entry = before_.Find(indexes_[i]);
      if (entry.has_value() != found[i].is_there) return false;
      if (!entry || found[i].is_as_before) continue;
      if (found[i].version == 0) return false;
      if (entry->version != ExpectedState::kUnknownVersion && entry->version != found[i].version) {
        return false;
      }
    }
    return true;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  const ExpectedState& before_;
  uint32_t first_version_;
  TripleSteps steps_;
  KeyFormat format_;
  size_t value_size_;
  Step step_;
  std::array<uint64_t, kTriple> indexes_ = {};
  std::array<size_t, kTriple> key_sizes_ = {};
  std::array<lf_entry, kTriple> entries_ = {};
  std::string keys_;
  std::vector<char> bytes_;         // Three values.
  std::vector<char> before_bytes_;  // A value that the phase found.
  std::vector<uint32_t> own_;       // The last write of each of the thread's own groups.
  std::array<OperationCounts, kStepKinds> all_counts_;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const lf_engine& table = *task.table;
  const ThreadRun run(task, result);
  if (table.take_snapshot == nullptr) {
    return run.Refuse(
        "this engine has no snapshots, and gets at three times say nothing of one another");
  }
  if (!task.before->IsComplete()) {
    return run.Refuse("the store was there before, and what belongs together in it is not known");
  }
  if ((table.capabilities & LF_BATCH_ATOMIC) == 0 && task.role->threads > 1) {
    return run.Refuse("readers may see half of this engine's batches; run it with one thread");
  }
  TripleOperation operation(task);
  run.Chosen(operation, StepsNamed({"get", "", "put", "erase"}));
}

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const auto make = [](const ThreadTask& task) { return TripleSteps(task); };
  return LayerOf(run, HistoryOf(StepsOf(run, make), role.range));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  const OperationStatistics& gets = summary.statistics.front();
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail =
      "the three values of each get were of one version, and of the right one where the thread "
      "that read them is the one that writes them";
  result.note =
      fmt::format("{} gets ({} found), {} puts, {} erases", gets.operations, gets.hits,
                  summary.statistics.at(1).operations, summary.statistics.at(2).operations);
  if (gets.wrong == 0) return "";
  return fmt::format("[{}]: the three values of {} of {} gets were not those that belong together",
                     role.name, gets.wrong, gets.operations);
}

constexpr RoleLine kLines[] = {{"get_percent", ReadCount<100, 0, &Role::get_percent>},
                               {"erase_percent", ReadCount<100, 0, &Role::erase_percent>}};

Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.get_percent + role.erase_percent > 100) {
    return lines.Error("erase_percent",
                       fmt::format("gets {}% and erases {}%, which is more than all; lower "
                                   "--readwritepercent or --deletepercent",
                                   role.get_percent, role.erase_percent));
  }
  if (role.value_size.least() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size",
                       fmt::format("compares values, which name their version from {} "
                                   "bytes on",
                                   size_t{ValueSource::kHeaderBytes}));
  }
  if (role.range % kTriple != 0) return lines.Error("range", "is not a multiple of 3");
  if (role.range > ExpectedState::kMostRemembered) {
    return lines.Error("range", fmt::format("is beyond {}, of which groups the last write is "
                                            "remembered",
                                            ExpectedState::kMostRemembered));
  }
  return Status::Ok();
}

}  // namespace
}  // namespace triple

constinit const Operation operations::kTriple = {.name = "triple",
                                                 .scope = OperationScope::kOwnKeys,
                                                 .effects = Effect::kReads | kPuts | kErasures,
                                                 .has_one_value_size = true,
                                                 .takes_snapshots = true,
                                                 .lines = triple::kLines,
                                                 .check = triple::Check,
                                                 .run = triple::Run,
                                                 .verify = triple::Verify,
                                                 .layer = triple::Layer};

}  // namespace levelfield
