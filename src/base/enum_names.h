// Enums whose values have names: in results, in messages between our processes, in tables. The
// names stand in one table beside the enum, and all that writes or reads one goes by it:
//
//   enum class Fruit { kApple, kPear };
//   inline constexpr EnumName<Fruit> kFruitNames[] = {{Fruit::kApple, "apple"},
//                                                     {Fruit::kPear, "pear"}};
//   constexpr std::span<const EnumName<Fruit>> NamesOf(Fruit) { return kFruitNames; }
//
// Nothing decides by comparing a name. Pure.
#ifndef LEVELFIELD_BASE_ENUM_NAMES_H_
#define LEVELFIELD_BASE_ENUM_NAMES_H_

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace levelfield {

template <class Enum>
using EnumName = std::pair<Enum, std::string_view>;

template <class Enum>
concept NamedEnum = std::is_enum_v<Enum> &&
                    requires(Enum value) { std::span<const EnumName<Enum>>(NamesOf(value)); };

// In any table of names: an enum of C's has no table of its own.
template <class Value>
constexpr std::string_view NameIn(std::span<const EnumName<Value>> names, Value value) {
  for (const auto& [its_value, name] : names) {
    if (its_value == value) return name;
  }
  return "unknown";
}
template <class Value>
constexpr std::optional<Value> ValueIn(std::span<const EnumName<Value>> names,
                                       std::string_view its_name) {
  for (const auto& [value, name] : names) {
    if (name == its_name) return value;
  }
  return std::nullopt;
}

template <NamedEnum Enum>
constexpr std::string_view NameOf(Enum value) {
  return NameIn<Enum>(NamesOf(value), value);
}

// Nothing if no value has that name.
template <NamedEnum Enum>
constexpr std::optional<Enum> FromName(std::string_view name) {
  return ValueIn<Enum>(NamesOf(Enum{}), name);
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_ENUM_NAMES_H_
