// Gets of several keys in one call.
#include <vector>

#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/thread_run.h"

namespace levelfield {
namespace multi_get {
namespace {

// All keys of a block in one call; a timed batch is one latency for all of them.
template <class Check, bool kKeysVary>
class MultiGetOperation : public KeyCountingOperation<kKeysVary> {
 public:
  static constexpr bool kWholeBlock = true;

  MultiGetOperation(const lf_engine& table, lf_session* session, Check check, size_t batch)
      : multi_get_(table.multi_get),
        session_(session),
        check_(check),
        keys_(batch),
        values_(batch),
        codes_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    count_ = block.count();
    indexes_ = block.indexes();
    for (size_t i = 0; i < count_; ++i) keys_[i] = block.at(i).key;
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const lf_code code = multi_get_(session_, keys_.data(), count_, values_.data(), codes_.data());
    if (code != LF_OK) return code;
    for (size_t i = 0; i < count_; ++i) {
      if (codes_[i] == LF_OK) {
        this->CountBytes(keys_[i], values_[i]);
        this->digest_.Add(values_[i], indexes_[i]);
        this->counts_.wrong += check_.Wrong(indexes_[i], values_[i]);
      } else {
        ++this->counts_.misses;
      }
    }
    return LF_OK;
  }

 private:
  decltype(lf_engine::multi_get) multi_get_;
  lf_session* session_;
  Check check_;
  std::vector<lf_bytes> keys_;
  std::vector<lf_bytes> values_;
  std::vector<lf_code> codes_;
  const uint64_t* indexes_ = nullptr;
  size_t count_ = 0;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const uint64_t batch = task.role->batch;
  const ThreadRun run(task, result);
  if (task.table->multi_get == nullptr) return run.Refuse("this engine gets one key a call");
  WithKeySizes(task, [&](auto vary) {
    if (task.check_in_loop && task.original == nullptr) {
      return run.One(
          MultiGetOperation<CheckInLoop, vary>(*task.table, task.session, {*task.values}, batch),
          batch);
    }
    run.One(MultiGetOperation<LeaveToReplay, vary>(*task.table, task.session, {}, batch), batch);
  });
}

}  // namespace
}  // namespace multi_get

constinit const Operation operations::kMultiGet = {.name = "multi_get",
                                                   .effects = Effect::kReads,
                                                   .lookup = Lookup::kKey,
                                                   .has_batches = true,
                                                   .can_warm_up = true,
                                                   .can_repeat = true,
                                                   .may_have_stride = true,
                                                   .run = multi_get::Run,
                                                   .verify = VerifyGets};

}  // namespace levelfield
