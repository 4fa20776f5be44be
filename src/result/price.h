// What the harness costs by itself: an operation of a floor engine, which does nothing (null) or
// next to nothing (memory). Pure.
#ifndef LEVELFIELD_RESULT_PRICE_H_
#define LEVELFIELD_RESULT_PRICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levelfield {

struct PhaseResult;
struct Result;

// The floors that are one: nothing at all, and the least that an ordered map costs.
inline constexpr std::string_view kPriceEngines[] = {"null", "memory"};

struct Price {
  std::string engine;   // "null", "memory".
  uint64_t keys = 0;    // That its store had.
  double clock_ns = 0;  // Of the two readings around each operation; 0: not known, or not read.
  // Of one operation of one thread of the first role, by workload.
  std::vector<std::pair<std::string, double>> workload_ns;

  bool operator==(const Price&) const = default;
};

std::optional<double> NsOf(const Price& price, std::string_view workload);

// What an operation of the phase's first role took one thread; nothing for what ran no threads on a
// store, or did so little that the first touch of everything is most of its time.
std::optional<double> OperationNs(const PhaseResult& phase);

// Those that were measured for the result, and those that its own floors are.
std::vector<Price> PricesOf(const Result& result);

// A phase of an engine takes less than this many times the price of null: the harness is a good
// part of its figure.
inline constexpr double kLeastTimesPrice = 5;

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_PRICE_H_
