// A workload of YCSB: reads, updates, inserts, scans, read-modify-writes and deletes of records
// that independent draws choose (workload/ycsb_draws.h). A record is one value; an update writes it
// anew and reads nothing. Reads are checked on the spot: a value must be whole and belong to its
// key. A scan must be in order and leave out no record that the thread knows to exist. Reads of
// records that only this thread writes go into the digest, which is replayed afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/file/role_lines.h"
#include "workload/ycsb_draws.h"

namespace levelfield {
namespace ycsb {
namespace {

YcsbStream YcsbStreamOf(const ThreadTask& task) {
  const Role& role = *task.role;
  return {.plan = role.ycsb,
          .requests = role.distribution,
          .records = role.records,
          .capacity = role.range,
          .is_hashed = task.write_keys.order == KeyOrder::kShuffled,
          .order_seed = task.write_keys.order_seed,
          .seed = task.choice_seed,
          .thread = task.thread,
          .threads = role.threads,
          .expected_inserts =
              static_cast<uint64_t>(static_cast<double>(role.operations) * role.ycsb.insert),
          .first_version = task.first_version,
          .before = task.before};
}

// `kVaries`: records differ in size. `Draws`: YcsbDraws, or with deletes YcsbDrawsInTurn.
template <bool kVaries, class Draws>
class YcsbSteps {
 public:
  explicit YcsbSteps(const ThreadTask& task)
      : draws_(YcsbStreamOf(task)),
        most_scan_(task.role->ycsb.most_scan),
        kinds_{StepKind::kGet,
               StepKind::kScan,
               task.role->ycsb.updates_read ? StepKind::kUpdate : StepKind::kPut,
               StepKind::kModify,
               StepKind::kInsert,
               StepKind::kErase},
        sizes_(task.role->value_size) {}

  Step Next() {
    const YcsbChoice choice = draws_.Next();
    if (choice.is_full) return {.kind = StepKind::kEnd};
    const StepKind kind = kinds_[static_cast<size_t>(choice.kind)];
    return {.kind = kind,
            .is_replayed = choice.is_own && kind != StepKind::kScan,
            .version = choice.version,
            .key = choice.key,
            .size = kVaries ? sizes_.Of(choice.key, choice.version) : sizes_.most(),
            .length = choice.scan_length};
  }

  bool IsKnown(uint64_t key) const { return draws_.IsKnown(draws_.keys().RecordOf(key)); }
  uint64_t most_scan() const { return most_scan_; }

