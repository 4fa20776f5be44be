// Numbers in a workload file: digits, the name of a variable, or a term of these. Pure.
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
std::vector<std::string> WordsIn(std::string_view text);

// "; did you mean ...?" for the first word of `text` that is not in `known` but close to one that
// is.
std::string DidYouMeanAWord(std::string_view text, std::span<const std::string> known);

// The largest number of 64 bits.
inline constexpr uint64_t kNoLimit = ~uint64_t{0};

class FileNumbers {
 public:
  // `settings` have to outlive this.
  explicit FileNumbers(const Settings& settings);

  const Settings& settings() const { return settings_; }

  // `1000`, `$num`, `$num/1000`, `$num*10`: a number that is not 0 stays at least 1. Also functions
  // of two such terms, in which a quotient may be 0: max(A, B), up(A, B) and down(A, B), which
  // round A to a multiple of B; and power_of_two(A), the first power of two from A on. A result
  // beyond 64 bits becomes the largest number, which is above every limit.
  std::optional<uint64_t> Evaluate(std::string_view text) const;

  // The value of a known name, such as "$writes".
  uint64_t Of(const std::string& name) const { return counts_.at(name); }

  // Sets the field. Returns nothing, or what would be accepted.
  std::string SetCount(std::string_view text, uint64_t& field, uint64_t most, uint64_t least) const;
  // A decimal fraction, or one of three flags.
  std::string SetRatio(std::string_view text, double& field, double most) const;

 private:
  // `1000`, `$num`, `$num/1000`, `$num*10`; also tells whether it was 0 before the division.
  std::optional<uint64_t> Quotient(std::string_view text, bool* was_zero = nullptr) const;

  const Settings& settings_;
  std::map<std::string, uint64_t> counts_;  // The numbers that a file may name: `$num`.
  std::map<std::string, double> ratios_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_NUMBERS_H_
