// Making what a scan needs and letting go of it: nothing is read, so there is no answer to check.
#ifndef LEVELFIELD_OPERATIONS_NEW_ITERATOR_H_
#define LEVELFIELD_OPERATIONS_NEW_ITERATOR_H_

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"

namespace levelfield {

class NewIteratorOperation {
 public:
  static constexpr bool kWholeBlock = false;

  NewIteratorOperation(const lf_engine& table, lf_session* session)
      : new_iterator_(table.new_iterator), session_(session) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Lane() const { return 0; }
  lf_code Call(const NumberedKey&) { return new_iterator_(session_); }
  Tally tally(size_t, uint64_t operations) const {
    return {.operations = operations, .hits = operations};
  }

 private:
  decltype(lf_engine::new_iterator) new_iterator_;
  lf_session* session_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_NEW_ITERATOR_H_
