// Errors are values with a message: what was tried, on what, and what the reader can do next.
#ifndef LEVELFIELD_BASE_STATUS_H_
#define LEVELFIELD_BASE_STATUS_H_

#include <optional>
#include <string>
#include <utility>

namespace levelfield {

// The kind of error alone decides the program's exit code.
enum class ErrorKind {
  kNone = 0,
  kFailed = 1,        // An engine, a check or the machine: exit 1.
  kUsage = 2,         // A mistake of the user, found before anything ran: exit 2.
  kInterrupted = 130  // Ctrl-C or SIGTERM: exit 130.
};

class [[nodiscard]] Status {
 public:
  static Status Ok() { return {}; }
  static Status Failed(std::string message) { return {ErrorKind::kFailed, std::move(message)}; }
  static Status Usage(std::string message) { return {ErrorKind::kUsage, std::move(message)}; }
  static Status Interrupted(std::string message) {
    return {ErrorKind::kInterrupted, std::move(message)};
  }

  bool ok() const { return kind_ == ErrorKind::kNone; }
  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }

 private:
  Status() = default;
  Status(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind_ = ErrorKind::kNone;
  std::string message_;
};

// Ends the program: a value was used that is not there, which is a mistake of ours. Says why there
// is none.
[[noreturn]] void EndForWantOfAValue(const Status& status);

// A value, or why there is none. Ask ok() before the value: without one the program ends.
template <class T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(T value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  StatusOr(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& operator*() {
    CheckOk();
    return *value_;
  }
  const T& operator*() const {
    CheckOk();
    return *value_;
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  void CheckOk() const {
    if (!ok()) [[unlikely]]
      EndForWantOfAValue(status_);
  }

  Status status_ = Status::Ok();
  std::optional<T> value_;
};

}  // namespace levelfield

// Leaves the function with the error of `...`, a Status, if it has one.
#define RETURN_IF_ERROR(...)                                         \
  do {                                                               \
    if (::levelfield::Status error_ = (__VA_ARGS__); !error_.ok()) { \
      return error_;                                                 \
    }                                                                \
  } while (false)

// Declares a variable with the value of `...`, a StatusOr, or leaves the function with its error:
// ASSIGN_OR_RETURN(const Plan plan, MakePlan(settings)). A statement of its own, in braces.
#define ASSIGN_OR_RETURN(declaration, ...) \
  LEVELFIELD_ASSIGN_OR_RETURN(LEVELFIELD_NAME(status_or_, __COUNTER__), declaration, __VA_ARGS__)
#define LEVELFIELD_ASSIGN_OR_RETURN(status_or, declaration, ...) \
  auto status_or = (__VA_ARGS__);                                \
  if (!(status_or).ok()) return (status_or).status();            \
  declaration = std::move(*(status_or))
#define LEVELFIELD_NAME(stem, number) LEVELFIELD_NAME_(stem, number)
#define LEVELFIELD_NAME_(stem, number) stem##number

#endif  // LEVELFIELD_BASE_STATUS_H_
