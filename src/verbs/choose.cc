#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "analysis/findings/findings.h"
#include "analysis/series.h"
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/enum_names.h"
#include "base/json_text.h"
#include "base/number.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "facts/facts_here.h"
#include "plan/unused_flags.h"
#include "report/choice_report.h"
#include "report/heading.h"
#include "result/fields_json.h"
#include "stats/statistics.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/report.h"
#include "verbs/verbs.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

constexpr const char* kWorkload = "choose";
// A plan takes their texts for the texts of these files.
constexpr const char* kWorkloadFile = "choose.workload";
constexpr const char* kLoaderFile = "choose-load.workload";
// Of a change of the question, so that all of them together take as long as a few rounds.
constexpr double kWhatIfSeconds = 3;
// What --quick answers in, and what it measures for that unless flags say otherwise.
constexpr double kQuickSeconds = 90;
constexpr uint64_t kQuickKeys = 100'000;
constexpr double kQuickDuration = 0.5;

// No later round makes up for that.
constexpr double kTimesTooSlow = 5;

enum class Part { kGet, kSeek, kScan, kPut, kUpdate, kModify, kDelete };
constexpr EnumName<Part> kPartNames[] = {{Part::kGet, "get"},       {Part::kSeek, "seek"},
                                         {Part::kScan, "scan"},     {Part::kPut, "put"},
                                         {Part::kUpdate, "update"}, {Part::kModify, "rmw"},
                                         {Part::kDelete, "delete"}};
constexpr Part kWriting[] = {Part::kPut, Part::kUpdate, Part::kModify, Part::kDelete};
constexpr std::span<const EnumName<Part>> NamesOf(Part) { return kPartNames; }

// Shares of operations, in percent.
using Mix = std::map<Part, uint64_t>;

uint64_t ShareOf(const Mix& mix, Part part) {
  const auto it = mix.find(part);
  return it == mix.end() ? 0 : it->second;
}
uint64_t ShareOfWrites(const Mix& mix) {
  uint64_t writes = 0;
  for (const Part part : kWriting) writes += ShareOf(mix, part);
  return writes;
}

constexpr const char* kLikeThis =
    "; it is like get:80,put:15,seek:5, whole percents of together 100";

// What was meant by the word of another program, or a misspelt one. Else what a mix is like.
std::string Meant(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
      {"read", "get"},   {"write", "put"},     {"insert", "put"},
      {"range", "scan"}, {"remove", "delete"}, {"erase", "delete"}};
  for (const auto& [word, ours] : kOtherWords) {
    if (name == word || name == fmt::format("{}s", word)) {
      return fmt::format("; did you mean '{}'?", ours);
    }
  }
  std::vector<std::string> names;
  for (const auto& [part, its_name] : kPartNames) names.emplace_back(its_name);
  return DidYouMean(name, names, kLikeThis);
}

StatusOr<Mix> MixOf(const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return Status::Usage(fmt::format("--mix={}: {}{}", Printable(text), why, kLikeThis));
  };
  Mix mix;
  uint64_t sum = 0;
  std::vector<std::string> parts = Parts(text, ',');
  if (parts.back().empty()) parts.pop_back();  // None, or a comma at the end.
  for (std::string& part : parts) {
    part = Trimmed(part);
    std::ranges::transform(part, part.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const size_t colon = std::min(part.find(':'), part.size());
    const std::string name = part.substr(0, colon);
    const std::optional<Part> operation = FromName<Part>(name);
    if (!operation) {
      return Status::Usage(fmt::format(
          "--mix={}: {} is not get, put, seek, scan, update, rmw (a read-modify-write) or delete{}",
          Printable(text), Quote(name), Meant(name)));
    }
    const std::optional<uint64_t> percent =
        colon == part.size() ? std::nullopt : Digits(part.substr(colon + 1));
    if (!percent || *percent > 100) return refused(Quote(part) + " has no whole percentage");
    if (!mix.emplace(*operation, *percent).second) return refused(name + " is listed twice");
    sum += *percent;
  }
  if (mix.empty()) return refused("which operations?");
  if (sum != 100) return refused(fmt::format("that is {} %", sum));
  if (ShareOf(mix, Part::kSeek) != 0 && ShareOf(mix, Part::kScan) != 0) {
    return refused(
        "a seek reads one entry, or with --seek_nexts=N so many more, and a scan is the "
        "same of 1 to 100 entries; take one of them");
  }
  if (ShareOf(mix, Part::kPut) != 0 && ShareOf(mix, Part::kUpdate) != 0) {
    const uint64_t puts = ShareOf(mix, Part::kPut) + ShareOf(mix, Part::kUpdate);
    return refused(fmt::format(
        "a put and an update are one thing here, which writes a value anew, or after a delete puts "
        "a key in: say put:{}",
        puts));
  }
  if (ShareOf(mix, Part::kDelete) > ShareOf(mix, Part::kPut) + ShareOf(mix, Part::kUpdate)) {
    return refused(
        "after each delete a put has to put another entry in, or the store shrinks and is another "
        "one at the end; have as many puts as deletes");
  }
  return mix;
}