 private:
  Draws draws_;
  uint64_t most_scan_;
  std::array<StepKind, YcsbChoice::kKinds> kinds_;
  ValueSizes sizes_;
};

template <class Steps, class Times>
void RunWith(const ThreadTask& task, ThreadResult& result) {
  const YcsbPlan& plan = task.role->ycsb;
  StepsOperation<StepCheck::kDescribed, Steps, Times> operation(task, Steps(task), task.role->range,
                                                                task.role->value_size.most());
  const auto shown = [](double share, std::string_view name) { return share > 0 ? name : ""; };
  RunSteps(task, result, operation,
           {shown(plan.read, "get"), shown(plan.scan, "scan"),
            shown(plan.updates_read ? 0 : plan.update, "put"), shown(plan.remove, "erase"),
            shown(plan.modify, "rmw"), shown(plan.updates_read ? plan.update : 0, "update"),
            shown(plan.insert, "insert")});
  if (operation.has_ended()) {
    result.code = LF_OK;
    result.error.clear();
    result.note = plan.remove > 0
                      ? "ended early: too few records to take some out and put others in"
                      : "ended early: there is no room for more inserts";
  }
}

// Each of these is 150 kB of program.
void Run(const ThreadTask& task, ThreadResult& result) {
  const Role& role = *task.role;
  if (role.ycsb.remove > 0) {
    return RunWith<YcsbSteps<true, YcsbDrawsInTurn>, NoModifyTimes>(task, result);
  }
  if (role.ycsb.times_parts && task.timed) {
    return RunWith<YcsbSteps<true, YcsbDraws>, ModifyTimes>(task, result);
  }
  return role.value_size.vary() ? RunWith<YcsbSteps<true, YcsbDraws>, NoModifyTimes>(task, result)
                                : RunWith<YcsbSteps<false, YcsbDraws>, NoModifyTimes>(task, result);
}

std::vector<StepsDone> StepsOf(const RoleRun& run) {
  if (run.tasks.front().role->ycsb.remove > 0) {
    return StepsOf(run,
                   [](const ThreadTask& task) { return YcsbSteps<true, YcsbDrawsInTurn>(task); });
  }
  return StepsOf(run, [](const ThreadTask& task) { return YcsbSteps<true, YcsbDraws>(task); });
}

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const ValueSizes* const sizes = role.value_size.vary() ? &role.value_size : nullptr;
  return LayerOf(run, HistoryOf(StepsOf(run), role.range, sizes));
}

// How one thread's reads of its own records differ from the replay; empty: they do not.
std::string DifferenceOf(const ThreadResult& result, const ReplayedSteps& replayed) {
  for (const ThreadStatistics& stats : result.statistics) {
    const auto kind = static_cast<StepKind>(stats.number);
    if (!Step{.kind = kind}.gets()) continue;
    const uint64_t expected = replayed.Of(kind).digest;
    if (stats.counts.digest == expected) continue;
    return fmt::format(
        "what was read of the records that it alone writes differs from what was written (digest "
        "{:016x} instead of {:016x})",
        stats.counts.digest, expected);
  }
  return "";
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) {
    entries += thread.entries;
    if (!thread.note.empty()) result.note = thread.note;
  }
  if (role.ycsb.scan > 0) {
    const auto scans =
        std::ranges::find(summary.statistics, "scan", &OperationStatistics::operation);
    result.note += fmt::format("{}{} entries in {} scans", result.note.empty() ? "" : "; ", entries,
                               scans->operations);
  }
  result.checked.answers = AnswersChecked::kReplayed;
  result.check_detail =
      run.tasks.size() == 1
          ? "every record was found, and what was read of it is what the model has"
          : "every record was found whole; what was read of those that the reading thread alone "
            "writes is what the model has";
  if (role.ycsb.remove > 0) {
    result.check_detail +=
        "; each thread asked for its own records, of those that it had not erased";
  }
  if (role.ycsb.scan > 0) {
    result.check_detail +=
        "; scans were in order, whole, and left out no record that the thread knew of";
  }
  for (const OperationStatistics& stats : summary.statistics) {
    if (stats.wrong != 0) {
      return fmt::format(
          "[{}]: {} of {} {}s found values that are not their key's, or not all in "
          "order",
          role.name, stats.wrong, stats.operations, stats.operation);
    }
    if (stats.misses != 0) {
      return fmt::format("[{}]: {} of {} {}s did not find their record, all of which are there",
                         role.name, stats.misses, stats.operations, stats.operation);
    }
  }
  const std::vector<StepsDone> steps = StepsOf(run);
  for (size_t t = 0; t < steps.size(); ++t) {
    const ReplayedSteps replayed =
        ReplaySteps(steps[t], role.range, run.tasks[t].key_shape, before, values);
    if (!replayed.is_known) {
      result.checked.answers = AnswersChecked::kInTheLoop;
      result.check_detail =
          "every record was found, whole; several threads wrote some of them before, so which "
          "version they had is not known";
      continue;
    }
    const std::string difference = DifferenceOf(run.results[t], replayed);
    if (!difference.empty()) return fmt::format("[{}], thread {}: {}", role.name, t, difference);
  }
  return "";
}

std::optional<std::string> Read(std::string_view text, const FileNumbers&, Role& role) {
  constexpr std::string_view kYcsb = "ycsb ";
  if (!text.starts_with(kYcsb)) return std::nullopt;
  return ReadYcsbMix(text.substr(kYcsb.size()), role.ycsb);
}

std::string ReadRequests(ParsedWorkload& parsed, const FileNumbers& numbers,
                         std::string_view text) {
  const Settings& settings = numbers.settings();
  const auto kind = DistributionKindOf(text == "$ycsb_requests"      ? settings.ycsb_requests
                                       : text == "$key_distribution" ? settings.key_distribution
                                                                     : text);
  if (!kind) {
    return "$ycsb_requests, $key_distribution, sequential, " + Listed(DistributionNames(), "or");
  }
  parsed.role().distribution.kind = *kind;
  return "";
}

// One of two words; the second one sets the member.
template <bool YcsbPlan::*kMember>
std::string ReadChoice(ParsedWorkload& parsed, std::string_view text, std::string_view first,
                       std::string_view second) {
  parsed.role().ycsb.*kMember = text == second;
  return text == first || text == second ? "" : fmt::format("{} or {}", first, second);
}

constexpr std::string_view kOnlyYcsb = "has `{} =`, which only `op = ycsb` knows";
constexpr RoleLine kLines[] = {
    {"requests", ReadRequests, kOnlyYcsb},
    {"scan_length", ReadCount<limits::kScanned, 1, &Role::ycsb, &YcsbPlan::most_scan>, kOnlyYcsb},
    {"least_scan", ReadCount<limits::kScanned, 1, &Role::ycsb, &YcsbPlan::least_scan>, kOnlyYcsb},
    {"scan_lengths",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
       return ReadChoice<&YcsbPlan::has_short_scans>(p, v, "uniform", "zipf");
     },
     kOnlyYcsb},
    {"updates",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
       return ReadChoice<&YcsbPlan::updates_read>(p, v, "whole records", "fields");
     },
     kOnlyYcsb},
    {"rmw_times",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
       return ReadChoice<&YcsbPlan::times_parts>(p, v, "whole", "whole and parts");
     },
     kOnlyYcsb},
    {"inserts",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
       return ReadChoice<&YcsbPlan::may_insert_again>(p, v, "new", "new or again");
     },
     kOnlyYcsb}};
