// How many bytes a value has: a pure function of (seed, key index, version). So nobody has to
// remember sizes: the writer, the replay, the verification and every engine's run compute the same.
// Plain data; any thread.
#ifndef LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
#define LEVELFIELD_WORKLOAD_VALUE_SIZES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"

namespace levelfield {

// How long a value is that was made out of the one that lay below it.
enum class LengthRule {
  kOwn,    // Whatever lay below.
  kKept,   // That of the old value.
  kGrown,  // The old value's, one byte (the originals' comma) and a value's more.
};

// The length of a value that was there before the run, made by nobody that the run knows.
inline constexpr uint64_t kUnknownLength = ~uint64_t{0};

// The length after `writes` >= 1 writes. `old` is empty where there was no value. Where there was
// none, or one of no bytes, all rules but kKept make a value of `value_size` bytes.
inline uint64_t LengthAfter(LengthRule rule, std::optional<uint64_t> old, uint64_t value_size,
                            uint64_t writes) {
  if (rule == LengthRule::kOwn) return value_size;
  if (old == kUnknownLength) return kUnknownLength;
  if (rule == LengthRule::kKept) return old.value_or(value_size);
  if (old.value_or(0) == 0) {
    return value_size == 0 ? 0 : value_size + (writes - 1) * (value_size + 1);
  }
  return *old + writes * (value_size + 1);
}

class ValueSizes {
 public:
  // All of one size. Implicit: a number of bytes is the commonest answer.
  constexpr ValueSizes(uint64_t size = 0) : least_(size), most_(size) {}  // NOLINT

  // Each of least..most alike.
  static ValueSizes Uniform(uint64_t least, uint64_t most);
  // With this mean and standard deviation, in bytes. What is beyond least..most is cut to them.
  static ValueSizes Normal(uint64_t least, uint64_t most, double mean, double deviation);
  // The middle of least..most and a sixth of it, so that it holds 99.7 % of them uncut.
  static ValueSizes Normal(uint64_t least, uint64_t most);
  // The generalized Pareto distribution, whose sizes are rounded up: location theta, shape k, scale
  // sigma > 0. What is beyond `most` is taken modulo it, as mixgraph does; then what is below
  // `least` is that.
  static ValueSizes Pareto(uint64_t least, uint64_t most, double theta, double k, double sigma);

  // The same sizes drawn anew; of one size it changes nothing.
  ValueSizes WithSeed(uint64_t seed) const;

  bool vary() const { return kind_ != Kind::kFixed; }
  uint64_t least() const { return least_; }
  uint64_t most() const { return most_; }
  double Mean() const;

  uint64_t Of(uint64_t key_index, uint32_t version) const {
    return kind_ == Kind::kFixed ? most_ : Drawn(key_index, version);
  }

  bool operator==(const ValueSizes&) const = default;

 private:
  enum class Kind : uint8_t { kFixed, kUniform, kNormal, kPareto };

  uint64_t Drawn(uint64_t key_index, uint32_t version) const;

  Kind kind_ = Kind::kFixed;
  uint64_t least_;
  uint64_t most_;
  uint64_t seed_ = 0;
  // The mean and the standard deviation of kNormal; theta, k and sigma of kPareto.
  double a_ = 0;
  double b_ = 0;
  double c_ = 0;
};

// The generalized Pareto value whose upper tail is u, (0, 1]: theta + sigma * (u^-k - 1) / k, of
// k = 0 its limit theta - sigma * ln u.
double ParetoOf(double u, double theta, double k, double sigma);

// How value sizes are written in a workload's file:
//     COUNT
//     uniform COUNT..COUNT
//     normal COUNT..COUNT [mean X deviation X]
//     pareto COUNT..COUNT theta X k X sigma X

// Reads a COUNT of at most the limit of a value; what it accepts where it is none, else empty.
using CountReader = std::function<std::string(std::string_view text, uint64_t& count)>;

// Empty, and the sizes, whose seed is not set; or what is accepted.
std::string ReadValueSizes(std::string_view text, const CountReader& read_count, ValueSizes& sizes);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