// Its operations in words, each made by `part` of its name and percentage.
std::string MixAs(std::string (*part)(std::string_view, uint64_t), const Mix& mix,
                  const char* between) {
  std::vector<std::string> parts;
  for (const auto& [operation, percent] : mix) {
    if (percent != 0) parts.push_back(part(NameOf(operation), percent));
  }
  return fmt::format("{}", fmt::join(parts, between));
}

// "80% get, 20% put", as workload files say it.
std::string MixText(const Mix& mix) {
  return MixAs([](auto name, auto percent) { return fmt::format("{}% {}", percent, name); }, mix,
               ", ");
}

// "get:80,put:20", as --mix takes it.
std::string MixFlag(const Mix& mix) {
  return MixAs([](auto name, auto percent) { return fmt::format("{}:{}", name, percent); }, mix,
               ",");
}

// YCSB's operation draws each record independently, some more often than others, and deletes.
bool DrawsRecords(const Mix& mix, const Settings& settings) {
  constexpr Part kOfRecords[] = {Part::kScan, Part::kUpdate, Part::kModify, Part::kDelete};
  return std::ranges::any_of(kOfRecords, [&](Part part) { return ShareOf(mix, part) != 0; }) ||
         (settings.key_distribution != "uniform" && ShareOfWrites(mix) != 0);
}

bool Deletes(const Mix& mix) { return ShareOf(mix, Part::kDelete) != 0; }
// What a put puts in after a delete is one of the keys that are not in the store.
constexpr const char* kTwiceTheKeys = "range   = $num*2\n";

std::string WorkloadOfRecords(const Mix& mix, const Settings& settings) {
  std::vector<std::string> parts;
  for (const auto& [part, percent] : mix) {
    if (percent == 0) continue;
    const std::string_view name = part == Part::kGet    ? "read"
                                  : part == Part::kSeek ? "scan"
                                  : part == Part::kPut  ? "update"
                                                        : NameOf(part);
    parts.push_back(fmt::format("{}% {}", percent, name));
  }
  // A seek has as many entries as it is told, and a scan, unless it is told, what YCSB's have.
  const bool has_length = ShareOf(mix, Part::kSeek) != 0 || settings.seek_nexts != 0;
  const bool scans = ShareOf(mix, Part::kSeek) + ShareOf(mix, Part::kScan) != 0;
  const uint64_t entries = settings.seek_nexts + 1;
  const std::string length = has_length
                                 ? fmt::format("scan_length = {0}\nleast_scan = {0}\n", entries)
                                 : "scan_length = 100\n";
  return fmt::format(
      "op      = ycsb {}\nrequests = $key_distribution\nkeys    = shuffled\nrecords = $num\n"
      "value_size = $value_size\n{}{}stop    = after $reads operations\n",
      fmt::join(parts, ", "), scans ? length : "", Deletes(mix) ? kTwiceTheKeys : "");
}

// As many records as the store is to have, of twice as many keys.
std::string LoaderText() {
  return fmt::format(
      "summary = loads a random half of the keys\nfamily  = mixed\nneeds   = empty "
      "store\n[loader]\n"
      "threads = $threads\nop      = put\nkeys    = shuffled\nrecords = $num\n"
      "value_size = $value_size\n{}stop    = after $num operations\n",
      kTwiceTheKeys);
}

// One operation alone is that operation: a mix draws the kind of each. Of a mix with puts these
// take the keys in order, and the others draw theirs.
std::string WorkloadOfKeys(const Mix& mix) {
  std::string operation = MixText(mix);
  const bool writes = ShareOf(mix, Part::kPut) != 0;
  const bool is_one = operation.starts_with("100% ");
  if (is_one) operation = operation.substr(5);
  if (!is_one && !writes) operation += ", 0% put";
  return fmt::format("op      = {}\nkeys    = {}\n{}stop    = after $reads operations\n", operation,
                     is_one && !writes ? "uniform" : "shuffled",
                     ShareOf(mix, Part::kSeek) != 0 ? "nexts   = $seek_nexts\n" : "");
}

