// How many bytes a value has: a pure function of (seed, key index, version). So nobody has to
// remember sizes: the writer, the replay, the verification and every engine's run compute the same
// ones. Plain data; any thread.
#ifndef LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
#define LEVELFIELD_WORKLOAD_VALUE_SIZES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"

namespace levelfield {

// How long a value is that replaces an older one.
enum class LengthRule {
  kOwn,    // Its own, whatever was there.
  kKept,   // The old value's.
  kGrown,  // The old value's, plus one byte (the originals' comma) and a value's.
};

// The length of a value from before the run, about which nothing is known.
inline constexpr uint64_t kUnknownLength = ~uint64_t{0};

// The length after `writes` >= 1 writes. `old` is empty if there was no value. With no old value,
// or an empty one, all rules but kKept make a value of `value_size` bytes.
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
  // All of one size. Implicit: most values have a plain number of bytes.
  constexpr ValueSizes(uint64_t size = 0) : least_(size), most_(size) {}  // NOLINT

  // Each of least..most is equally likely.
  static ValueSizes Uniform(uint64_t least, uint64_t most);
  // With this mean and standard deviation, in bytes. A size outside least..most is cut to them.
  static ValueSizes Normal(uint64_t least, uint64_t most, double mean, double deviation);
  // The mean is the middle of least..most, the deviation a sixth of it: 99.7 % stay uncut.
  static ValueSizes Normal(uint64_t least, uint64_t most);
  // The generalized Pareto distribution, with sizes rounded up: location theta, shape k, scale
  // sigma > 0. A size beyond `most` is taken modulo it, as mixgraph does. Then a size below `least`
  // becomes `least`.
  static ValueSizes Pareto(uint64_t least, uint64_t most, double theta, double k, double sigma);

  // The same distribution, drawn anew; a single size stays as it is.
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

// The generalized Pareto value whose upper tail is u, in (0, 1]: theta + sigma * (u^-k - 1) / k,
// for k = 0 its limit theta - sigma * ln u.
double ParetoOf(double u, double theta, double k, double sigma);

// How value sizes are written in a workload's file:
//     COUNT
//     uniform COUNT..COUNT
//     normal COUNT..COUNT [mean X deviation X]
//     pareto COUNT..COUNT theta X k X sigma X

// Reads a COUNT up to the limit of a value. Returns nothing, or what would be accepted.
using CountReader = std::function<std::string(std::string_view text, uint64_t& count)>;

// Reads the sizes, without their seed. Returns nothing, or what would be accepted.
std::string ReadValueSizes(std::string_view text, const CountReader& read_count, ValueSizes& sizes);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SIZES_H_
