#include "analysis/findings/remark.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/number.h"
#include "base/text.h"

namespace levelfield {
namespace {

// A test compiles this file once more, with other words (tests/cases/reworded.case).
#ifdef LEVELFIELD_REWORDED
#define LEVELFIELD_WORDS(words) (std::string_view(words).size() < 2 ? words : LEVELFIELD_REWORDED)
#else
#define LEVELFIELD_WORDS(words) words
#endif

constexpr RemarkRow kRows[] = {
#define LEVELFIELD_REMARK(kind, name, tone, mark, item, group, screen, report)                   \
  {RemarkKind::kind,        name, RemarkTone::tone, mark, item, group, LEVELFIELD_WORDS(screen), \
   LEVELFIELD_WORDS(report)},
#include "analysis/findings/remarks.inc"
#undef LEVELFIELD_REMARK
};

constexpr EnumName<RemarkKind> kKindNames[] = {
#define LEVELFIELD_REMARK(kind, name, ...) {RemarkKind::kind, name},
#include "analysis/findings/remarks.inc"
#undef LEVELFIELD_REMARK
};

// What stands for a name in a sentence. Nothing: it is not known.
using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

enum class Unknown { kSilences, kLeavesAGap };

// Where the section that begins there ends: sections may hold others.
size_t EndOfSection(std::string_view sentence, size_t at) {
  for (int depth = 1;; at += 2) {
    at = sentence.find_first_of("[]", at);
    depth += sentence[at] == '[' ? 1 : -1;
    if (depth == 0) return at;
  }
}

// The sentence with its names replaced. What is not known silences a section, and the whole
// sentence if asked so.
std::optional<std::string> Filled(std::string_view sentence, const Lookup& lookup,
                                  Unknown unknown = Unknown::kSilences) {
  std::string words;
  while (!sentence.empty()) {
    const size_t at = std::min(sentence.find('{'), sentence.find("[["));
    words += sentence.substr(0, at);
    if (at == sentence.npos) break;
    const bool is_section = sentence[at] == '[';
    const size_t begin = at + (is_section ? 2 : 1);
    const size_t end = is_section ? EndOfSection(sentence, begin) : sentence.find('}', begin);
    const std::string_view inner = sentence.substr(begin, end - begin);
    if (is_section) {
      words += Filled(inner, lookup).value_or("");
    } else {
      const std::optional<std::string> value = lookup(inner);
      if (!value && unknown == Unknown::kSilences) return std::nullopt;
      words += value.value_or("");
    }
    sentence.remove_prefix(end + (is_section ? 2 : 1));
  }
  return words;
}

std::optional<std::string> Named(std::string_view name, const std::vector<RemarkNumber>& numbers,
                                 const RemarkTexts& texts) {
  const auto number = std::ranges::find(numbers, name, &RemarkNumber::name);
  if (number != numbers.end()) return InWords(*number);
  for (const auto& [text_name, text] : texts) {
    if (text_name == name && !text.empty()) return text;
  }
  return std::nullopt;
}

std::optional<std::string> KnownOnly(std::string names) {
  return names.empty() ? std::nullopt : std::optional(std::move(names));
}

// "81 % in syncs, 14 % computing": each share by its name. Nothing if there are none.
std::optional<std::string> SharesOf(const RemarkCase& one) {
  std::vector<std::string> shares;
  for (const RemarkNumber& number : one.numbers) {
    if (number.unit != RemarkUnit::kShare) continue;
    std::string name(number.name);
    std::ranges::replace(name, '_', ' ');
    shares.push_back(InWords(number) + " " + name);
  }
  return shares.empty() ? std::nullopt : std::optional(Joined(shares, ", "));
}

std::string ItemWords(const RemarkRow& row, const RemarkCase& one) {
  return Filled(row.item,
                [&](std::string_view name) -> std::optional<std::string> {
                  if (name == "shares") return SharesOf(one);
                  const std::string& own = name == "engine" ? one.engine : one.workload;
                  if (name != "engine" && name != "workload")
                    return Named(name, one.numbers, one.texts);
                  return KnownOnly(own);
                })
      .value_or("");
}

std::vector<std::string> ItemsOf(const RemarkRow& row,
                                 const std::vector<const RemarkCase*>& cases) {
  std::vector<std::string> items;
  for (const RemarkCase* const one : cases) {
    if (std::string words = ItemWords(row, *one); !words.empty()) AddOnce(items, std::move(words));
  }
  return items;
}

std::vector<std::string> GroupsOf(const RemarkRow& row, const Remark& remark) {
  std::vector<std::string> groups;
  for (const std::string& workload : remark.Workloads()) {
    std::vector<const RemarkCase*> cases;
    for (const RemarkCase& one : remark.cases) {
      if (one.workload == workload) cases.push_back(&one);
    }
    const std::vector<std::string> items = ItemsOf(row, cases);
    groups.push_back(Filled(row.group, [&](std::string_view name) -> std::optional<std::string> {
                       if (name == "workload") return workload;
                       return items.empty() ? std::nullopt : std::optional(Listed(items));
                     }).value_or(""));
  }
  return groups;
}

std::string WordsOf(const Remark& remark, std::string_view sentence) {
  const RemarkRow& row = RowOf(remark.kind);
  const auto lookup = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "engines") return KnownOnly(Listed(remark.Engines()));
    if (name == "workloads") return KnownOnly(Listed(remark.Workloads()));
    if (name == "groups") return Listed(GroupsOf(row, remark));
    if (name == "parts") return Joined(GroupsOf(row, remark), "; ");
    std::vector<const RemarkCase*> cases;
    for (const RemarkCase& one : remark.cases) cases.push_back(&one);
    if (name == "items") return Listed(ItemsOf(row, cases));
    if (name == "list") return Joined(ItemsOf(row, cases), ", ");
    if (name == "apart") return Joined(ItemsOf(row, cases), "; ");
    return Named(name, remark.numbers, remark.texts);
  };
  // A name that somebody else chose may be empty.
  return Filled(sentence, lookup, Unknown::kLeavesAGap).value_or("");
}