// What loads the store is none of it, and keeps no promise.
std::string WorkloadOf(const Mix& mix, const Settings& settings) {
  return fmt::format(
      "summary = {}\nfamily  = mixed\nneeds   = {}\ndurability = {}\n[client]\n"
      "threads = $threads\n{}",
      MixText(mix), Deletes(mix) ? fmt::format("store loaded by {}", kLoaderFile) : "loaded store",
      settings.durability,
      DrawsRecords(mix, settings) ? WorkloadOfRecords(mix, settings) : WorkloadOfKeys(mix));
}

struct Question {
  std::string text;
  Settings settings;
  Mix mix;
};

// What else might be asked: one thing changed at a time.
std::vector<Question> WhatIfsOf(const Question& stated) {
  std::vector<Question> questions;
  const auto ask = [&](const std::string& text, const std::function<void(Question&)>& change) {
    Question question = stated;
    question.text = text;
    change(question);
    questions.push_back(std::move(question));
  };
  const Settings& settings = stated.settings;
  ask("four times the keys", [](Question& q) { q.settings.num *= 4; });
  ask("values of ten times the size", [](Question& q) { q.settings.value_size *= 10; });
  if (settings.memory != 0) {
    ask("a quarter of the memory", [](Question& q) { q.settings.memory /= 4; });
  }
  const uint64_t writes = ShareOfWrites(stated.mix);
  const auto reads = std::ranges::max_element(stated.mix, {}, [&](const auto& part) {
    return std::ranges::find(kWriting, part.first) != std::end(kWriting) ? uint64_t{0}
                                                                         : part.second;
  });
  if (writes > 0 && writes < 100) {
    ask("no writes", [&](Question& q) {
      for (const Part part : kWriting) q.mix.erase(part);
      q.mix[reads->first] += writes;
    });
  }
  if (writes > 0 && reads->second > writes) {
    ask("twice the writes", [&](Question& q) {
      for (const Part part : kWriting) {
        if (q.mix.contains(part)) q.mix[part] *= 2;
      }
      q.mix[reads->first] -= writes;
    });
  }
  if (settings.key_distribution != "uniform") {
    ask("keys drawn uniformly", [](Question& q) { q.settings.key_distribution = "uniform"; });
  }
  if (settings.durability != "synced" && writes > 0) {
    ask("every write synced", [](Question& q) { q.settings.durability = "synced"; });
  }
  if (settings.threads == 1) {
    ask("four threads", [](Question& q) { q.settings.threads = 4; });
  }
  if (!settings.slo.empty()) {
    ask("no objective: the rate alone", [](Question& q) { q.settings.slo.clear(); });
  }
  return questions;
}

// The settings in which the questions differ, into each of them: those of the result are those of
// the first.
void AddSettings(Plan& plan) {
  for (const Flag& flag : Flags()) {
    const std::string first = TextOf(flag, plan.first().settings);
    const bool is_same = std::ranges::all_of(plan.variants, [&](const PlannedVariant& other) {
      return TextOf(flag, other.settings) == first;
    });
    if (is_same) continue;
    for (PlannedVariant& variant : plan.variants) {
      variant.variant.settings.emplace_back(flag.name, TextOf(flag, variant.settings));
    }
  }
}

// " drawn by hotspot (20 % of the keys, 80 % of the requests)". Empty: all alike.
std::string DrawnText(const Settings& settings) {
  const std::string& name = settings.key_distribution;
  if (name == "uniform") return "";
  return fmt::format(
      " drawn by {}{}", name,
      name == "hotspot" ? fmt::format(" ({:g} % of the keys, {:g} % of the requests)",
                                      settings.hot_keys * 100, settings.hot_requests * 100)
      : name == "zipf" || name == "latest" ? fmt::format(" (exponent {:g})", settings.zipf_exponent)
                                           : "");
}

std::string AskedText(const Question& question) {
  const Settings& settings = question.settings;
  const double key_bytes = KeyShapeOf(settings).MeanSize();
  const double bytes =
      static_cast<double>(settings.num) * (key_bytes + static_cast<double>(settings.value_size));
  const uint64_t deletes = ShareOf(question.mix, Part::kDelete);
  return fmt::format(
      "{}{}{} of {} keys{}; keys of {:.0f} bytes, values of {}, {} in all; {}; "
      "durability {}; {}",
      MixText(question.mix),
      deletes == 0 ? "" : fmt::format(" ({} % of all put in what was deleted)", deletes),
      settings.seek_nexts == 0
          ? ""
          : fmt::format(", {} of {} entries,",
                        ShareOf(question.mix, Part::kScan) != 0 ? "scans" : "seeks",
                        settings.seek_nexts + 1),
      Grouped(settings.num), DrawnText(settings), key_bytes, settings.value_size,
      Size(Whole(bytes)), Plural(settings.threads, "thread"), settings.durability,
      settings.memory == 0 ? "memory not limited"
                           : fmt::format("memory of {} MiB", settings.memory >> 20));
}

