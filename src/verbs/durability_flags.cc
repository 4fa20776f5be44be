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
#include "engine/common_options.h"

namespace levelfield {
namespace {

// The flags of this verb alone, with what applies where they are not given.
const std::map<std::string, std::string> kOwnFlags = {{"durability", "process,synced"},
                                                      {"faults", "kill,power"},
                                                      {"kills", "50"},
                                                      {"cuts", "30"},
                                                      {"format", "table"},
                                                      {"fs", "ext4,xfs,btrfs"},
                                                      {"survives", "0,0.3,0.7,1"},
                                                      {"cut_method", "shutdown,volatile"},
                                                      {"eat_flushes", "0"},
                                                      {"threads", "1,4"}};
// Those of other verbs that it takes too.
const std::set<std::string> kTaken = {"engine", "seed", "value_size", "db", "results", "stall"};

std::string Usage() {
  std::string text = "levelfield verify durability [--engine=all]";
  for (const auto& [name, value] : kOwnFlags) text += fmt::format(" [--{}={}]", name, value);
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

// The names of a list, each of which has to be among these; `all` is all of them.
StatusOr<std::vector<std::string>> Chosen(const std::string& flag, const std::string& list,
                                          const std::vector<std::string>& accepted) {
  if (list == "all") return accepted;
  const std::vector<std::string> names = NamesIn(list);
  for (const std::string& name : names) {
    if (std::ranges::find(accepted, name) != accepted.end()) continue;
    const std::string nearest = NearestName(name, accepted);
    return Status::Usage(
        fmt::format("--{}: {} is none of {}{}", flag, Quote(name), fmt::join(accepted, ", "),
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  return names;
}

StatusOr<std::vector<double>> Chances(const std::string& list) {
  std::vector<double> chances;
  for (const std::string& text : NamesIn(list)) {
    double chance = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, chance);
    if (error != std::errc() || stop != end || !(chance >= 0 && chance <= 1)) {
      return Status::Usage(
          fmt::format("--survives={}: numbers from 0 to 1 are accepted, as in 0,0.3,0.7,1", list));
    }
    chances.push_back(chance);
  }
  return chances;
}

StatusOr<uint64_t> CountOf(const std::string& flag, const std::string& text, uint64_t least,
                           uint64_t most) {
  const StatusOr<uint64_t> count = ParseCount(text);
  if (count.ok() && *count >= least && *count <= most) return count;
  return Status::Usage(
      fmt::format("--{}={}: a number from {} to {} is accepted", flag, text, least, most));
}

// Takes the flags of this verb out of the words, `--flag=value` or `--flag value`.
Status TakeOwn(Words& words, std::map<std::string, std::string>& values) {
  Words rest;
  std::set<std::string> given;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.starts_with("--") ? word.substr(2, equals - 2) : "";
    if (!kOwnFlags.contains(name)) {
      rest.push_back(word);
      continue;
    }
    if (!given.insert(name).second) {
      return Status::Usage(fmt::format("--{}: is given twice", name));
    }
    if (equals != std::string::npos) {
      values[name] = word.substr(equals + 1);
    } else if (name == "eat_flushes") {
      values[name] = "1";
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      values[name] = words[++i];
    } else {
      return Status::Usage(fmt::format("--{}: needs a value; {}", name, Usage()));
    }
  }
  words = std::move(rest);
  return Status::Ok();
}

}  // namespace

StatusOr<DurabilityAsked> ParseDurability(Words words) {
  std::map<std::string, std::string> own = kOwnFlags;
  if (const Status status = TakeOwn(words, own); !status.ok()) return status;
  StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  if (!settings->arguments.empty()) {
    return Status::Usage(
        fmt::format("{}: is no flag; {}", Quote(settings->arguments.front()), Usage()));
  }
  for (const Flag& flag : Flags()) {
    const std::string name(flag.name);
    if (!settings->given.contains(name) || kTaken.contains(name) || flag.engine_option) continue;
    return Status::Usage(fmt::format("--{}: means nothing here; {}", name, Usage()));
  }
  if (settings->value_size < 16 || settings->value_size > 25'000) {
    return Status::Usage(
        "--value_size: 16 to 25000 is accepted: a value names its commit in 16 bytes, and one of "
        "eight is forty times as long");
  }
  DurabilityAsked asked;
  asked.settings = std::move(*settings);
  const auto choose = [&](const std::string& flag, const std::string& list,
                          const std::vector<std::string>& accepted,
                          std::vector<std::string>& chosen) {
    StatusOr<std::vector<std::string>> names = Chosen(flag, list, accepted);
    if (names.ok()) chosen = std::move(*names);
    return names.status();
  };
  std::vector<std::string> format;
  for (const Status& status :
       {choose("durability", own["durability"],
               {kDurabilityClasses.begin(), kDurabilityClasses.end()}, asked.classes),
        choose("faults", own["faults"], {"kill", "power"}, asked.faults),
        choose("fs", own["fs"], {"ext4", "xfs", "btrfs", "ext3", "ext2"}, asked.file_systems),
        choose("cut_method", own["cut_method"], {"shutdown", "volatile"}, asked.cut_methods),
        choose("format", own["format"], {"table", "json", "markdown"}, format)}) {
    if (!status.ok()) return status;
  }
  asked.format = own["format"];
  const StatusOr<uint64_t> kills = CountOf("kills", own["kills"], 1, 100'000);
  const StatusOr<uint64_t> cuts = CountOf("cuts", own["cuts"], 1, 100'000);
  const StatusOr<std::vector<double>> survives = Chances(own["survives"]);
  const StatusOr<bool> eats_flushes = ParseFlag(own["eat_flushes"]);
  for (const Status& status :
       {kills.status(), cuts.status(), survives.status(), eats_flushes.status()}) {
    if (!status.ok()) return status;
  }
  for (const std::string& text : NamesIn(own["threads"])) {
    const StatusOr<uint64_t> count = CountOf("threads", text, 1, 64);
    if (!count.ok()) return count.status();
    asked.threads.push_back(static_cast<uint32_t>(*count));
  }
  asked.kills = *kills;
  asked.cuts = *cuts;
  asked.survives = *survives;
  asked.eats_flushes = *eats_flushes;
  if (asked.eats_flushes) asked.cut_methods = {"volatile"};  // The other disk has no cache.
  return asked;
}

}  // namespace levelfield
