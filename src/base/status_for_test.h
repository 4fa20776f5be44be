// For tests: what a call gave, and the words of one that had to fail.
#ifndef LEVELFIELD_BASE_STATUS_FOR_TEST_H_
#define LEVELFIELD_BASE_STATUS_FOR_TEST_H_

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/status.h"

namespace levelfield {

// Ends the test where the call failed.
inline void Must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}
template <class T>
T Must(StatusOr<T> value) {
  Must(value.status());
  return std::move(*value);
}

inline std::string ErrorOf(const Status& status) {
  EXPECT_FALSE(status.ok()) << "it had to fail";
  return status.message();
}
template <class T>
std::string ErrorOf(const StatusOr<T>& value) {
  return ErrorOf(value.status());
}
// The same of a mistake of whoever asked.
template <class Result>
std::string UsageErrorOf(const Result& result) {
  const Status status = [&] {
    if constexpr (std::is_same_v<Result, Status>) {
      return result;
    } else {
      return result.status();
    }
  }();
  EXPECT_EQ(status.kind(), ErrorKind::kUsage) << status.message();
  return status.message();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_STATUS_FOR_TEST_H_
