#include "workload/file/role_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "base/quote.h"
#include "workload/expected_state.h"
#include "workload/file/choosing_checks.h"
#include "workload/file/draw_checks.h"
#include "workload/file/key_text.h"
#include "workload/file/lone_role_checks.h"
#include "workload/file/operation_checks.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// Who writes until readers end does --writes operations instead, and the readers end when it does.
void EndWithTheWriter(uint64_t writes, std::vector<Role>& roles) {
  const auto writer = std::ranges::find_if(
      roles, [](const Role& role) { return Writes(role.operation) && !role.until_role.empty(); });
  if (writer == roles.end()) return;
  const auto reader = std::ranges::find(roles, writer->until_role, &Role::name);
  if (reader == roles.end() || !reader->until_role.empty()) return;  // Told of later.
  reader->until_role = writer->name;
  writer->until_role.clear();
  writer->operations = writes;
}

// Operations of a role of `$threads` threads are of each of them, as in most of the db_bench
// family. Who writes in key order does all of the work in each thread, as there; the others go
// round in their own share of the keys, so that each key keeps one writer and what the store must
// hold is known.
void CountPerThread(uint64_t threads, const RoleLines& lines, Role& role) {
  if (threads == 1 || role.threads != threads || lines.Has("share")) return;
  if (role.operation == OperationKind::kYcsb || role.operation == OperationKind::kTrace) return;
  const bool writes_all =
      role.order == KeyOrder::kSequential && role.records == 0 &&
      role.range <= ExpectedState::kMostRemembered &&
      (role.operation == OperationKind::kPut || role.operation == OperationKind::kErase);
  if (writes_all) {
    role.repeat = true;
  } else if (role.operations != Role::kToTheEnd) {
    role.operations *= threads;
  }
}

Status CheckAwaited(const Workload& workload, const Role& role, const RoleLines& lines) {
  if (role.until_role.empty()) return Status::Ok();
  std::vector<std::string> names;  // Of those that end by themselves.
  for (const Role& other : workload.roles) {
    if (other.until_role.empty()) names.push_back(other.name);
  }
  if (std::ranges::find(names, role.until_role) != names.end()) return Status::Ok();
  return lines.Error("stop", fmt::format("stops when [{}] ends, but no such role ends by itself{}",
                                         Printable(role.until_role.substr(0, 80)),
                                         DidYouMean(role.until_role, names)));
}

