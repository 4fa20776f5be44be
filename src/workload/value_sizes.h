// How many bytes a value has: a pure function of (seed, key index, version). So nobody has to
// remember sizes: the writer, the replay, the verification and every engine's run compute the same.
// Plain data; any thread.
#ifndef LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
#define LEVELFIELD_WORKLOAD_VALUE_SIZES_H_

#include <cstdint>

#include "base/random.h"

namespace levelfield {

class ValueSizes {
 public:
  // All of one size. Implicit: a number of bytes is the commonest answer.
  constexpr ValueSizes(uint64_t size = 0) : least_(size), most_(size) {}  // NOLINT

  // Each of least..most alike.
  static ValueSizes Uniform(uint64_t least, uint64_t most);
  // Of this mean and standard deviation, in bytes; what is beyond least..most is cut to them.
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

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