StatusOr<Settings> Checked(const Words& words) {
  StatusOr<Settings> settings = ParseSettingsOf("choose", words);
  if (!settings.ok()) return settings;
  if (settings->mix.empty()) {
    return Status::Usage(
        "choose needs the workload: levelfield choose --mix=get:80,put:15,seek:5 --num=1M, and "
        "what it has to keep, as --slo='p99<1ms' --memory=256M --durability=synced");
  }
  RETURN_IF_ERROR(WriteReport(Report(), *settings, "choose").status());
  if (settings->settings == "best") {
    return Status::Usage(
        "--settings=best: `choose` asks several questions, each of which would have other best "
        "settings; leave it out, or use `levelfield run`");
  }
  if (settings->quick) {
    if (!settings->given.contains("num")) settings->num = kQuickKeys;
    if (!settings->given.contains("duration")) settings->duration = kQuickDuration;
  }
  return settings;
}

void AddWhereAllIs(const char* what, const std::string& directory, Report& report) {
  report.Add(Gap{});
  report.AddLine(fmt::format("{}: levelfield report -v {}", what, ShellWord(directory)));
}

// The answer, and the page that says it. Returns a line about the page.
std::string KeepAnswer(const ChoiceAnswer& answer, const std::string& directory,
                       const Settings& settings) {
  const auto keep = [&]() -> StatusOr<std::string> {
    RETURN_IF_ERROR(WriteFileAtomically(directory + "/" + kAnswerFile,
                                        JsonText(Codec<ChoiceAnswer>::Write(answer), 2) + "\n",
                                        Overwrite::kReplace));
    ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(directory));
    return WritePageOf(result, directory, settings);
  };
  const StatusOr<std::string> page = keep();
  return page.ok() ? "report: " + Printable(*page) : "no report: " + page.status().message();
}

// What makes the figures doubtful. Who cannot be chosen, and whether the machine was busy, stands
// in the answer.
void AddDoubts(const Result& result, const Settings& settings, Report& report) {
  for (const Remark& remark : FindingsOf(result, {.margin = settings.margin}).remarks) {
    const bool is_in_answer =
        (remark.kind <= RemarkKind::kSettingNotApplied && remark.kind != RemarkKind::kBuild) ||
        remark.kind == RemarkKind::kDisturbed;
    if (is_in_answer || RowOf(remark.kind).tone != RemarkTone::kWarning) continue;
    report.AddRemark(remark, ScreenWords(remark), 2);
  }
}

// Leaves out what would end later than --quick answers, the longest first. `seconds` is what the
// rounds of the stated question took. Measuring takes as long for any question, and the rest as
// much longer as there are more bytes to load.
void KeepQuick(const Settings& stated, double seconds, size_t rounds, Plan& others,
               std::vector<WhatIf>& what_ifs) {
  double left = kQuickSeconds - seconds;
  const auto bytes = [](const Settings& settings) {
    return static_cast<double>(settings.num) *
           (KeyShapeOf(settings).MeanSize() + static_cast<double>(settings.value_size));
  };
  const auto seconds_of = [&](const PlannedVariant& variant) {
    const double round = seconds / static_cast<double>(std::max<size_t>(rounds, 1));
    const double measured =
        std::min(round, stated.duration * static_cast<double>(variant.engines.size()));
    const double times = std::max(1.0, bytes(variant.settings) / bytes(stated));
    return measured + times * (round - measured);
  };
  std::set<std::pair<double, uint64_t>> by_time;
  for (const PlannedVariant& variant : others.variants) {
    by_time.emplace(seconds_of(variant), variant.variant.number);
  }
  std::set<uint64_t> in_time;
  for (const auto& [takes, number] : by_time) {
    left -= takes;
    if (left >= 0) in_time.insert(number);
  }
  std::erase_if(others.variants, [&](const PlannedVariant& variant) {
    if (in_time.contains(variant.variant.number)) return false;
    what_ifs[variant.variant.number - 1].why_not =
        fmt::format("--quick answers in {:.0f} seconds", kQuickSeconds);
    return true;
  });
}

}  // namespace