constexpr std::string_view kOnlyLines[] = {
    "threads",     "op",         "keys",         "range",      "records", "requests",
    "scan_length", "least_scan", "scan_lengths", "updates",    "inserts", "rmw_times",
    "exponent",    "hot_keys",   "hot_requests", "value_size", "rate",    "stop"};

// Each delete needs an update that puts another record in, and each thread one to take out while
// one is out already.
Status CheckDeletes(const RoleLines& lines) {
  const Role& role = lines.role();
  const YcsbPlan& plan = role.ycsb;
  if (plan.remove == 0) return Status::Ok();
  if (plan.remove > plan.update) {
    return lines.Error(
        "op",
        "has more deletes than updates, and after each delete an update puts another "
        "record in, so that the store keeps its size; give it as many updates");
  }
  if (plan.insert > 0 || plan.updates_read || plan.times_parts) {
    return lines.Error("op", fmt::format("has deletes and {}; take one of them",
                                         plan.insert > 0     ? "inserts"
                                         : plan.updates_read ? "`updates = fields`"
                                                             : "`rmw_times = whole and parts`"));
  }
  if (role.records < 2 * role.threads) {
    return lines.Error("records",
                       fmt::format("has {} records for {}, and with deletes each thread needs 2 of "
                                   "its own; raise --num, or lower --threads",
                                   role.records, Plural(role.threads, "thread")));
  }
  if (role.range < role.records + role.threads) {
    return lines.Error("range",
                       fmt::format("has {} keys for {} records, and with deletes each thread needs "
                                   "another key, to put in; raise its `range`",
                                   role.range, role.records));
  }
  return Status::Ok();
}

Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.order != KeyOrder::kShuffled && role.order != KeyOrder::kSequential) {
    return lines.Error("keys",
                       "needs `keys = shuffled`, `sequential` or `$ycsb_key_order`: in which "
                       "order the keys of its records are");
  }
  if (role.window != 0)
    return lines.Error("keys", "takes records in order or shuffled, not within a window");
  if (role.missing || role.cut || lines.section().first_percent != 100) {
    return lines.Error("keys", "asks for keys that have no record, or only some");
  }
  if (!lines.Has("requests")) return lines.Error("", "needs `requests =`");
  if (!lines.Has("records")) {
    return lines.Error("", "needs `records =`, how many the store was loaded with");
  }
  if (role.records > role.range) {
    return lines.Error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                              role.records, role.range));
  }
  RETURN_IF_ERROR(CheckRemembered(lines, "write", 4));
  if (role.value_size.least() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size", fmt::format("has records from {} bytes on",
                                                 size_t{ValueSource::kHeaderBytes}));
  }
  if (role.ycsb.least_scan > role.ycsb.most_scan) {
    return lines.Error("least_scan",
                       fmt::format("has scans of {} records and more, but of at most {}",
                                   role.ycsb.least_scan, role.ycsb.most_scan));
  }
  if (role.operations == Role::kToTheEnd || !role.until_role.empty()) {
    return lines.Error("stop", "stops `after COUNT operations`");
  }
  RETURN_IF_ERROR(CheckDeletes(lines));
  const double inserts = static_cast<double>(role.operations) * role.ycsb.insert;
  if (inserts > static_cast<double>(role.range - role.records)) {
    return lines.Error("stop",
                       fmt::format("inserts about {:.0f} records, and there is room for {}; "
                                   "lower --reads, or raise its `range`",
                                   inserts, role.range - role.records));
  }
  return FinishRate(lines);
}

}  // namespace
}  // namespace ycsb

constinit const Operation operations::kYcsb = {
    .name = "ycsb",
    .form = "ycsb ...",
    .scope = OperationScope::kOwnKeys,
    .effects = Effect::kReads | kPuts | kErasures,
    .has_all_keys = true,
    .keeps_records = true,
    .can_warm_up = true,
    .can_repeat = true,  // Without inserts.
    .read = ycsb::Read,
    .lines = ycsb::kLines,
    .only_lines = ycsb::kOnlyLines,
    .only_refusal = "has `{} =`, which `op = ycsb` does not know",
    .check = ycsb::Check,
    .changes_store = [](const Role& role) { return role.ycsb.writes(); },
    .run = ycsb::Run,
    .verify = ycsb::Verify,
    .layer = ycsb::Layer};

}  // namespace levelfield
