#include "verbs/durability_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/units.h"
#include "settings/word_list.h"

namespace levelfield {
namespace {

// The flags of this verb alone.
struct OwnFlag {
  std::string_view name;
  std::string_view value;          // Where it is not given.
  std::string_view accepted = "";  // The names of which it lists some; `all` is all of them.
};
constexpr OwnFlag kOwnFlags[] = {{"cut_method", "shutdown,volatile", "shutdown,volatile"},
                                 {"cuts", "30"},
                                 {"durability", "process,synced", "none,process,synced"},
                                 {"eat_flushes", "0"},
                                 {"faults", "kill,power", "kill,power"},
                                 {"format", "table", "table,json,markdown"},
                                 {"fs", "ext4,xfs,btrfs", "ext4,xfs,btrfs,ext3,ext2"},
                                 {"kills", "50"},
                                 {"survives", "0,0.3,0.7,1"},
                                 {"threads", "1,4"}};

std::string Usage() {
  std::string text = "levelfield verify durability [--engine=all]";
  for (const auto& [name, value, accepted] : kOwnFlags)
    text += fmt::format(" [--{}={}]", name, value);
  return text +
         " [--value_size=100] [--seed=1] [--db=DIR] [--results=DIR] [--stall=30] and options of "
         "engines";
}

std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// The values of those flags; of several mistakes the first one is kept.
class OwnValues {
 public:
  OwnValues() {
    for (const OwnFlag& flag : kOwnFlags) texts_[std::string(flag.name)] = flag.value;
  }

  std::string* Find(const std::string& flag) {
    const auto it = texts_.find(flag);
    return it == texts_.end() ? nullptr : &it->second;
  }
  const Status& status() const { return status_; }

  std::vector<std::string> Names(std::string_view flag) {
    const std::vector<std::string> accepted =
        Split(std::ranges::find(kOwnFlags, flag, &OwnFlag::name)->accepted, ',');
    if (Text(flag) == "all") return accepted;
    const std::vector<std::string> names = NamesIn(Text(flag));
    for (const std::string& name : names) {
      if (std::ranges::find(accepted, name) != accepted.end()) continue;
      Refuse(fmt::format("--{}: {} is none of {}{}", flag, Quote(name), fmt::join(accepted, ", "),
                         DidYouMean(name, accepted)));
    }
    return names;
  }

  uint64_t Count(std::string_view flag, uint64_t most) { return Counts(flag, Text(flag), most); }

  std::vector<uint32_t> CountsIn(std::string_view flag, uint32_t most) {
    std::vector<uint32_t> counts;
    for (const std::string& text : NamesIn(Text(flag))) {
      counts.push_back(static_cast<uint32_t>(Counts(flag, text, most)));
    }
    return counts;
  }

  std::vector<double> Chances(std::string_view flag) {
    std::vector<double> chances;
    for (const std::string& text : NamesIn(Text(flag))) {
      double& chance = chances.emplace_back(-1);
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, chance);
      if (error == std::errc() && stop == end && chance >= 0 && chance <= 1) continue;
      Refuse(fmt::format("--{}={}: numbers from 0 to 1 are accepted, as in 0,0.3,0.7,1", flag,
                         Text(flag)));
    }
    return chances;
  }

  bool Switch(std::string_view flag) {
    const StatusOr<bool> value = ParseFlag(Text(flag));
    if (!value.ok()) Refuse(value.status().message());
    return value.ok() && *value;
  }

 private:
  const std::string& Text(std::string_view flag) const { return texts_.at(std::string(flag)); }

  uint64_t Counts(std::string_view flag, const std::string& text, uint64_t most) {
    const StatusOr<uint64_t> count = ParseCount(text);
    if (count.ok() && *count >= 1 && *count <= most) return *count;
    Refuse(fmt::format("--{}={}: a number from 1 to {} is accepted", flag, text, most));
    return 1;
  }

  void Refuse(std::string message) {
    if (status_.ok()) status_ = Status::Usage(std::move(message));
  }

  std::map<std::string, std::string> texts_;
  Status status_ = Status::Ok();
};

// Takes the flags of this verb out of the words, `--flag=value` or `--flag value`.
Status TakeOwn(Words& words, OwnValues& values) {
  Words rest;
  std::set<std::string> given;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.starts_with("--") ? word.substr(2, equals - 2) : "";
    std::string* const value = values.Find(name);
    if (value == nullptr) {
      rest.push_back(word);
      continue;
    }
    if (!given.insert(name).second) {
      return Status::Usage(fmt::format("--{}: is given twice", name));
    }
    if (equals != std::string::npos) {
      *value = word.substr(equals + 1);
    } else if (name == "eat_flushes") {
      *value = "1";
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      *value = words[++i];
    } else {
      return Status::Usage(fmt::format("--{}: needs a value; {}", name, Usage()));
    }
  }
  words = std::move(rest);
  return Status::Ok();
}

}  // namespace

StatusOr<DurabilityAsked> ParseDurability(Words words) {
  OwnValues own;
  RETURN_IF_ERROR(TakeOwn(words, own));
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words));
  if (!settings.arguments.empty()) {
    return Status::Usage(
        fmt::format("{}: is no flag; {}", Quote(settings.arguments.front()), Usage()));
  }
  const std::string_view other =
      GivenBeside(settings, {"engine", "seed", "value_size", "db", "results", "stall"});
  if (!other.empty()) {
    return Status::Usage(fmt::format("--{}: means nothing here; {}", other, Usage()));
  }
  if (settings.value_size < 16 || settings.value_size > 25'000) {
    return Status::Usage(
        "--value_size: 16 to 25000 is accepted: a value names its commit in 16 bytes, and one of "
        "eight is forty times as long");
  }
  DurabilityAsked asked;
  asked.settings = std::move(settings);
  asked.classes = own.Names("durability");
  asked.faults = own.Names("faults");
  asked.file_systems = own.Names("fs");
  asked.cut_methods = own.Names("cut_method");
  (void)own.Names("format");
  asked.kills = own.Count("kills", 100'000);
  asked.cuts = own.Count("cuts", 100'000);
  asked.survives = own.Chances("survives");
  asked.eats_flushes = own.Switch("eat_flushes");
  asked.threads = own.CountsIn("threads", 64);
  if (!own.status().ok()) return own.status();
  asked.format = *own.Find("format");
  if (asked.eats_flushes) asked.cut_methods = {"volatile"};  // The other disk has no cache.
  return asked;
}

}  // namespace levelfield
