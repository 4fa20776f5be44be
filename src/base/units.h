// Numbers as people type them: "64M", "10k", "500ms", "yes". Pure functions, for any thread.
//
// Each takes the whole text or refuses it: no trailing text, no overflow, nothing negative. A
// refusal says what is accepted. It does not repeat the text, because the caller knows what the
// text was for: "--num=10k5: " + status.message().
#ifndef LEVELFIELD_BASE_UNITS_H_
#define LEVELFIELD_BASE_UNITS_H_

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace levelfield {

// "100", "4k", "1KiB", "64MB", "1.5G": k, M, G, T, P are powers of 1024, as in every engine's own
// manual, also with B or iB behind them.
StatusOr<uint64_t> ParseBytes(std::string_view text);

// "10000", "10k", "2.5M", "1e6": k, M, G, T, P are powers of 1000. What comes out is whole.
StatusOr<uint64_t> ParseCount(std::string_view text);

// "30", "30s", "5m", "500ms", "1.5h": seconds, finite, and at most kLongestSeconds.
StatusOr<double> ParseSeconds(std::string_view text);

// 0/1, false/true, no/yes, off/on, in any case.
StatusOr<bool> ParseFlag(std::string_view text);

// As people type it: "256M", in bytes if it is no whole number of units.
std::string TypedBytes(uint64_t bytes);

// Thirty years: in nanoseconds it still fits 64 bits with room for sums.
inline constexpr double kLongestSeconds = 1e9;

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UNITS_H_
