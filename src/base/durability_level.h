// The levels of durability: what becomes of an acknowledged write. Plain data.
#ifndef LEVELFIELD_BASE_DURABILITY_LEVEL_H_
#define LEVELFIELD_BASE_DURABILITY_LEVEL_H_

#include <span>
#include <string_view>

#include "base/enum_names.h"

namespace levelfield {

// In their order: what a higher one survives includes what a lower one does.
enum class DurabilityLevel {
  kNone,  // There is no store, or no level was seen.
  kD0,
  kD1,
  kD2,
  kD3,
  kD4,
  kNotKnown,  // Of a store whose class nobody recorded.
};

inline constexpr EnumName<DurabilityLevel> kDurabilityLevelNames[] = {
    {DurabilityLevel::kNone, ""},
    {DurabilityLevel::kD0, "D0"},
    {DurabilityLevel::kD1, "D1"},
    {DurabilityLevel::kD2, "D2"},
    {DurabilityLevel::kD3, "D3"},
    {DurabilityLevel::kD4, "D4"},
    {DurabilityLevel::kNotKnown, "not known"},
};
constexpr std::span<const EnumName<DurabilityLevel>> NamesOf(DurabilityLevel) {
  return kDurabilityLevelNames;
}

// What becomes of a write.
inline constexpr EnumName<DurabilityLevel> kFates[] = {
    {DurabilityLevel::kD0, "may be lost by kill -9"},
    {DurabilityLevel::kD1, "survives kill -9"},
    {DurabilityLevel::kD2, "survives kill -9; a power cut may break the store"},
    {DurabilityLevel::kD3, "survives kill -9; a power cut may take the last"},
    {DurabilityLevel::kD4, "survives a power cut"},
};

constexpr std::string_view FateOf(DurabilityLevel level) {
  return NameIn<DurabilityLevel>(kFates, level);
}

// D2, D3 and D4 mean that each commit is flushed before it is acknowledged.
constexpr bool IsLevelOfFlushes(DurabilityLevel level) {
  return level == DurabilityLevel::kD2 || level == DurabilityLevel::kD3 ||
         level == DurabilityLevel::kD4;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_DURABILITY_LEVEL_H_