Status FinishRole(ParsedWorkload& parsed, size_t index, const Settings& settings) {
  const Workload& workload = parsed.workload;
  Role& role = parsed.workload.roles[index];
  const RoleLines lines(workload, role, parsed.sections[index + 1]);
  const auto earlier = std::ranges::find(workload.roles, role.name, &Role::name);
  if (&*earlier != &role) {
    const auto place = static_cast<size_t>(earlier - workload.roles.begin());
    return lines.Error(
        "", fmt::format("a second time, after line {}", parsed.sections[place + 1].line));
  }
  if (!lines.Has("op")) return lines.Error("", "needs `op =`");
  if (!lines.Has("stop")) return lines.Error("", "needs `stop =`");
  if (settings.per_thread) CountPerThread(settings.threads, lines, role);
  if (role.operation == OperationKind::kGraph)
    return FinishGraph(workload, ValueSizeSeed(settings), role, lines);
  if (role.operation == OperationKind::kYcsb)
    return FinishYcsb(workload, KeyBytesOf(settings), role, lines);
  if (role.operation == OperationKind::kTrace) return FinishTrace(workload, role, lines);
  if (const Status status = CheckSkew(role, lines); !status.ok()) return status;
  const bool makes_one_size = IsUpdate(role.operation) && role.operation != OperationKind::kUpdate;
  if (role.value_size.vary() && (makes_one_size || ChoosesKeys(role.operation) ||
                                 role.operation == OperationKind::kTransaction)) {
    return lines.Error(
        "value_size",
        "has values of one size, from which what the store holds afterwards is known: "
        "give its file a `value_size`, or run it without sizes that vary");
  }
  const bool takes_keys = TakesKeys(role.operation);
  if (takes_keys == (role.order == KeyOrder::kNone)) {
    return lines.Error("keys", takes_keys ? "needs `keys =`" : "takes no keys");
  }
  if (const Status status = CheckDraws(role, lines); !status.ok()) return status;
  if (!IsScan(role.operation) && role.operations == Role::kToTheEnd) {
    return lines.Error("stop", "stops at the end, which only a scan comes to");
  }
  if (role.cut && role.operation != OperationKind::kGet) {
    return lines.Error("keys", "cuts its keys, which only `op = get` may do");
  }
  if (Writes(role.operation) && role.missing) {
    return lines.Error("keys", "writes missing keys: a missing key is one that nobody writes");
  }
  const bool may_repeat = role.operation != OperationKind::kMix &&
                          role.operation != OperationKind::kMerge && !IsUpdate(role.operation) &&
                          role.operation != OperationKind::kTransaction &&
                          (role.order == KeyOrder::kSequential || lines.section().drawn);
  if (Writes(role.operation) && role.repeat && !may_repeat) {
    return lines.Error(
        "share",
        "writes with `share = repeat`, which only puts and erases of drawn or sequential "
        "keys may: otherwise every key has one writer");
  }
  if (role.repeat && Writes(role.operation) && role.range > ExpectedState::kMostRemembered) {
    return lines.Error("range",
                       fmt::format("has more than {} keys, of each of which the last write "
                                   "would be remembered, in 4 bytes",
                                   ExpectedState::kMostRemembered));
  }
  const auto is_another_writer = [&](const Role& other) {
    return &other != &role && Writes(other.operation) &&
           !(role.operation != other.operation && IsOfSeries(role.operation) &&
             IsOfSeries(other.operation));
  };
  if (Writes(role.operation) && std::ranges::any_of(workload.roles, is_another_writer)) {
    return lines.Error("op", "is not the only role that writes: every key has one writer");
  }
  if (IsOfStore(role.operation) && (workload.roles.size() > 1 || role.threads > 1)) {
    return lines.Error("op", "works on the whole store: its role, of one thread, is the only one");
  }
  if (role.batch > 1 && role.operation != OperationKind::kPut &&
      role.operation != OperationKind::kErase && role.operation != OperationKind::kMultiGet) {
    return lines.Error("batch",
                       "has a batch, but only `op = put`, `op = erase` and `op = multi_get` have "
                       "batches");
  }
  if (const Status status = CheckTransaction(role, lines); !status.ok()) return status;
  const bool seeks = role.operation == OperationKind::kSeek || role.seek_percent != 0;
  for (const char* const key : {"nexts", "direction", "max_distance"}) {
    if (!lines.Has(key) || seeks) continue;
    return lines.Error(key,
                       fmt::format("has {}, but only `op = seek` and a mix that seeks do", key));
  }
  if (role.again && role.max_distance != 0) {
    return lines.Error("max_distance",
                       "has a max_distance, which `op = seek again` does not look at");
  }
  if (settings.read_random_exp_range > 0 && role.order == KeyOrder::kUniform &&
      role.source == DrawSource::kOwn && !Writes(role.operation)) {
    role.order = KeyOrder::kExponential;
    role.skew = settings.read_random_exp_range;
  }
  const KeyDistributionPlan::Kind kind = DistributionOf(settings).kind;
  if (kind != KeyDistributionPlan::Kind::kUniform && role.order == KeyOrder::kUniform &&
      role.source == DrawSource::kOwn && !Writes(role.operation)) {
    role.order = KeyOrder::kSkewed;
    role.distribution.kind = kind;
    role.scattered = IsScattered(role.distribution.kind) && !settings.contiguous_hot_keys;
  }
  if (const Status status = FinishRate(KeyBytesOf(settings), role, lines); !status.ok())
    return status;
  if (const Status status = SetStride(role, lines); !status.ok()) return status;
  if (lines.Has("seed") && !takes_keys) {
    return lines.Error("seed", "has a seed, but takes no keys");
  }
  if (role.restarts && (!IsScan(role.operation) || role.until_role.empty())) {
    return lines.Error(
        "at_end",
        "restarts, but only `op = next` and `op = prev` that stop when another role ends "
        "can");
  }
  if (const Status status = CheckChoosing(workload, role, lines); !status.ok()) return status;
  if (const Status status = CheckText(role, lines); !status.ok()) return status;
  if (const Status status = CheckMachine(workload, role, lines); !status.ok()) return status;
  if (const Status status = CheckAwaited(workload, role, lines); !status.ok()) return status;
  const unsigned __int128 percents =
      static_cast<unsigned __int128>(role.range) * lines.section().first_percent;
  role.range = static_cast<uint64_t>((percents + 99) / 100);
  // The last ten are left out: the missing keys of the last tens would sort behind every key.
  if (role.missing && role.range > 10) role.range = (role.range - 1) / 10 * 10;
  return Status::Ok();
}

}  // namespace

Status FinishWorkload(ParsedWorkload& parsed, const FileNumbers& numbers) {
  Workload& workload = parsed.workload;
  std::vector<Section>& sections = parsed.sections;
  const auto lacks = [&](const char* what) {
    return Status::Usage(fmt::format("workload {}: has no {}", Printable(workload.name), what));
  };
  if (workload.roles.empty()) return lacks("[role]");
  if (workload.summary.empty()) return lacks("`summary =`");
  if (workload.family.empty()) return lacks("`family =`, the table it is shown in");
  const auto writes = [](const Role& role) { return Writes(role.operation); };
  if (!workload.key_format.empty() &&
      (workload.need != StoreNeed::kEmpty || std::ranges::none_of(workload.roles, writes))) {
    return LineError(
        workload, sections.front().lines.at("key_format"),
        "key_format is for a workload that fills an empty store: what is in a store has "
        "its format");
  }
  // Who erases what has expired has no threads where nothing is to be erased.
  for (size_t i = workload.roles.size(); i-- > 0;) {
    const Role& role = workload.roles[i];
    if (role.threads != 0) continue;
    if (role.operation != OperationKind::kSeriesExpire || workload.roles.size() == 1) {
      return LineError(workload, sections[i + 1].lines.at("threads"),
                       fmt::format("[{}] has no threads; a role has at least 1", role.name));
    }
    workload.roles.erase(workload.roles.begin() + static_cast<ptrdiff_t>(i));
    sections.erase(sections.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  if (numbers.settings().finish_after_writes) {
    EndWithTheWriter(numbers.Of("$writes"), workload.roles);
  }
  for (size_t i = 0; i < workload.roles.size(); ++i) {
    const Status status = FinishRole(parsed, i, numbers.settings());
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace levelfield
