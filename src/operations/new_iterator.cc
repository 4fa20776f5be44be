// Creates and releases what a scan needs. Nothing is read, so there is no answer to check.
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"

namespace levelfield {
namespace new_iterator {
namespace {

class NewIteratorOperation {
 public:
  static constexpr bool kWholeBlock = false;

  NewIteratorOperation(const lf_engine& table, lf_session* session)
      : new_iterator_(table.new_iterator), session_(session) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }
  [[gnu::always_inline]] lf_code Call(const NumberedKey&) { return new_iterator_(session_); }
  OperationCounts counts(uint64_t, uint64_t operations) const {
    return {.operations = operations, .hits = operations};
  }

 private:
  decltype(lf_engine::new_iterator) new_iterator_;
  lf_session* session_;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (task.table->new_iterator == nullptr) {
    return run.Refuse("this engine's scans make no iterator");
  }
  run.One(NewIteratorOperation(*task.table, task.session));
}

std::string Verify(const AnsweredRole& answered) {
  answered.unchecked = "an iterator that is made and let go of gives no answer";
  return "";
}

}  // namespace
}  // namespace new_iterator

constinit const Operation operations::kNewIterator = {.name = "new_iterator",
                                                      .scope = OperationScope::kSession,
                                                      .effects = Effects::None(),
                                                      .can_repeat = true,
                                                      .run = new_iterator::Run,
                                                      .verify = new_iterator::Verify};

}  // namespace levelfield
