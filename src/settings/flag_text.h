// Flags as people read them, at a terminal. Pure.
#ifndef LEVELFIELD_SETTINGS_FLAG_TEXT_H_
#define LEVELFIELD_SETTINGS_FLAG_TEXT_H_

#include <span>
#include <string>
#include <string_view>

#include "settings/settings.h"

namespace levelfield {

// The default as people would type it; empty where there is none.
std::string DefaultOf(const Flag& flag);

// What a value is: "text", "count", ...
std::string_view UnitOf(Flag::Kind kind);

// Some of the flags, by group.
std::string FlagsHelp(std::span<const Flag* const> flags);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_FLAG_TEXT_H_
