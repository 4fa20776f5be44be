#include "result/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "result/ranks.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// The settings that a job's own words vary, each with the one value that it has there:
// `--vary="write_buffer_size=4M bloom_bits=10"`.
NamedTexts VariedBy(const Result& result) {
  NamedTexts varied;
  for (const std::string& word : Split(SettingOf(result, "vary"), ' ')) {
    const size_t equals = word.find('=');
    if (equals != word.npos) varied.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return varied;
}

std::set<std::string> NamesOf(const NamedTexts& texts) {
  std::set<std::string> names;
  for (const auto& [name, value] : texts) names.insert(name);
  return names;
}

// In words, why these two are not parts of one plan; empty: they may be.
std::string WhyOfOtherPlan(const Result& first, const Result& other) {
  const NamedTexts varied = VariedBy(first);
  const NamedTexts others = VariedBy(other);
  if (NamesOf(varied) != NamesOf(others)) {
    return fmt::format("--vary={} and --vary={} vary different settings",
                       Quote(SettingOf(first, "vary")), Quote(SettingOf(other, "vary")));
  }
  const std::set<std::string> names = NamesOf(varied);
  for (const auto& [name, value] : first.settings) {
    const Flag* const flag = FindFlag(name);
    const bool may_differ = flag == nullptr || !flag->matters || flag->is_list || name == "vary" ||
                            names.contains(name);
    if (may_differ || value == SettingOf(other, name)) continue;
    return fmt::format("--{} is {} here and {} there", name, Quote(value),
                       Quote(SettingOf(other, name)));
  }
  for (const auto& [name, text] : first.workload_texts) {
    const std::string there = TextIn(other.workload_texts, name);
    if (!there.empty() && there != text) {
      return fmt::format("workload {} is another one there", Printable(name));
    }
  }
  return "";
}

// Flags that are lists themselves (--fs), and have one value here and another there.
NamedTexts ListsOf(const Result& result, const std::vector<PartOfMerge>& parts) {
  NamedTexts lists;
  for (const Flag& flag : Flags()) {
    if (!flag.is_list || !flag.matters) continue;
    const std::string value = SettingOf(result, flag.name);
    const bool differs = std::ranges::any_of(
        parts, [&](const PartOfMerge& part) { return SettingOf(part.result, flag.name) != value; });
    if (differs) lists.emplace_back(flag.name, value);
  }
  return lists;
}

// What is varied, as a variant of the merged result without its number and its host.
Variant VariantOfPart(const Result& result, const RunResult& run,
                      const std::vector<PartOfMerge>& parts) {
  Variant variant = run.variant;
  if (variant.number != 0) return variant;
  NamedTexts varied = ListsOf(result, parts);
  std::ranges::move(VariedBy(result), std::back_inserter(varied));
  for (const auto& [name, typed] : varied) {
    variant.name += fmt::format("{}{}={}", variant.name.empty() ? "" : " ", name, typed);
    const std::string value = SettingOf(result, name);
    variant.settings.emplace_back(name, value.empty() ? typed : value);
  }
  return variant;
}

Status CheckParts(const std::vector<PartOfMerge>& parts) {
  if (parts.size() < 2) {
    return Status::Usage("merge takes two results or more; one is shown by `levelfield report`");
  }
  const PartOfMerge& first = parts.front();
  for (size_t i = 0; i < parts.size(); ++i) {
    const Result& result = parts[i].result;
    if (!result.machines.empty()) {
      return Status::Usage(fmt::format("{} is merged already; merge the results that it is made of",
                                       Quote(parts[i].path)));
    }
    for (size_t j = 0; j < i; ++j) {
      const Result& other = parts[j].result;
      const bool is_same = parts[i].host == parts[j].host && result.started == other.started &&
                           result.command == other.command &&
                           result.fingerprint == other.fingerprint &&
                           result.runs.size() == other.runs.size() && !result.runs.empty() &&
                           result.runs.front().padding_bytes == other.runs.front().padding_bytes;
      if (!is_same) continue;
      return Status::Usage(fmt::format("{} and {} are one result, which would count twice",
                                       Quote(parts[j].path), Quote(parts[i].path)));
    }
    const std::string why = WhyOfOtherPlan(first.result, result);
    if (!why.empty()) {
      return Status::Usage(fmt::format("{} and {} are of different plans: {}", Quote(first.path),
                                       Quote(parts[i].path), why));
    }
    for (size_t j = 0; j < i; ++j) {
      if (parts[i].host != parts[j].host) continue;
      if (result.fingerprint == parts[j].result.fingerprint) continue;
      return Status::Usage(
          parts[i].host.empty()
              ? fmt::format("{} and {} are of different machines; say which: {}",
                            Quote(parts[j].path), Quote(parts[i].path),
                            "levelfield merge NAME=RESULT NAME=RESULT")
              : fmt::format("{} and {} are both called {}, and are of different machines",
                            Quote(parts[j].path), Quote(parts[i].path), Quote(parts[i].host)));
    }
  }
  return Status::Ok();
}

class Merger {
 public:
  explicit Merger(const std::vector<PartOfMerge>& parts) : parts_(parts) {
    for (const PartOfMerge& part : parts) AddOnce(hosts_, part.host);
  }

  Merged Make() {
    Result& whole = merged_.result;
    whole = WithoutRuns(parts_.front().result);
    whole.completion = {};
    whole.overheads.clear();
    whole.tried.clear();
    whole.warnings.clear();
    for (size_t i = 0; i < parts_.size(); ++i) Add(i);
    DescribeMachines();
    NumberVariants();
    for (const auto& [key, rounds] : planned_rounds_) {
      whole.completion.planned_rounds = std::max(whole.completion.planned_rounds, rounds);
    }
    whole.completion.most_rounds = whole.completion.planned_rounds;
    merged_.planned_runs = series_.size();
    whole.completion.rounds = WholeRounds(whole.runs, merged_.planned_runs);
    return std::move(merged_);
  }

 private:
  void Add(size_t index) {
    const PartOfMerge& part = parts_[index];
    const Result& result = part.result;
    Result& whole = merged_.result;
    for (const auto& [name, text] : result.workload_texts) {
      if (TextIn(whole.workload_texts, name).empty()) whole.workload_texts.emplace_back(name, text);
    }
    whole.lacks_details = whole.lacks_details || result.lacks_details;
    if (IsCutOff(result)) {
      whole.completion.end = Completion::End::kFailed;
      whole.completion.message += fmt::format(
          "{}{}: {}", whole.completion.message.empty() ? "" : "; ", part.path, CutOffWords(result));
    }
    // More rounds of the same variant stand behind the earlier ones.
    std::map<std::string, uint64_t> rounds_before;
    std::set<std::string> seen;
    for (size_t i = 0; i < result.runs.size(); ++i) {
      RunResult run = result.runs[i];
      run.variant = VariantOfPart(result, run, parts_);
      const bool has_hosts = hosts_.size() > 1;
      if (has_hosts) {
        run.variant.name +=
            fmt::format("{}{}={}", run.variant.name.empty() ? "" : " ", kHostSetting, part.host);
        run.variant.settings.emplace_back(kHostSetting, part.host);
      }
      const std::string& name = run.variant.name;
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
      if (seen.insert(name).second) {
        rounds_before[name] = planned_rounds_[name];
        planned_rounds_[name] += result.completion.planned_rounds;
      }
      run.round += rounds_before[name];
      series_.insert(run.engine + "\n" + name);
      whole.runs.push_back(std::move(run));
      merged_.from.push_back({index, i});
    }
  }

  void DescribeMachines() {
    Result& whole = merged_.result;
    for (const std::string& host : hosts_) {
      const auto part = std::ranges::find(parts_, host, &PartOfMerge::host);
      Result machine = WithoutRuns(part->result);
      machine.name = host;
      whole.machines.push_back(std::move(machine));
    }
    DescribeTogether(whole);
  }

  // In the order of the parts; one variant is none.
  void NumberVariants() {
    for (RunResult& run : merged_.result.runs) {
      const auto at = std::ranges::find(names_, run.variant.name);
      run.variant.number = static_cast<uint64_t>(at - names_.begin()) + 1;
      if (names_.size() == 1) run.variant = {};
    }
  }

  const std::vector<PartOfMerge>& parts_;
  std::vector<std::string> hosts_;
  std::vector<std::string> names_;                  // Of the variants.
  std::map<std::string, uint64_t> planned_rounds_;  // By variant.
  std::set<std::string> series_;                    // Engines of variants.
  Merged merged_;
};

}  // namespace

