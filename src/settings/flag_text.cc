#include "settings/flag_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace levelfield {
namespace {

// An indented paragraph.
std::string Indented(const std::string& text) {
  constexpr size_t kIndent = 8;
  constexpr size_t kColumns = 93;
  return Wrapped(std::string(kIndent, ' ') + text, kIndent, kColumns);
}

}  // namespace

std::string DefaultOf(const Flag& flag, const Settings& defaults) {
  const std::string text = TextOf(flag, defaults);
  return !text.empty() ? text : flag.engine_option ? "the engine's own" : "";
}

std::string_view UnitOf(const Flag& flag) {
  constexpr std::string_view kUnits[] = {"text", "count", "bytes", "seconds", "share", "0 or 1"};
  return kUnits[static_cast<size_t>(flag.kind)];
}

std::string ByGroup(std::span<const Flag* const> flags,
                    const std::function<std::string(std::string_view group)>& heading,
                    const std::function<std::string(const Flag& flag)>& item) {
  std::string text;
  std::string_view group;
  for (const Flag* const flag : flags) {
    if (flag->group != group) text += heading(flag->group);
    group = flag->group;
    text += item(*flag);
  }
  return text;
}

std::vector<const Flag*> AllFlags() {
  std::vector<const Flag*> all;
  for (const Flag& flag : Flags()) all.push_back(&flag);
  return all;
}

std::string InOneLine(const Flag& flag, const Settings& defaults) {
  constexpr size_t kColumns = 100;
  const std::string value = DefaultOf(flag, defaults);
  std::string line =
      fmt::format("  {:26} ", fmt::format("--{}={}", flag.name, value.size() > 12 ? "..." : value));
  const size_t room = kColumns - std::min(kColumns, line.size());
  const std::string text = std::string(flag.help) + " ";
  for (const char* const end : {". ", ": ", "; ", ", "}) {
    const size_t at = text.rfind(end, room);
    if (at != text.npos) return line.append(text, 0, at) + "\n";
  }
  return line.append(text, 0, text.rfind(' ', room)) + "\n";  // A long sentence ends at a word.
}

std::string FlagLines(std::span<const Flag* const> flags, const Settings& defaults) {
  return ByGroup(
      flags, [](std::string_view group) { return fmt::format("\n{}:\n", group); },
      [&](const Flag& flag) {
        const std::string value = DefaultOf(flag, defaults);
        std::string text =
            fmt::format("  --{}={}\n{}", flag.name, value.size() > 60 ? "..." : value,
                        Indented(std::string(flag.help)));
        if (!flag.is_closed()) return text;
        return text + Indented(fmt::format("One of: {}", fmt::join(ChoicesOf(flag), ", ")));
      });
}

std::string FlagsHelp(std::span<const Flag* const> flags, const Settings& defaults) {
  std::string text = FlagLines(flags, defaults) + "\n";
  if (std::ranges::any_of(flags, &Flag::engine_option)) {
    text +=
        "An engine's own option is written --<engine>.<option>=, for example "
        "--rocksdb.max_background_jobs=4.\n`levelfield docs engines` lists them.\n";
  }
  return text +
         "Sizes take k, M, G (of 1024, also as KB or KiB), counts take k, M, G (of 1000) or 1e6, times\n"
         "take ms, s, m, h.\n";
}

std::string FlagsMarkdown() {
  return "# Flags\n\nFor looking up a flag. Made by `levelfield docs flags`.\n" +
         ByGroup(
             AllFlags(),
             [](std::string_view group) {
               return fmt::format(
                   "\n## {}\n\n| flag | takes | default | meaning |\n| --- | --- | --- | --- |\n",
                   group);
             },
             [](const Flag& flag) {
               const std::string value = DefaultOf(flag);
               return fmt::format("| `--{}` | {} | {} | {} |\n", flag.name,
                                  flag.is_closed()
                                      ? fmt::format("`{}`", fmt::join(ChoicesOf(flag), "`, `"))
                                      : std::string(UnitOf(flag)),
                                  value.empty() ? "" : "`" + value + "`", flag.help);
             }) +
         "\n## Options of one engine\n\n`--<engine>.<option>=value`. [engines.md](engines.md) "
         "lists them.\n";
}

}  // namespace levelfield
