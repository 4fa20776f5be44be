// An optional whose value is on the heap: for large members that few structs of many have.
#ifndef LEVELFIELD_BASE_BOXED_H_
#define LEVELFIELD_BASE_BOXED_H_

#include <memory>
#include <optional>
#include <utility>

namespace levelfield {

template <class T>
class Boxed {
 public:
  using value_type = T;

  Boxed() = default;
  Boxed(T value)  // NOLINT(google-explicit-constructor)
      : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(std::optional<T> value) {  // NOLINT(google-explicit-constructor)
    if (value) emplace(std::move(*value));
  }
  Boxed(const Boxed& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(Boxed other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Boxed() = default;

  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    value_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *value_;
  }
  void reset() { value_.reset(); }

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  operator std::optional<T>() const {  // NOLINT(google-explicit-constructor)
    return value_ ? std::optional<T>(*value_) : std::nullopt;
  }
  bool operator==(const Boxed& other) const {
    return value_ && other.value_ ? *value_ == *other.value_ : !value_ && !other.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_BOXED_H_
