// Flags as people read them: the help at a terminal, and docs/generated/flags.md. Pure.
#ifndef LEVELFIELD_SETTINGS_FLAG_TEXT_H_
#define LEVELFIELD_SETTINGS_FLAG_TEXT_H_

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.h"

namespace levelfield {

// The default as people would type it, which is the flag's value in `defaults`. Empty: none.
std::string DefaultOf(const Flag& flag, const Settings& defaults = {});

// The kind of value: "text", "count", ...
std::string_view UnitOf(const Flag& flag);

std::vector<const Flag*> AllFlags();

// An item for each flag, under the headings of the groups.
std::string ByGroup(std::span<const Flag* const> flags,
                    const std::function<std::string(std::string_view group)>& heading,
                    const std::function<std::string(const Flag& flag)>& item);

// "  --num=1000000    Keys in the store.": as much of the help as fits, to the end of a clause.
std::string InOneLine(const Flag& flag, const Settings& defaults = {});
std::string FlagLines(std::span<const Flag* const> flags, const Settings& defaults = {});
// The same, and how to write values and options of engines.
std::string FlagsHelp(std::span<const Flag* const> flags, const Settings& defaults = {});
std::string FlagsMarkdown();

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_FLAG_TEXT_H_
