// Numbers of a workload file: what is written there as digits, as the name of a variable, or as a
// term of these. Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_NUMBERS_H_
#define LEVELFIELD_WORKLOAD_FILE_NUMBERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.h"

namespace levelfield {

// Letters, digits, _ and -; not empty.
bool IsName(std::string_view text);

// The words of a text: runs of small letters, with the `$` of a variable.
std::vector<std::string> Words(std::string_view text);

// "; did you mean ...?" for the first word of `text` that is not among `known` but near one of it.
std::string DidYouMeanAWord(std::string_view text, std::span<const std::string> known);

// The most that 64 bits hold.
inline constexpr uint64_t kNoLimit = ~uint64_t{0};

class FileNumbers {
 public:
  // `settings` have to outlive this.
  explicit FileNumbers(const Settings& settings);

  const Settings& settings() const { return settings_; }

  // `1000`, `$num`, `$num/1000`, `$num*10`: what is not 0 stays at least 1. Or of two of them, in
  // which a quotient may be 0: max(A, B), up(A, B) and down(A, B), which round A to a multiple of
  // B; or power_of_two(A), the first one from A on. What is more than 64 bits hold is the most that
  // they do, which every limit is below.
  std::optional<uint64_t> Evaluate(std::string_view text) const;

  // The value of a name that is there, such as "$writes".
  uint64_t Of(const std::string& name) const { return counts_.at(name); }

  // Sets the field; returns nothing, or what is accepted.
  std::string SetCount(std::string_view text, uint64_t& field, uint64_t most, uint64_t least) const;
  // A decimal fraction, or one of three flags.
  std::string SetRatio(std::string_view text, double& field, double most) const;

 private:
  // `1000`, `$num`, `$num/1000`, `$num*10`; and whether it was 0 before it was divided.
  std::optional<uint64_t> Quotient(std::string_view text, bool* was_zero = nullptr) const;

  const Settings& settings_;
  std::map<std::string, uint64_t> counts_;  // The numbers that a file may name: `$num`.
  std::map<std::string, double> ratios_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_NUMBERS_H_
