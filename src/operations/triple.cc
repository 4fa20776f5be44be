// Three keys that are always written together, in one batch, and read together, from one snapshot:
// so their versions agree, whoever writes them meanwhile. Of the thread's own groups it is known
// which version that has to be. Belongs to one thread.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "operations/triples.h"
#include "workload/digest.h"
#include "workload/expected_state.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

class TripleOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = 3;  // Gets, puts, erases.

  TripleOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                  const ExpectedState& before, const TriplePlan& plan, const KeyShape& shape,
                  size_t value_size)
      : table_(table),
        session_(session),
        values_(values),
        before_(before),
        plan_(plan),
        choices_(plan),
        format_(shape, plan.groups * kTriple),
        value_size_(value_size),
        keys_(format_.Blank(kTriple)),
        bytes_(kTriple * value_size),
        before_bytes_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)),
        own_(plan.end_group - plan.first_group, kGroupUntouched) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    choice_ = choices_.Next();
    for (size_t i = 0; i < kTriple; ++i) indexes_[i] = choice_.group * kTriple + i;
    format_.Format(indexes_, keys_.data());
    if (choice_.kind == TripleChoice::Kind::kGet) return;
    const bool erases = choice_.kind == TripleChoice::Kind::kErase;
    for (size_t i = 0; i < kTriple; ++i) {
      char* const value = bytes_.data() + i * value_size_;
      if (!erases) values_.Make(indexes_[i], choice_.version, value_size_, value);
      entries_[i] = {
          .key = Key(i), .value = {value, erases ? 0 : value_size_}, .erase = erases ? 1 : 0};
    }
  }

  lf_code Call(const NumberedKey&) {
    if (choice_.kind == TripleChoice::Kind::kGet) return GetAll();
    const lf_code code = table_.write(session_, entries_.data(), entries_.size());
    if (code != LF_OK) return code;
    const bool erases = choice_.kind == TripleChoice::Kind::kErase;
    own_[choice_.group - plan_.first_group] = erases ? kGroupErased : choice_.version;
    Tally& tally = tallies_[Lane()];
    ++tally.operations;
    ++tally.hits;
    tally.bytes += kTriple * (format_.key_size() + (erases ? 0 : value_size_));
    return LF_OK;
  }

  size_t Lane() const { return static_cast<size_t>(choice_.kind); }
  Tally tally(size_t lane) const { return tallies_[lane]; }

 private:
  struct Found {
    bool is_there = false;
    bool is_as_before = false;  // Where it does not say its version.
    uint32_t version = 0;       // 0: it says none.
  };

  lf_bytes Key(size_t i) const {
    return {keys_.data() + i * format_.key_size(), format_.key_size()};
  }

  lf_code GetAll() {
    lf_snapshot* snapshot = nullptr;
    lf_code code = table_.take_snapshot(session_, &snapshot);
    if (code != LF_OK) return code;
    Tally& tally = tallies_[0];
    uint64_t bytes = 0;
    std::array<Found, kTriple> found;
    for (size_t i = 0; i < kTriple; ++i) {
      lf_bytes value;
      code = table_.get_at(session_, snapshot, Key(i), &value);
      if (code == LF_NOT_FOUND) continue;
      if (code != LF_OK) break;
      bytes += format_.key_size() + value.size;
      found[i] = Look(indexes_[i], value);
    }
    table_.release_snapshot(session_, snapshot);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    ++tally.operations;
    ++(found[0].is_there ? tally.hits : tally.misses);
    tally.bytes += bytes;
    tally.wrong += IsRight(found) ? 0 : 1;
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
    if (choice_.group >= plan_.first_group && choice_.group < plan_.end_group) {
      const uint32_t last = own_[choice_.group - plan_.first_group];
      if (last == kGroupUntouched) return IsAsBefore(found);
      if (last == kGroupErased) return AreAll(found, false, 0);
      return AreAll(found, true, last);
    }
    // Of another thread: as it wrote them, or nobody has yet.
    if (AreAll(found, false, 0)) return true;
    const bool is_new = found[0].version >= plan_.first_version;
    return (is_new && AreAll(found, true, found[0].version)) || IsAsBefore(found);
  }

  static bool AreAll(const std::array<Found, kTriple>& found, bool are_there, uint32_t version) {
    return std::ranges::all_of(found, [&](const Found& one) {
      return one.is_there == are_there && one.version == version;
    });
  }

  // As the phase found them, each for itself.
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
  TriplePlan plan_;
  TripleChoices choices_;
  KeyFormat format_;
  size_t value_size_;
  TripleChoice choice_;
  std::array<uint64_t, kTriple> indexes_ = {};
  std::array<lf_entry, kTriple> entries_ = {};
  std::string keys_;
  std::vector<char> bytes_;         // Of three values.
  std::vector<char> before_bytes_;  // Of a value that the phase found.
  std::vector<uint32_t> own_;       // The last write of each of the thread's own groups.
  std::array<Tally, kLanes> tallies_;
};

TriplePlan TriplePlanOf(const ThreadTask& task) {
  const auto group_at = [](uint64_t position) { return (position + kTriple - 1) / kTriple; };
  const Role& role = *task.role;
  return {.seed = task.choice_seed,
          .groups = role.range / kTriple,
          .first_group = group_at(task.write_keys.first_position),
          .end_group = group_at(task.write_keys.end_position),
          .get_percent = role.get_percent,
          .erase_percent = role.erase_percent,
          .first_version = task.first_version};
}

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
  TripleOperation operation(table, task.session, *task.values, *task.before, TriplePlanOf(task),
                            task.key_shape, task.role->value_size.most());
  run.Chosen(operation, {"get", "put", "erase"});
}

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  std::vector<TripleHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({TriplePlanOf(run.tasks[t]), run.results[t].Operations()});
  }
  return LayerOf(run, std::make_shared<TripleHistory>(shares, role.value_size.most()));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.lanes.empty()) return "";
  const LaneResult& gets = summary.lanes.front();
  result.checked = "in the loop";
  result.check_detail =
      "the three values of each get were of one version, and of the right one where the thread "
      "that read them is the one that writes them";
  result.note = fmt::format("{} gets ({} found), {} puts, {} erases", gets.operations, gets.hits,
                            summary.lanes.at(1).operations, summary.lanes.at(2).operations);
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

constinit const Operation operations::kTriple = {.name = "triple",
                                                 .scope = OperationScope::kOwnKeys,
                                                 .reads = true,
                                                 .writes = true,
                                                 .has_one_value_size = true,
                                                 .lines = kLines,
                                                 .check = Check,
                                                 .run = Run,
                                                 .verify = Verify,
                                                 .layer = Layer};

}  // namespace levelfield
