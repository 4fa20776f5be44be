// A phase's ticks of a tenth of a second, of one role, by a function of the tick's number.
#ifndef LEVELFIELD_RESULT_TICKS_FOR_TEST_H_
#define LEVELFIELD_RESULT_TICKS_FOR_TEST_H_

#include "result/time_series.h"

namespace levelfield {

template <class OperationsOf>
Ticks TicksOf(size_t count, OperationsOf operations_of) {
  Ticks ticks;
  ticks.operations.emplace_back();
  for (size_t i = 0; i < count; ++i) {
    ticks.end_ms.push_back((i + 1) * 100);
    ticks.operations[0].push_back(static_cast<uint64_t>(operations_of(i)));
  }
  return ticks;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_TICKS_FOR_TEST_H_
