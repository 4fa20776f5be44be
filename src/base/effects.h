// What an operation does to a store. Each operation says it in its own file
// (operations/x.cc), and results keep it with each statistic. Plain data.
#ifndef LEVELFIELD_BASE_EFFECTS_H_
#define LEVELFIELD_BASE_EFFECTS_H_

#include <cstdint>
#include <span>

#include "base/enum_names.h"

namespace levelfield {

enum class Effect : uint8_t {
  kReads = 1,    // It asks for entries.
  kWrites = 2,   // It puts values.
  kErases = 4,   // It erases entries, of which there may be none.
  kCommits = 8,  // What it writes and erases is acknowledged, not rolled back.
};

// Their names in results.
inline constexpr EnumName<Effect> kEffectNames[] = {
    {Effect::kReads, "reads"},
    {Effect::kWrites, "writes"},
    {Effect::kErases, "erases"},
    {Effect::kCommits, "commits"},
};
constexpr std::span<const EnumName<Effect>> NamesOf(Effect) { return kEffectNames; }

// A set of them. There is no default: whoever has an operation has to say.
class Effects {
 public:
  constexpr Effects(Effect effect)  // NOLINT(google-explicit-constructor): a set of one.
      : bits_(static_cast<uint8_t>(effect)) {}
  static constexpr Effects None() { return Effects(uint8_t{0}); }

  constexpr bool Has(Effect effect) const { return (bits_ & static_cast<uint8_t>(effect)) != 0; }
  constexpr Effects operator|(Effects other) const {
    return Effects(static_cast<uint8_t>(bits_ | other.bits_));
  }
  constexpr bool operator==(const Effects&) const = default;

 private:
  constexpr explicit Effects(uint8_t bits) : bits_(bits) {}
  uint8_t bits_;
};

constexpr Effects operator|(Effect a, Effects b) { return Effects(a) | b; }

// Writes and nothing else, erasures and nothing else, and changes of what was read.
inline constexpr Effects kPuts = Effect::kWrites | Effect::kCommits;
inline constexpr Effects kErasures = Effect::kErases | Effect::kCommits;
inline constexpr Effects kChanges = Effect::kReads | kPuts;

// What an operation looks up, if each is one look and nothing else.
enum class Lookup : uint8_t {
  kNone,   // None: it writes, goes on in the order, or does several things.
  kKey,    // A key.
  kPlace,  // The first entry at a key or behind it.
};
inline constexpr EnumName<Lookup> kLookupNames[] = {
    {Lookup::kNone, "none"},
    {Lookup::kKey, "key"},
    {Lookup::kPlace, "place"},
};
constexpr std::span<const EnumName<Lookup>> NamesOf(Lookup) { return kLookupNames; }

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_EFFECTS_H_