Answer ChooseVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, Checked(words));
  ASSIGN_OR_RETURN(const Mix mix, MixOf(settings.mix));
  const Question stated{.text = "", .settings = settings, .mix = mix};
  const auto facts_for = [](const Question& question) {
    Facts facts;
    facts.workloads = {{.path = kWorkloadFile,
                        .name = kWorkload,
                        .text = WorkloadOf(question.mix, question.settings)},
                       {.path = kLoaderFile, .name = "choose-load", .text = LoaderText()}};
    return FactsHere(std::move(facts));
  };
  const auto plan_of = [&](const Question& question, FactsHere& facts) {
    Settings one = question.settings;
    if (one.durability == "synced") one.durability = "process";
    one.benchmarks = kWorkloadFile;
    one.mix = MixFlag(question.mix);
    return MakePlan(one, Typed("levelfield choose", words), facts);
  };
  FactsHere facts = facts_for(stated);
  ASSIGN_OR_RETURN(Plan plan, plan_of(stated, facts));
  Settings asked = settings;  // The lengths of scans are numbers in the workload's text.
  if (ShareOf(mix, Part::kSeek) + ShareOf(mix, Part::kScan) != 0) asked.given.erase("seek_nexts");
  RETURN_IF_ERROR(CheckFlagsAreUsed(asked, plan.first().phases, "--mix=" + settings.mix));
  RETURN_IF_ERROR(AddOverheads(plan, facts));
  if (settings.quick) plan.most_seconds = kQuickSeconds;
  if (settings.slo.empty()) plan.drop_slower = kTimesTooSlow;

  // One run of each engine for each of them, in the same round.
  Plan others{.command = Typed("levelfield choose", words), .variants = {}};
  std::vector<WhatIf> what_ifs;
  for (Question question : WhatIfsOf(stated)) {
    question.settings.repeat = 1;
    question.settings.quick = question.settings.publish = false;
    question.settings.precision = 0;
    question.settings.slices = "off";
    if (question.settings.duration == 0) question.settings.duration = kWhatIfSeconds;
    question.settings.name = kWhatIfName;
    FactsHere its_facts = facts_for(question);
    StatusOr<Plan> one = plan_of(question, its_facts);
    what_ifs.push_back({.question = question.text, .choice = {}, .why_not = "it was ended before"});
    if (!one.ok()) {
      what_ifs.back().why_not = one.status().message();
      continue;
    }
    PlannedVariant variant = std::move(one->first());
    variant.variant = {.number = what_ifs.size(), .name = question.text, .settings = {}};
    others.variants.push_back(std::move(variant));
  }

  Choice choice;
  Report report;
  std::string stated_directory;
  const uint64_t begin_ns = MonotonicNs();
  Answer answer = CarryOut(plan, nullptr, [&](const Result& result, const std::string& directory) {
    stated_directory = directory;
    choice = Choose(result, kWorkload, settings.margin);
    (void)KeepAnswer(AnswerOf(choice, AskedText(stated), settings.slo, what_ifs), directory,
                     settings);
    AddBanner(result, report);
    report.Append(ChoiceReport(choice, AskedText(stated), settings.slo));
    AddDoubts(result, settings, report);
    AddWhereAllIs("all figures", directory, report);
    return "";
  });
  if (!answer.status.ok()) return answer;
  if (settings.quick) {
    KeepQuick(settings, static_cast<double>(MonotonicNs() - begin_ns) * 1e-9, choice.rounds, others,
              what_ifs);
  }
  if (settings.format == "table") Print(stdout, ForTerminal(std::exchange(report, {})));
  std::string others_directory;
  if (!others.variants.empty()) {
    AddSettings(others);
    answer.status =
        CarryOut(others, nullptr, [&](const Result& result, const std::string& directory) {
          others_directory = directory;
          for (const Result& part : VariantsOf(result)) {
            const uint64_t number = VariantOf(part).number;
            const size_t place = number == 0 ? 0 : number - 1;
            what_ifs[place].choice = Choose(part, kWorkload, settings.margin);
            what_ifs[place].why_not.clear();
          }
          return "";
        }).status;
  }
  report.Append(WhatIfReport(choice, what_ifs));
  if (!others_directory.empty()) AddWhereAllIs("all figures of these", others_directory, report);
  report.AddLine(KeepAnswer(AnswerOf(choice, AskedText(stated), settings.slo, what_ifs),
                            stated_directory, settings));
  if (settings.format == "table") {
    answer.text = ForTerminal(report);
  } else {
    ASSIGN_OR_RETURN(answer.text, WriteReport(report, settings, "choose"));
  }
  return answer;
}

}  // namespace levelfield
