// Gets, puts and erasures of ranges of keys, each of which is one write: how a store of logs or of
// tenants drops what is over. Each thread has its own part of the keys, so the replay knows what it
// should have read.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "operations/operations.h"
#include "operations/shares.h"
#include "operations/steps.h"
#include "workload/file/role_lines.h"

namespace levelfield {
namespace erase_range {
namespace {

class EraseRangeSteps {
 public:
  static constexpr bool kErasesRanges = true;

  explicit EraseRangeSteps(const ThreadTask& task)
      : role_(*task.role),
        first_(task.write_keys.first_position),
        keys_(task.write_keys.share()),
        length_(std::min(role_.nexts + 1, keys_)),
        draws_(task.choice_seed),
        version_(task.first_version) {}

  Step Next() {
    const uint64_t share = draws_.Below(100);
    if (share < role_.get_percent) return {.kind = StepKind::kGet, .key = AnyKey(1)};
    if (share >= 100 - role_.erase_percent) {
      return {.kind = StepKind::kErase, .key = AnyKey(length_), .length = length_};
    }
    return {.kind = StepKind::kPut,
            .version = version_++,
            .key = AnyKey(1),
            .size = role_.value_size.most()};
  }

 private:
  // A key that has so many of the thread's keys from itself on.
  uint64_t AnyKey(uint64_t keys) { return first_ + draws_.Below(keys_ - keys + 1); }

  const Role& role_;
  uint64_t first_;  // The first of the thread's keys.
  uint64_t keys_;
  uint64_t length_;  // Keys in a range.
  Random draws_;
  uint32_t version_;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  if (task.table->delete_range == nullptr) {
    return ThreadRun(task, result).Refuse("this engine has no write that erases a range of keys");
  }
  StepsOperation<StepCheck::kNone, EraseRangeSteps> operation(
      task, EraseRangeSteps(task), task.role->range + 1, task.role->value_size.most());
  RunSteps(task, result, operation, {"get", "", "put", "erase_range"});
}

std::vector<StepsDone> StepsOf(const RoleRun& run) {
  return StepsOf(run, [](const ThreadTask& task) { return EraseRangeSteps(task); });
}

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  return LayerOf(run, HistoryOf(StepsOf(run), role.range));
}

std::string Verify(const AnsweredRole& answered) {
  answered.result.checked.answers = AnswersChecked::kReplayed;
  answered.result.check_detail = "hits, bytes and digest of the gets are those of the model";
  return VerifyAllSteps(answered, StepsOf(answered.run));
}

std::optional<std::string> Read(std::string_view text, const FileNumbers& numbers, Role& role) {
  if (text.find("erase range") == std::string_view::npos) return std::nullopt;
  auto shares = ReadShares(text, numbers, {"get", "put", "erase range"});
  if (!shares) return "`N% get, N% put, N% erase range`, each at most once, of together 100%";
  role.get_percent = (*shares)["get"];
  role.erase_percent = (*shares)["erase range"];
  return "";
}

constexpr RoleLine kLines[] = {{"nexts", ReadCount<limits::kScanned, 0, &Role::nexts>}};

Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.range >= KeyFormat::kLimit || role.range / role.threads <= role.nexts) {
    return lines.Error("nexts", fmt::format("erases {} keys at once, and a thread has {} of {}",
                                            role.nexts + 1, role.range / role.threads, role.range));
  }
  return CheckRemembered(lines, "write", 4);
}

}  // namespace
}  // namespace erase_range

constinit const Operation operations::kEraseRange = {.name = "erase range",
                                                     .form = "`N% get, N% put, N% erase range`",
                                                     .scope = OperationScope::kOwnKeys,
                                                     .effects = Effect::kReads | kPuts | kErasures,
                                                     .has_one_value_size = true,
                                                     .read = erase_range::Read,
                                                     .lines = erase_range::kLines,
                                                     .check = erase_range::Check,
                                                     .run = erase_range::Run,
                                                     .verify = erase_range::Verify,
                                                     .layer = erase_range::Layer};

}  // namespace levelfield