void DescribeTogether(Result& whole) {
  const std::vector<Result>& machines = whole.machines;
  if (machines.empty()) return;
  const Result& first = machines.front();
  std::vector<std::string> cpus;
  whole.warnings.clear();
  for (const Result& machine : machines) {
    AddOnce(cpus, machine.cpu);
    for (const std::string& warning : machine.warnings) {
      AddOnce(whole.warnings, machines.size() > 1 ? machine.name + ": " + warning : warning);
    }
  }
  const auto common = [&](auto Result::*member, auto otherwise) {
    const bool is_one = std::ranges::all_of(
        machines, [&](const Result& machine) { return machine.*member == first.*member; });
    whole.*member = is_one ? first.*member : otherwise;
  };
  common(&Result::kernel, std::string("several"));
  common(&Result::cpu_cache, std::string("several"));
  common(&Result::git, std::string("several"));
  common(&Result::block_device, std::string());
  common(&Result::read_ahead_kb, uint64_t{0});
  whole.conditions = first.conditions;
  for (const Result& machine : machines) {
    std::erase_if(whole.conditions, [&](const auto& condition) {
      return TextIn(machine.conditions, condition.first) != condition.second;
    });
  }
  whole.cpu = machines.size() == 1 ? first.cpu
              : cpus.size() == 1
                  ? fmt::format("{} machines, each {}", machines.size(), cpus.front())
                  : fmt::format("{} machines: {}", machines.size(), Listed(cpus));
  // One machine's harness costs the same in all its parts.
  if (machines.size() == 1) whole.overheads = first.overheads;
}

