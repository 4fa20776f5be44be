#include "engine/table_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <string>

#include "base/quote.h"
#include "base/text.h"
#include "engine/options.h"

namespace levelfield {
namespace {

constexpr size_t kRequiredBytes = offsetof(lf_engine, compact) + sizeof(lf_engine::compact);
// Ten times the present size. A larger table is garbage, not a newer version.
constexpr size_t kMostBytes = 10 * sizeof(lf_engine);
constexpr size_t kMostRows = 512;
constexpr size_t kLongestTableText = 4096;

// The number in an enum of the plug-in, which need not be a value of that enum.
template <class Enum>
int NumberIn(const Enum& value) {
  int number = 0;
  static_assert(sizeof(number) == sizeof(value));
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

// Collects the first refusal, so that the checks below read like a list.
class Checker {
 public:
  explicit Checker(std::string_view file) : file_(file) {}

  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }

  void Require(bool holds, const std::string& member, std::string_view what) {
    if (!ok() || holds) return;
    status_ = Status::Failed(file_ + ": " + member + " " + std::string(what) +
                             "; the plug-in does not fit include/levelfield/engine_abi.h");
  }

  // Returns false once anything is wrong, so that a caller only reads on after true.
  bool Text(const std::string& member, const char* text, size_t longest = kLongestTableText) {
    Require(text != nullptr, member, "is null");
    if (!ok()) return false;
    const size_t length = strnlen(text, longest + 1);
    Require(length > 0, member, "is empty");
    Require(length <= longest, member,
            "is longer than " + std::to_string(longest) + " bytes or does not end");
    Require(ok() && Printable({text, length}) == std::string_view(text, length), member,
            "holds a control character or broken UTF-8");
    return ok();
  }

  bool Name(const std::string& member, const char* text) {
    if (!Text(member, text, kLongestEngineName)) return false;
    Require(std::ranges::all_of(std::string_view(text), IsEngineNameCharacter), member,
            "is " + Quote(text) + "; a name is made of a-z, 0-9 and _");
    return ok();
  }

 private:
  std::string file_;
  Status status_ = Status::Ok();
};

void CheckChoices(Checker& check, const std::string& member, const lf_option& option) {
  if (!check.Text(member + ".choices", option.choices)) return;
  std::set<std::string_view> seen;
  ForEachChoice(option.choices, [&](std::string_view choice) {
    check.Require(!choice.empty(), member + ".choices", "has an empty choice");
    check.Require(seen.insert(choice).second, member + ".choices",
                  "has " + Quote(choice) + " twice");
  });
}

void CheckOption(Checker& check, const std::string& member, const lf_option& option) {
  const int kind = NumberIn(option.kind);
  check.Require(kind >= LF_BYTES && kind <= LF_ABSENT, member + ".kind",
                "is " + std::to_string(kind) + ", which is none");
  if (!check.ok()) return;
  check.Text(member + ".help", option.help);
  // Absent options need no texts for people.
  if (option.kind != LF_ABSENT || option.default_value != nullptr) {
    check.Text(member + ".default_value", option.default_value);
  }
  if (check.ok() && option.kind == LF_CHOICE) CheckChoices(check, member, option);
  for (const CommonOption& common : kCommonOptions) {
    if (!check.ok() || common.name != option.name) continue;
    check.Require(option.kind == common.kind || option.kind == LF_ABSENT, member + ".kind",
                  "is not the kind that this common option has, nor LF_ABSENT");
  }
}

void CheckOptions(Checker& check, const lf_option* options) {
  std::set<std::string_view> seen;
  for (size_t i = 0; check.ok() && options[i].name != nullptr; ++i) {
    check.Require(i < kMostRows, "options", "does not end within 512 rows");
    const std::string row = "options[" + std::to_string(i) + "]";
    if (!check.ok() || !check.Name(row + ".name", options[i].name)) return;
    const std::string_view name = options[i].name;
    check.Require(seen.insert(name).second, row + ".name", "repeats " + Quote(name));
    CheckOption(check, "option " + std::string(name), options[i]);
  }
  for (const CommonOption& common : kCommonOptions) {
    check.Require(seen.contains(common.name), "options",
                  "does not answer the common option " + Quote(common.name) +
                      " (LF_ABSENT with the reason, where the engine has no such part)");
  }
}

void CheckDurabilities(Checker& check, const lf_durability* durabilities) {
  std::set<std::string_view> seen;
  for (size_t i = 0; check.ok() && durabilities[i].name != nullptr; ++i) {
    check.Require(i < kMostRows, "durabilities", "does not end within 512 rows");
    const std::string row = "durabilities[" + std::to_string(i) + "]";
    if (!check.ok() || !check.Name(row + ".name", durabilities[i].name)) return;
    check.Require(seen.insert(durabilities[i].name).second, row + ".name",
                  "repeats " + Quote(durabilities[i].name));
    const int level = NumberIn(durabilities[i].level);
    check.Require(level >= LF_D0_NONE && level <= LF_REFUSED, row + ".level",
                  "is " + std::to_string(level) + ", which is none");
    check.Text(row + ".settings", durabilities[i].settings);
  }
  for (const std::string_view name : kDurabilityClasses) {
    check.Require(seen.contains(name), "durabilities",
                  "does not answer the class " + Quote(name) +
                      " (LF_REFUSED with the reason, where the engine has none)");
  }
}

void CheckProperties(Checker& check, const char* const* properties) {
  for (size_t i = 0; check.ok() && properties[i] != nullptr; ++i) {
    check.Require(i < kMostRows, "properties", "does not end within 512 rows");
    check.Text("properties[" + std::to_string(i) + "]", properties[i], 256);
  }
}

void CheckAlternatives(Checker& check, const lf_engine& table) {
  const auto has_option = [&](const std::string& name) {
    const lf_option* option = table.options;
    while (option->name != nullptr && option->name != name) ++option;
    return option->name != nullptr || (table.capabilities & LF_MORE_OPTIONS) != 0;
  };
  for (size_t i = 0; check.ok() && table.alternatives[i].name != nullptr; ++i) {
    check.Require(i < kMostRows, "alternatives", "does not end within 512 rows");
    const lf_alternative& row = table.alternatives[i];
    const std::string member = "alternatives[" + std::to_string(i) + "]";
    if (!check.ok() || !check.Name(member + ".name", row.name) ||
        !check.Text(member + ".settings", row.settings) ||
        !check.Text(member + ".classes", row.classes) ||
        !check.Text(member + ".because", row.because) || !check.Text(member + ".link", row.link)) {
      return;
    }
    check.Require(std::string_view(row.link).starts_with("http"), member + ".link",
                  "is " + Quote(row.link) + ", which leads nowhere");
    const AlternativeDescription described{row.name, row.settings, row.classes, "", ""};
    for (const auto& [name, value] : described.Options()) {
      check.Require(has_option(name) && !value.empty(), member + ".settings",
                    "has " + Quote(name) + ", which is no option with a value");
    }
    for (const std::string& name : Split(row.classes, ',')) {
      check.Require(std::ranges::find(kDurabilityClasses, name) != kDurabilityClasses.end(),
                    member + ".classes", "has " + Quote(name) + ", which is no class");
    }
  }
}

}  // namespace

StatusOr<lf_engine> CheckTable(const lf_engine* table, std::string_view file,
                               std::string_view name) {
  Checker check(file);
  check.Require(table != nullptr, "levelfield_engine()", "returned null");
  if (!check.ok()) return check.status();
  const size_t bytes = table->struct_bytes;
  check.Require(bytes >= kRequiredBytes && bytes <= kMostBytes && bytes % alignof(lf_engine) == 0,
                "struct_bytes",
                "is " + std::to_string(bytes) + ", and ours is " +
                    std::to_string(sizeof(lf_engine)) + " (at least " +
                    std::to_string(kRequiredBytes) + ", in steps of " +
                    std::to_string(alignof(lf_engine)) + ")");
  if (!check.ok()) return check.status();

  lf_engine copy{};
  std::memcpy(&copy, table, std::min(bytes, sizeof(copy)));
  copy.struct_bytes = sizeof(copy);

  if (check.Name("name", copy.name) && copy.name != name) {
    return Status::Failed(
        fmt::format("{}: name is {}, and the file is named for {}: call the file levelfield_{}.so, "
                    "or the engine {}",
                    file, Quote(copy.name), Quote(name), Printable(copy.name), Quote(name)));
  }
  check.Text("summary", copy.summary);
  check.Text("license", copy.license);
  const auto require = [&](auto* pointer, const char* member) {
    check.Require(pointer != nullptr, member, "is null");
  };
  require(copy.options, "options");
  require(copy.durabilities, "durabilities");
  require(copy.describe, "describe");
  require(copy.last_error, "last_error");
  require(copy.open, "open");
  require(copy.close, "close");
  require(copy.begin_session, "begin_session");
  require(copy.end_session, "end_session");
  require(copy.get, "get");
  require(copy.put, "put");
  require(copy.erase, "erase");
  require(copy.write, "write");
  require(copy.seek, "seek");
  require(copy.next, "next");
  require(copy.prev, "prev");
  require(copy.sync, "sync");
  require(copy.compact, "compact");
  check.Require(copy.properties == nullptr || copy.property != nullptr, "property",
                "is null, although properties lists names");
  const int snapshot_members = (copy.take_snapshot != nullptr) +
                               (copy.release_snapshot != nullptr) + (copy.get_at != nullptr);
  check.Require(snapshot_members == 0 || snapshot_members == 3,
                "take_snapshot, release_snapshot and get_at", "are not all there or all null");
  check.Require((copy.backup != nullptr) == (copy.restore != nullptr), "backup and restore",
                "are not both there or both null");
  const int transaction_members =
      (copy.begin_transaction != nullptr) + (copy.get_for_update != nullptr) +
      (copy.commit_transaction != nullptr) + (copy.roll_back_transaction != nullptr);
  check.Require(transaction_members == 0 || transaction_members == 4,
                "begin_transaction, get_for_update, commit_transaction and roll_back_transaction",
                "are not all there or all null");
  check.Require(((copy.capabilities & LF_SERVER) != 0) == (copy.round_trip != nullptr),
                "LF_SERVER and round_trip", "are not both there or both absent");
  check.Require((copy.submit != nullptr) == (copy.poll != nullptr), "submit and poll",
                "are not both there or both null");
  if (check.ok()) CheckOptions(check, copy.options);
  if (check.ok()) CheckDurabilities(check, copy.durabilities);
  if (check.ok() && copy.properties != nullptr) CheckProperties(check, copy.properties);
  if (check.ok() && copy.alternatives != nullptr) CheckAlternatives(check, copy);
  if (!check.ok()) return check.status();
  return copy;
}

}  // namespace levelfield
