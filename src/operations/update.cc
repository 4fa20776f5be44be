// A get and a put of the same key, as one operation with one latency: how a program changes a
// value. The read is checked on the spot, since the thread itself writes the key in each round.
#include <algorithm>
#include <utility>

#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/thread_run.h"
#include "operations/write.h"

namespace levelfield {
namespace update {
namespace {

template <class Values, bool kKeysVary>
class UpdateOperation {
 public:
  static constexpr bool kWholeBlock = false;

  UpdateOperation(GetOperation<CheckInLoop, kKeysVary> get, PutOperation<Values> put)
      : get_(std::move(get)), put_(std::move(put)) {}

  void BeginBlock(const KeyBlock& block) { put_.BeginBlock(block); }
  void Prepare(const NumberedKey& at) { put_.Prepare(at); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    const lf_code code = get_.Call(at);
    return code == LF_OK ? put_.Call(at) : code;
  }

  size_t Statistics() const { return 0; }
  // Counts the bytes of both. A hit is an update of a value that was there before.
  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    OperationCounts counts = get_.counts(key_bytes, operations);
    // The get of the last update may have succeeded and its put failed.
    counts.hits = operations - std::min(operations, counts.misses);
    counts.bytes += put_.counts(key_bytes, operations).bytes;
    return counts;
  }

 private:
  GetOperation<CheckInLoop, kKeysVary> get_;
  PutOperation<Values> put_;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  WithRoundValuesAndKeys(task, [&](auto values, auto vary) {
    ThreadRun(task, result)
        .One(UpdateOperation(
            GetOperation<CheckInLoop, vary>(*task.table, task.session, {*task.values}),
            PutOperation(PutOf(task), task.session, std::move(values))));
  });
}

}  // namespace
}  // namespace update

constinit const Operation operations::kUpdate = {.name = "update",
                                                 .effects = kChanges,
                                                 .writes_one_entry = true,
                                                 .can_warm_up = true,
                                                 .can_repeat = true,
                                                 .goes_on = true,
                                                 .run = update::Run,
                                                 .verify = VerifyGets};

}  // namespace levelfield
