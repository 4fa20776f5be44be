// Erasures of one key, or of a batch in one write.
#include <vector>

#include "operations/in_flight.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "operations/write.h"

namespace levelfield {
namespace erase {
namespace {

class EraseOperation : public WritingOperation {
 public:
  EraseOperation(const lf_engine& table, lf_session* session)
      : erase_(table.erase), session_(session) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) { return erase_(session_, at.key); }

  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    return CountsOf(key_bytes, operations, 0);
  }

 private:
  decltype(lf_engine::erase) erase_;
  lf_session* session_;
};

// All keys of a block in one write.
class EraseBatchOperation : public WritingOperation {
 public:
  static constexpr bool kWholeBlock = true;

  EraseBatchOperation(const lf_engine& table, lf_session* session, size_t batch)
      : write_(table.write), session_(session), entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    count_ = block.count();
    for (size_t i = 0; i < count_; ++i) entries_[i] = {block.at(i).key, {}, 1};
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    return write_(session_, entries_.data(), count_);
  }

  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    return CountsOf(key_bytes, operations, 0);
  }

 private:
  decltype(lf_engine::write) write_;
  lf_session* session_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const Role& role = *task.role;
  const ThreadRun run(task, result);
  if (task.depth > 1) {
    run.InFlight(WriteInFlight<NoValues>(*task.table, task.session, LF_ERASE, {}));
  } else if (role.batch == 1) {
    run.One(EraseOperation(*task.table, task.session));
  } else {
    run.One(EraseBatchOperation(*task.table, task.session, role.batch), role.batch);
  }
  result.statistics.front().entry_bytes =
      role.value_size.vary() || task.key_shape.vary() ? 0 : task.key_shape.size;
}

}  // namespace
}  // namespace erase

constinit const Operation operations::kErase = {.name = "erase",
                                                .effects = kErasures,
                                                .writes_one_entry = true,
                                                .has_batches = true,
                                                .may_be_in_flight = true,
                                                .run = erase::Run};

}  // namespace levelfield