std::vector<std::string> NamesIn(const Remark& remark, std::string RemarkCase::*name) {
  std::vector<std::string> names;
  for (const RemarkCase& one : remark.cases) {
    if (!(one.*name).empty()) AddOnce(names, one.*name);
  }
  return names;
}

}  // namespace

std::vector<std::string> Remark::Engines() const { return NamesIn(*this, &RemarkCase::engine); }
std::vector<std::string> Remark::Workloads() const { return NamesIn(*this, &RemarkCase::workload); }

const RemarkRow& RowOf(RemarkKind kind) { return kRows[static_cast<size_t>(kind)]; }

std::span<const EnumName<RemarkKind>> NamesOf(RemarkKind) { return kKindNames; }

std::string ScreenWords(const Remark& remark) { return WordsOf(remark, RowOf(remark.kind).screen); }

std::string ReportWords(const Remark& remark) {
  const RemarkRow& row = RowOf(remark.kind);
  if (row.report == kElsewhere) return "";
  return WordsOf(remark, row.report.empty() ? row.screen : row.report);
}

std::string InWords(const RemarkNumber& number) {
  switch (number.unit) {
    case RemarkUnit::kCount:
      return Grouped(Whole(number.value));
    case RemarkUnit::kKeys:
      return Grouped(Whole(number.value)) + (number.value == 1 ? " key" : " keys");
    case RemarkUnit::kRounds:
      return Plural(Whole(number.value), "round");
    case RemarkUnit::kFigures:
      return Plural(Whole(number.value), "figure");
    case RemarkUnit::kRows:
      return Plural(Whole(number.value), "row");
    case RemarkUnit::kShare:
      return number.value == 0 || number.value >= 0.01
                 ? fmt::format("{:.0f} %", 100 * number.value)
                 : fmt::format("{:.2g} %", 100 * number.value);
    case RemarkUnit::kTimes:
      return fmt::format("{:.0f}", number.value);
    case RemarkUnit::kPerSecond:
      return Rate(number.value);
    case RemarkUnit::kSeconds:
      return fmt::format("{:.1f} s", number.value);
    case RemarkUnit::kNanoseconds:
      return Latency(Whole(number.value + 0.5));
    case RemarkUnit::kBytes:
      return Size(Whole(number.value));
    case RemarkUnit::kKilobytes:
      return fmt::format("{} KB", Whole(number.value));
  }
  return "";
}

}  // namespace levelfield
