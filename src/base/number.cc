#include "base/number.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/text.h"

namespace levelfield {
namespace {

struct Scale {
  double size;
  const char* name;
};

// Three significant digits in the largest unit that leaves at least one digit before the point.
// 999.6 of a unit would print as 1000, so it is in the next unit.
std::string InUnits(double value, std::span<const Scale> units) {
  for (const Scale& unit : units) {
    const double scaled = value / unit.size;
    if (scaled < 0.9995 && &unit != &units.back()) continue;
    const int decimals = scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}{}{}", scaled, decimals, *unit.name != '\0' ? " " : "", unit.name);
  }
  return "";
}

}  // namespace

uint64_t Whole(double figure) {
  if (!(figure > 0)) return 0;  // Also catches NaN.
  return figure < 0x1p64 ? static_cast<uint64_t>(figure) : std::numeric_limits<uint64_t>::max();
}

std::string Rate(double per_second) {
  if (!std::isfinite(per_second) || per_second < 0) return "n/a";
  constexpr std::array<Scale, 4> kUnits{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  return InUnits(per_second, kUnits);
}

std::string Latency(uint64_t nanoseconds) {
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  constexpr std::array<Scale, 3> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  return InUnits(static_cast<double>(nanoseconds), kUnits);
}

std::string Size(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<Scale, 4> kUnits{{{1024.0 * 1024 * 1024 * 1024, "TiB"},
                                         {1024.0 * 1024 * 1024, "GiB"},
                                         {1024.0 * 1024, "MiB"},
                                         {1024.0, "KiB"}}};
  return InUnits(static_cast<double>(bytes), kUnits);
}

std::string Grouped(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string GroupedText(const std::string& text) {
  const std::optional<uint64_t> count = Digits(text);
  return count ? Grouped(*count) : text;
}

std::string Times(double ratio) {
  return ratio < 0.01 ? fmt::format("{:.2g}x", ratio) : fmt::format("{:.2f}x", ratio);
}

std::string Percent(double share) { return fmt::format("{:.0f} %", share * 100); }

std::string Significant(double value) {
  if (!std::isfinite(value) || value < 0) return "n/a";
  if (value == 0) return "0";
  if (value < 1e-9 || value >= 1e15) return fmt::format("{:.2e}", value);
  const int places = 2 - static_cast<int>(std::floor(std::log10(value)));
  if (places > 0) return fmt::format("{:.{}f}", value, places);
  const double unit = std::pow(10.0, -places);
  return Grouped(static_cast<uint64_t>(std::llround(value / unit) * std::llround(unit)));
}

}  // namespace levelfield
