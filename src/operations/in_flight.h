// Gets, puts and erasures whose answers a thread need not wait for (--depth), for loop/in_flight.h.
#ifndef LEVELFIELD_OPERATIONS_IN_FLIGHT_H_
#define LEVELFIELD_OPERATIONS_IN_FLIGHT_H_

#include <utility>

#include "loop/in_flight.h"
#include "operations/read.h"
#include "operations/write.h"

namespace levelfield {

template <class Check>
class GetInFlight : public KeyCountingOperation<true> {
 public:
  GetInFlight(const lf_engine& table, lf_session* session, Check check)
      : submit_(table.submit), poll_(table.poll), session_(session), check_(check) {}

  lf_code Submit(const NumberedKey& at, Asked& asked) {
    asked.bytes = at.key.size;
    return submit_(session_, LF_GET, at.key, {});
  }
  lf_code Answer(const Asked& asked, uint64_t most_ns) {
    lf_bytes value;
    const lf_code code = poll_(session_, most_ns, &value);
    if (code != LF_OK) return WithoutEntry(code);
    counts_.bytes += asked.bytes + value.size;
    digest_.Add(value, asked.index);
    counts_.wrong += check_.Wrong(asked.index, value);
    return LF_OK;
  }

 private:
  decltype(lf_engine::submit) submit_;
  decltype(lf_engine::poll) poll_;
  lf_session* session_;
  Check check_;
};

// No value, for erasures.
struct NoValues {
  void BeginBlock(const KeyBlock&) {}
  lf_bytes Next(const NumberedKey&) { return {}; }
};

template <class Values>
class WriteInFlight : public WritingOperation {
 public:
  // `call` is LF_PUT or LF_ERASE.
  WriteInFlight(const lf_engine& table, lf_session* session, lf_call call, Values values)
      : submit_(table.submit),
        poll_(table.poll),
        session_(session),
        call_(call),
        values_(std::move(values)) {}

  void BeginBlock(const KeyBlock& block) { values_.BeginBlock(block); }
  void Prepare(const NumberedKey& at) { value_ = values_.Next(at); }

  lf_code Submit(const NumberedKey& at, Asked& asked) {
    asked.bytes = at.key.size + value_.size;
    return submit_(session_, call_, at.key, value_);
  }
  lf_code Answer(const Asked& asked, uint64_t most_ns) {
    lf_bytes nothing;
    const lf_code code = poll_(session_, most_ns, &nothing);
    if (code == LF_OK) bytes_ += asked.bytes;
    return code;
  }

  OperationCounts counts(uint64_t, uint64_t operations) const {
    return CountsOf(0, operations, bytes_);
  }

 private:
  decltype(lf_engine::submit) submit_;
  decltype(lf_engine::poll) poll_;
  lf_session* session_;
  lf_call call_;
  Values values_;
  lf_bytes value_ = {};
  uint64_t bytes_ = 0;  // Of what was acknowledged.
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_IN_FLIGHT_H_