namespace {

// The parts with the ranks of a fleet made one; and where each was among them: nowhere, if it is
// several.
struct WholeParts {
  std::vector<PartOfMerge> parts;
  std::vector<std::optional<size_t>> from;
};

StatusOr<WholeParts> WithWholeFleets(const std::vector<PartOfMerge>& parts) {
  std::vector<std::string> fleets;
  std::map<std::string, std::vector<PartOfMerge>> ranks;
  WholeParts whole;
  for (size_t i = 0; i < parts.size(); ++i) {
    const PartOfMerge& part = parts[i];
    const std::string fleet = FleetOf(part.result);
    if (fleet.empty()) {
      whole.parts.push_back(part);
      whole.from.emplace_back(i);
      continue;
    }
    AddOnce(fleets, fleet);
    for (const PartOfMerge& other : ranks[fleet]) {
      const std::string why = WhyOfOtherPlan(other.result, part.result);
      if (why.empty()) continue;
      return Status::Usage(fmt::format("{} and {} are of different plans: {}", Quote(other.path),
                                       Quote(part.path), why));
    }
    ranks[fleet].push_back(part);
  }
  for (const std::string& fleet : fleets) {
    ASSIGN_OR_RETURN(Result result, TogetherOfRanks(ranks[fleet]));
    const PartOfMerge& first = ranks[fleet].front();
    whole.parts.push_back({.path = first.path, .host = first.host, .result = std::move(result)});
    whole.from.emplace_back();
  }
  return whole;
}

}  // namespace

StatusOr<Merged> Merge(const std::vector<PartOfMerge>& parts) {
  ASSIGN_OR_RETURN(const WholeParts whole, WithWholeFleets(parts));
  const bool is_one_fleet = whole.parts.size() == 1 && !whole.from.front();
  if (!is_one_fleet) RETURN_IF_ERROR(CheckParts(whole.parts));
  Merged merged = Merger(whole.parts).Make();
  for (MergedRun& from : merged.from) from.part = whole.from[from.part].value_or(parts.size());
  return merged;
}

}  // namespace levelfield
