#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace levelfield {
namespace {

constexpr std::string_view kBytesAccepted =
    "write bytes as 4096, 64k, 64M, 1.5G or 1KiB (k, M, G, T, P and KiB are powers of 1024)";
constexpr std::string_view kCountAccepted =
    "write a whole number as 10000, 10k, 2.5M or 1e6 (k, M, G, T, P are powers of 1000)";
constexpr std::string_view kSecondsAccepted =
    "write a time as 30, 30s, 500ms, 5m or 1.5h (units: ns, us, ms, s, m, h, d)";
constexpr std::string_view kFlagAccepted = "write 0 or 1, no or yes, off or on, false or true";

Status Refuse(std::string_view what, std::string_view accepted) {
  return Status::Usage(std::string(what) + "; " + std::string(accepted));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (Lower(a[i]) != Lower(b[i])) return false;
  }
  return true;
}

// digits * 10^exponent, exact.
struct Decimal {
  uint64_t digits = 0;
  int exponent = 0;
  bool too_long = false;  // More digits than 64 bits hold.
};

// Takes a decimal number off the front of `text`; false if there is none. An "e" without digits
// after it stays, as a unit to be refused.
bool TakeDecimal(std::string_view& text, Decimal& decimal) {
  size_t at = 0;
  size_t digit_count = 0;
  const auto take_digits = [&](int exponent_step) {
    for (; at < text.size() && IsDigit(text[at]); ++at, ++digit_count) {
      const auto digit = static_cast<uint64_t>(text[at] - '0');
      decimal.too_long |= __builtin_mul_overflow(decimal.digits, uint64_t{10}, &decimal.digits);
      decimal.too_long |= __builtin_add_overflow(decimal.digits, digit, &decimal.digits);
      decimal.exponent += exponent_step;
    }
  };
  take_digits(0);
  if (at < text.size() && text[at] == '.') {
    ++at;
    take_digits(-1);
  }
  if (digit_count == 0) return false;
  if (at < text.size() && Lower(text[at]) == 'e') {
    size_t digits_at = at + 1;
    if (digits_at < text.size() && (text[digits_at] == '+' || text[digits_at] == '-')) ++digits_at;
    // from_chars knows no plus sign.
    const size_t from = text[at + 1 < text.size() ? at + 1 : at] == '+' ? at + 2 : at + 1;
    int exponent = 0;
    if (digits_at < text.size() && IsDigit(text[digits_at])) {
      const auto [end, error] =
          std::from_chars(text.data() + from, text.data() + text.size(), exponent);
      // Beyond this only zero stays whole and in range, and the loops below stay short.
      if (error != std::errc() || exponent > 100 || exponent < -100) decimal.too_long = true;
      if (!decimal.too_long) decimal.exponent += exponent;
      at = static_cast<size_t>(end - text.data());
    }
  }
  text.remove_prefix(at);
  return true;
}

// The power of the unit's base that `unit` stands for, or -1.
int UnitPower(std::string_view unit, bool binary) {
  constexpr std::string_view kLetters = "kmgtp";
  if (unit.empty()) return 0;
  if (binary && EqualsIgnoringCase(unit, "b")) return 0;
  const size_t letter = kLetters.find(Lower(unit.front()));
  if (letter == std::string_view::npos) return -1;
  unit.remove_prefix(1);
  if (!unit.empty() && !(binary && EqualsIgnoringCase(unit, "ib"))) return -1;
  return static_cast<int>(letter) + 1;
}

StatusOr<uint64_t> ParseWhole(std::string_view text, bool binary, std::string_view noun,
                              std::string_view accepted) {
  if (text.empty()) return Refuse("nothing is given", accepted);
  if (text.front() == '-') return Refuse(std::string(noun) + " cannot be negative", accepted);
  Decimal decimal;
  if (!TakeDecimal(text, decimal)) return Refuse("this is not " + std::string(noun), accepted);
  // To some a KB has 1,000 bytes, to others 1,024.
  if (binary && text.size() == 2 && Lower(text[1]) == 'b' &&
      UnitPower(text.substr(0, 1), true) > 0) {
    return Refuse(std::string(text) + " may mean 1000 or 1024: say " + std::string(1, text[0]) +
                      " or " + std::string(1, text[0]) + "iB for powers of 1024",
                  accepted);
  }
  const int power = UnitPower(text, binary);
  if (power < 0) return Refuse("this is not " + std::string(noun), accepted);
  const Status too_large = Refuse("this is more than 18446744073709551615", accepted);
  if (decimal.too_long) return too_large;

  // 64 bits of digits times at most 1024^5 fit 128 bits, so the unit costs no precision.
  unsigned __int128 value = decimal.digits;
  for (int i = 0; i < power; ++i) value *= binary ? 1024u : 1000u;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  for (; decimal.exponent > 0 && value != 0; --decimal.exponent) {
    if (value > kMost) return too_large;
    value *= 10u;
  }
  for (; decimal.exponent < 0 && value != 0; ++decimal.exponent) {
    if (value % 10u != 0) return Refuse("this is not a whole number", accepted);
    value /= 10u;
  }
  if (value > kMost) return too_large;
  return static_cast<uint64_t>(value);
}

}  // namespace

StatusOr<uint64_t> ParseBytes(std::string_view text) {
  return ParseWhole(text, true, "a number of bytes", kBytesAccepted);
}

StatusOr<uint64_t> ParseCount(std::string_view text) {
  return ParseWhole(text, false, "a count", kCountAccepted);
}

StatusOr<double> ParseSeconds(std::string_view text) {
  if (text.empty()) return Refuse("nothing is given", kSecondsAccepted);
  if (text.front() == '-') return Refuse("a time cannot be negative", kSecondsAccepted);
  // from_chars would take "nan" and "inf".
  if (!IsDigit(text.front()) && text.front() != '.') {
    return Refuse("this is not a time", kSecondsAccepted);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) return Refuse("this is not a time", kSecondsAccepted);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  constexpr std::array<std::pair<std::string_view, double>, 8> kUnits{{{"", 1},
                                                                       {"ns", 1e-9},
                                                                       {"us", 1e-6},
                                                                       {"ms", 1e-3},
                                                                       {"s", 1},
                                                                       {"m", 60},
                                                                       {"h", 3600},
                                                                       {"d", 86400}}};
  for (const auto& [unit, seconds] : kUnits) {
    if (text != unit) continue;
    if (error != std::errc() || !std::isfinite(number) || number * seconds > kLongestSeconds) {
      return Refuse("this is out of range (at most 1e9 seconds)", kSecondsAccepted);
    }
    return number * seconds;
  }
  return Refuse("this is not a time", kSecondsAccepted);
}

StatusOr<bool> ParseFlag(std::string_view text) {
  for (const std::string_view yes : {"1", "true", "t", "yes", "y", "on"}) {
    if (EqualsIgnoringCase(text, yes)) return true;
  }
  for (const std::string_view no : {"0", "false", "f", "no", "n", "off"}) {
    if (EqualsIgnoringCase(text, no)) return false;
  }
  return Refuse(text.empty() ? "nothing is given" : "this is neither yes nor no", kFlagAccepted);
}

std::string TypedBytes(uint64_t bytes) {
  constexpr std::pair<int, char> kUnits[] = {{40, 'T'}, {30, 'G'}, {20, 'M'}, {10, 'k'}};
  for (const auto& [shift, unit] : kUnits) {
    if (bytes != 0 && bytes % (uint64_t{1} << shift) == 0) {
      return std::to_string(bytes >> shift) + unit;
    }
  }
  return std::to_string(bytes);
}

}  // namespace levelfield
