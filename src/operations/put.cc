// Puts of one entry, or of a batch in one write.
#include <utility>
#include <vector>

#include "operations/in_flight.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "operations/write.h"

namespace levelfield {
namespace put {
namespace {

// All keys of a block in one write; a timed batch is one latency for all of them.
template <class Values>
class BatchOperation : public WritingOperation {
 public:
  static constexpr bool kWholeBlock = true;

  BatchOperation(const lf_engine& table, lf_session* session, Values values, size_t batch)
      : write_(table.write), session_(session), values_(std::move(values)), entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    values_.BeginBlock(block);
    count_ = block.count();
    // Read once: for the compiler, making a value could change any of them.
    lf_entry* entry = entries_.data();
    const auto [first_key, key_size] = *block.keys();
    const char* key = first_key;
    const uint64_t* const indexes = block.indexes();
    for (size_t i = 0, count = count_; i < count; ++i, ++entry, key += key_size) {
      *entry = {.key = {key, key_size}, .value = values_.Next(indexes[i], i), .erase = 0};
    }
    if (block.sizes_vary()) SetKeys(block);
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    return write_(session_, entries_.data(), count_);
  }

  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    return CountsOf(key_bytes, operations, values_.BytesOf(operations));
  }

 private:
  // Keys of one size follow each other, and are set already.
  [[gnu::noinline]] void SetKeys(const KeyBlock& block) {
    for (size_t i = 0; i < count_; ++i) entries_[i].key = block.keys()[i];
  }

  decltype(lf_engine::write) write_;
  lf_session* session_;
  Values values_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

template <class Values>
void RunWith(const ThreadTask& task, ThreadResult& result, Values values) {
  const uint64_t batch = task.role->batch;
  const ThreadRun run(task, result);
  if (task.depth > 1) {
    run.InFlight(WriteInFlight<Values>(*task.table, task.session, LF_PUT, std::move(values)));
  } else if (batch == 1) {
    run.One(PutOperation(task.table->put, task.session, std::move(values)));
  } else {
    run.One(BatchOperation(*task.table, task.session, std::move(values), batch), batch);
  }
  result.statistics.front().entry_bytes = EntryBytes(task);
}

void Run(const ThreadTask& task, ThreadResult& result) {
  const Role& role = *task.role;
  const uint64_t size = role.value_size.most();
  if (task.original != nullptr) {
    const WindowCursor cursor(*task.original, size, task.first_window);
    return RunWith(task, result, WindowValues(cursor, size));
  }
  if (!IsDrawn(task.keys.order)) {
    return WithRoundValues(task, [&](auto values) { RunWith(task, result, std::move(values)); });
  }
  const uint32_t version = task.first_version + static_cast<uint32_t>(task.done);
  if (role.value_size.vary()) {
    return RunWith(task, result,
                   VariedValues(*task.values, version, role.value_size, role.batch, true));
  }
  RunWith(task, result, CountedValues(*task.values, version, size, role.batch));
}

}  // namespace
}  // namespace put

constinit const Operation operations::kPut = {.name = "put",
                                              .effects = kPuts,
                                              .writes_one_entry = true,
                                              .has_batches = true,
                                              .can_warm_up = true,
                                              .can_repeat = true,
                                              .may_have_records = true,
                                              .may_be_in_flight = true,
                                              .goes_on = true,
                                              .run = put::Run};

}  // namespace levelfield
