// A value that is longer than the one that was read, by a value's bytes and one more: what an
// append comes to where the store cannot merge. It is not the old one with something behind it but
// describes itself, like all others; that it has the right length shows that the right one was
// read. It is made between the two calls, because that is when its length is known. A Maker of
// change.h.
#include <algorithm>
#include <optional>
#include <vector>

#include "levelfield/engine_abi.h"
#include "operations/answers.h"
#include "operations/change.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/value_sizes.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

class AppendedValue {
 public:
  AppendedValue(const ValueSource& values, uint32_t first_version, size_t value_size)
      : values_(values),
        first_version_(first_version),
        value_size_(value_size),
        longer_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)) {}

  void BeginBlock(uint64_t round) { version_ = first_version_ + static_cast<uint32_t>(round); }
  void Prepare(uint64_t) {}

  lf_bytes Made(uint64_t key_index, const lf_bytes* old, bool* is_wrong) {
    std::optional<uint64_t> old_size;
    if (old != nullptr) old_size = old->size;
    *is_wrong = old != nullptr && !values_.Check(key_index, *old).has_value();
    // An engine that hands out more than was ever written is found out by its wrong length.
    const auto size = static_cast<size_t>(std::min<uint64_t>(
        LengthAfter(LengthRule::kGrown, old_size, value_size_, 1), values_.max_value_size()));
    values_.Make(key_index, version_, size, longer_.data());
    return {longer_.data(), size};
  }

 private:
  const ValueSource& values_;
  uint32_t first_version_;
  uint32_t version_ = 0;
  size_t value_size_;
  std::vector<char> longer_;  // The value that is put.
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (!task.check_in_loop) return run.Refuse(kNotOurs);
  run.One(ChangeOperation(
      *task.table, task.session,
      AppendedValue(*task.values, task.first_version, task.role->value_size.most())));
}

}  // namespace

constinit const Operation operations::kAppend = {.name = "append",
                                                 .reads = true,
                                                 .writes = true,
                                                 .writes_one_entry = true,
                                                 .has_one_value_size = true,
                                                 .length = LengthRule::kGrown,
                                                 .run = Run,
                                                 .verify = VerifyGets};

}  // namespace levelfield
