// Checks that need several lines of a workload file, and values that follow from several of them.
// An error names the line to blame.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "workload/expected_state.h"
#include "workload/file/role_lines.h"
#include "workload/key_sequence.h"
#include "workload/value_source.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// Checks the lines of roles that draw some keys more often, or that fill only part of an order.
Status CheckSkew(const RoleLines& lines) {
  const Role& role = lines.role();
  using Kind = KeyDistributionPlan::Kind;
  const Kind kind = role.order == KeyOrder::kSkewed ? role.distribution.kind : Kind::kUniform;
  if (lines.Has("exponent") && kind != Kind::kZipf && kind != Kind::kLatest) {
    return lines.Error("exponent", "has an exponent, but its keys are not `zipf` or `latest`");
  }
  for (const char* const key : {"hot_keys", "hot_requests"}) {
    if (!lines.Has(key) || kind == Kind::kHotspot) continue;
    return lines.Error(key, fmt::format("has `{} =`, but its keys are not `hotspot`", key));
  }
  if (!lines.Has("records")) return Status::Ok();
  const bool is_order = role.order == KeyOrder::kShuffled || role.order == KeyOrder::kSequential;
  if (!role.operation->may_have_records || !is_order || role.repeat) {
    return lines.Error(
        "records",
        "has records, but only `op = ycsb`, and `op = put` of shuffled or sequential "
        "keys that fills the store for it, have some");
  }
  if (role.records <= role.range) return Status::Ok();
  return lines.Error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                            role.records, role.range));
}

// Checks what draws are used for and which generator they come from.
Status CheckDraws(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.source != DrawSource::kOwn &&
      (!IsDrawn(role.order) || role.order == KeyOrder::kSkewed)) {
    return lines.Error("stream",
                       "names a generator, but its keys are not uniform, drawn or forward");
  }
  if (role.source == DrawSource::kParkMiller && role.range > ParkMiller::kModulus) {
    return lines.Error("range", fmt::format("is beyond {}, the most that park-miller draws",
                                            ParkMiller::kModulus));
  }
  if (!role.operation->writes() || !IsDrawn(role.order)) return Status::Ok();
  const bool may_draw = role.operation->is_plain_write() || role.operation->is_transaction();
  if (!lines.section().drawn) {
    return lines.Error(
        "keys",
        fmt::format("writes keys that are drawn: a writer's keys are sequential or shuffled, so "
                    "that what the store must hold is known{}",
                    may_draw ? ", or `drawn`, which remembers it"
                             : "; the reads of a mix draw theirs nonetheless"));
  }
  if (!may_draw) {
    return lines.Error(
        "keys",
        "writes drawn keys, which only `op = put`, `op = erase` and `op = transaction` "
        "may do");
  }
  return CheckRemembered(lines, "drawn write", 4);
}

// If the role has a stride, uniform draws of keys become draws of runs of keys.
Status SetStride(const RoleLines& lines) {
  Role& role = lines.role();
  if (role.stride == 0) return Status::Ok();
  if (!role.operation->may_have_stride || role.order != KeyOrder::kUniform ||
      role.source != DrawSource::kOwn) {
    return lines.Error(
        "stride",
        "has a stride between the keys of a call, but only `op = multi_get` of uniform "
        "keys, drawn by our own generator without --read_random_exp_range or "
        "--key_distribution, does");
  }
  if (static_cast<unsigned __int128>(role.stride) * role.batch > role.range) {
    return lines.Error("stride",
                       fmt::format("asks for {} keys with a stride of {} in a call, which "
                                   "{} keys do not hold; lower --multiread_stride",
                                   role.batch, role.stride, role.range));
  }
  role.order = KeyOrder::kRuns;
  return Status::Ok();
}

// `when readers end` waits for [reader], or for [readers] where a role has that name.
void FindAwaited(std::vector<Role>& roles) {
  for (Role& role : roles) {
    const bool is_there = std::ranges::find(roles, role.until_role, &Role::name) != roles.end();
    const bool is_plural =
        std::ranges::find(roles, role.until_role + "s", &Role::name) != roles.end();
    if (!role.until_role.empty() && !is_there && is_plural) role.until_role += "s";
  }
}

// A role that writes until readers end does --writes operations instead, and the readers end with
// it.
void EndWithTheWriter(uint64_t writes, std::vector<Role>& roles) {
  const auto writer = std::ranges::find_if(
      roles, [](const Role& role) { return role.operation->writes() && !role.until_role.empty(); });
  if (writer == roles.end()) return;
  const auto reader = std::ranges::find(roles, writer->until_role, &Role::name);
  if (reader == roles.end() || !reader->until_role.empty()) return;  // Reported later.
  reader->until_role = writer->name;
  writer->until_role.clear();
  writer->operations = writes;
}

// As in most of the db_bench family, each of `$threads` threads does all of the role's operations.
// A role that writes in key order does all of its work in each thread, as there. Other roles go
// round in their own share of the keys, so each key keeps one writer and the expected contents are
// known.
Status CountPerThread(const RoleLines& lines) {
  Role& role = lines.role();
  const uint64_t threads = lines.settings().threads;
  if (!lines.settings().per_thread || threads == 1 || role.threads != threads) {
    return Status::Ok();
  }
  if (lines.Has("share") || role.operation->has_all_keys) return Status::Ok();
  const bool writes_all = role.order == KeyOrder::kSequential && role.records == 0 &&
                          role.range <= ExpectedState::kMostRemembered &&
                          role.operation->is_plain_write();
  if (writes_all) {
    role.repeat = true;
  } else if (role.operations != Role::kToTheEnd) {
    role.operations *= threads;
  }
  return Status::Ok();
}

Status CheckNames(const RoleLines& lines) {
  const std::vector<Role>& roles = lines.workload().roles;
  const Role& role = lines.role();
  const auto earlier = std::ranges::find(roles, role.name, &Role::name);
  if (&*earlier != &role) {
    const auto place = static_cast<size_t>(earlier - roles.begin());
    return lines.Error("", fmt::format("a second time, after line {}", lines.LineOf(place)));
  }
  if (!lines.Has("op")) return lines.Error("", "needs `op =`");
  const bool is_of_act = lines.workload().act.of != 0;
  if (!lines.Has("stop") && !is_of_act) return lines.Error("", "needs `stop =`");
  if (lines.Has("stop") && is_of_act && role.until_role.empty()) {
    return lines.Error("stop", "is of an act, which ends all of its roles by its time");
  }
  return Status::Ok();
}

// Checks that the role has only lines that its operation knows, and all that it needs.
Status CheckOwnLines(const RoleLines& lines) {
  const std::span<const RoleLine> own = lines.role().operation->lines;
  const auto is_own = [&](std::string_view key) {
    return std::ranges::find(own, key, &RoleLine::key) != own.end();
  };
  for (const Operation* const operation : Operations()) {
    for (const RoleLine& line : operation->lines) {
      if (!lines.Has(line.key) || is_own(line.key)) continue;
      return lines.Error(line.key, fmt::format(fmt::runtime(line.refusal), line.key));
    }
  }
  for (const RoleLine& line : own) {
    if (line.missing.empty() || lines.Has(line.key)) continue;
    return lines.Error(line.key, std::string(line.missing));
  }
  return Status::Ok();
}

Status CheckSizes(const RoleLines& lines) {
  const Role& role = lines.role();
  if (!role.value_size.vary() || !role.operation->has_one_value_size) return Status::Ok();
  return lines.Error("value_size",
                     "has values of one size, from which what the store holds afterwards is known: "
                     "give its file a `value_size`, or run it without sizes that vary");
}

Status CheckTakesKeys(const RoleLines& lines) {
  const bool takes_keys = lines.role().operation->takes_keys();
  if (takes_keys != (lines.role().order == KeyOrder::kNone)) return Status::Ok();
  return lines.Error("keys", takes_keys ? "needs `keys =`" : "takes no keys");
}

Status CheckKeys(const RoleLines& lines) {
  const Role& role = lines.role();
  if (!role.operation->is_scan() && role.operations == Role::kToTheEnd) {
    return lines.Error("stop", "stops at the end, which only a scan comes to");
  }
  if (role.cut && !role.operation->may_cut_keys) {
    return lines.Error("keys", "cuts its keys, which only `op = get` may do");
  }
  if (role.operation->writes() && role.missing) {
    return lines.Error("keys", "writes missing keys: a missing key is one that is never written");
  }
  return Status::Ok();
}

Status CheckRepeat(const RoleLines& lines) {
  const Role& role = lines.role();
  if (!role.repeat || !role.operation->writes()) return Status::Ok();
  const bool has_order = role.order == KeyOrder::kSequential || lines.section().drawn;
  if (!has_order || !role.operation->is_plain_write()) {
    return lines.Error(
        "share",
        "writes with `share = repeat`, which only puts and erases of drawn or sequential "
        "keys may: otherwise every key has one writer");
  }
  return CheckRemembered(lines, "write", 4);
}

Status CheckOtherRoles(const RoleLines& lines) {
  const Role& role = lines.role();
  const std::vector<Role>& roles = lines.workload().roles;
  const auto is_another_writer = [&](const Role& other) {
    return &other != &role && other.operation->writes() &&
           !(role.operation != other.operation && role.operation->has_writer_clock &&
             other.operation->has_writer_clock);
  };
  const auto has_another_clock = [&](const Role& other) {
    return role.operation->has_writer_clock && other.operation->has_writer_clock &&
           role.operation->check != other.operation->check;
  };
  if (std::ranges::any_of(roles, has_another_clock)) {
    return lines.Error("op", "is of rows or of a series, and another role of the other");
  }
  if (role.operation->writes() && std::ranges::any_of(roles, is_another_writer)) {
    return lines.Error("op", "is not the only role that writes: every key has one writer");
  }
  if (role.operation->is_of_store() && (roles.size() > 1 || role.threads > 1)) {
    return lines.Error("op", "works on the whole store: its role, of one thread, is the only one");
  }
  return Status::Ok();
}

Status CheckBatch(const RoleLines& lines) {
  if (lines.role().batch == 1 || lines.role().operation->has_batches) return Status::Ok();
  return lines.Error("batch",
                     "has a batch, but only `op = put`, `op = erase` and `op = multi_get` have "
                     "batches");
}

// Applies the flags that give readers of uniform keys other draws.
Status SetDraws(const RoleLines& lines) {
  Role& role = lines.role();
  const Settings& settings = lines.settings();
  const KeyDistributionPlan::Kind kind = DistributionOf(settings).kind;
  const auto is_uniform = [&] {
    return role.order == KeyOrder::kUniform && role.source == DrawSource::kOwn &&
           !role.operation->writes();
  };
  if (settings.read_random_exp_range > 0 && is_uniform()) {
    role.order = KeyOrder::kExponential;
    role.skew = settings.read_random_exp_range;
  }
  if (kind != KeyDistributionPlan::Kind::kUniform && is_uniform()) {
    role.order = KeyOrder::kSkewed;
    role.distribution.kind = kind;
    role.scattered = RowOf(kind).is_scattered && !settings.contiguous_hot_keys;
  }
  return Status::Ok();
}

Status CheckSeedAndEnd(const RoleLines& lines) {
  const Role& role = lines.role();
  if (lines.Has("seed") && !role.operation->takes_keys()) {
    return lines.Error("seed", "has a seed, but takes no keys");
  }
  if (role.restarts && (!role.operation->is_scan() || role.until_role.empty())) {
    return lines.Error(
        "at_end",
        "restarts, but only `op = next` and `op = prev` that stop when another role ends "
        "can");
  }
  return Status::Ok();
}

// A scan with --duration lasts that long: a store of 10 MB is read in a few milliseconds.
Status SetRestart(const RoleLines& lines) {
  Role& role = lines.role();
  const bool has_own_end =
      lines.Has("at_end") || !role.until_role.empty() || role.operations == Role::kToTheEnd;
  if (role.operation->is_scan() && lines.settings().duration > 0 && !has_own_end) {
    role.restarts = true;
  }
  return Status::Ok();
}

Status CheckOperation(const RoleLines& lines) {
  const Operation& operation = *lines.role().operation;
  return operation.check != nullptr ? operation.check(lines) : Status::Ok();
}

Status CheckMachine(const RoleLines& lines) {
  const Role& role = lines.role();
  const bool is_of_machine = role.operation->is_of_machine();
  if (is_of_machine != (lines.workload().need == StoreNeed::kNone)) {
    return lines.Error("op", is_of_machine
                                 ? "measures the machine: its workload says `needs = no store`"
                                 : "works on a store, but the workload says `needs = no store`");
  }
  if (!is_of_machine) return Status::Ok();
  if (lines.workload().roles.size() > 1) {
    return lines.Error("op", "measures the machine: its role is the only one");
  }
  if (role.value_size.vary()) {
    return lines.Error("value_size",
                       "varies, but blocks of the machine's operations have one size");
  }
  if (role.value_size.most() > ValueSource::kPoolBytes) {
    return lines.Error("value_size",
                       fmt::format("has blocks of more than {} bytes, which is all that "
                                   "the pool of values has",
                                   ValueSource::kPoolBytes));
  }
  return Status::Ok();
}

Status CheckAwaited(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.until_role.empty()) return Status::Ok();
  std::vector<std::string> names;  // Roles that end by themselves.
  for (const Role& other : lines.workload().roles) {
    if (other.until_role.empty()) names.push_back(other.name);
  }
  if (std::ranges::find(names, role.until_role) != names.end()) return Status::Ok();
  return lines.Error("stop", fmt::format("stops when [{}] ends, but no such role ends by itself{}",
                                         Printable(role.until_role.substr(0, 80)),
                                         DidYouMean(role.until_role, names)));
}

Status SetRange(const RoleLines& lines) {
  Role& role = lines.role();
  const unsigned __int128 percents =
      static_cast<unsigned __int128>(role.range) * lines.section().first_percent;
  role.range = static_cast<uint64_t>((percents + 99) / 100);
  // The last ten are left out: the missing keys of the last ten would sort after every key.
  if (role.missing && role.range > 10) role.range = (role.range - 1) / 10 * 10;
  return Status::Ok();
}

// Whether so many neighbours have their first digits in common, and no others.
bool AreOnePrefix(uint64_t keys, uint64_t base) {
  while (keys > 1 && keys % base == 0) keys /= base;
  return keys == 1;
}

// Keys whose first digits are those of a user, a device or a table.
Status CheckPrefixes(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.prefixes == 0) return Status::Ok();
  const Operation& operation = *role.operation;
  const bool is_drawn = role.order == KeyOrder::kUniform || role.order == KeyOrder::kSkewed;
  const bool has_order = operation.writes() ? role.order == KeyOrder::kShuffled : is_drawn;
  if (!has_order || operation.mixes || operation.is_transaction() || lines.Has("records") ||
      role.source != DrawSource::kOwn) {
    return lines.Error("prefixes",
                       "has prefixes, which only writers of `shuffled` keys and readers of "
                       "`uniform` or skewed ones have, and no mix: give it such keys, or leave "
                       "`prefixes` out");
  }
  if (role.window != 0 || role.missing || lines.section().first_percent != 100) {
    return lines.Error("keys",
                       "has prefixes, and keys that are missing, within a window or only of a "
                       "part; leave that out, or `prefixes`");
  }
  const std::string& format = lines.workload().key_format.empty() ? lines.settings().key_format
                                                                  : lines.workload().key_format;
  if (format != "decimal" && format != "hex") {
    return lines.Error("prefixes", fmt::format("has prefixes, which are the first digits of a key: "
                                               "--key_format={} has none; decimal and hex have",
                                               format));
  }
  const uint64_t base = format == "hex" ? 16 : 10;
  const uint64_t of_prefix = role.range / role.prefixes;
  if (role.range % role.prefixes == 0 && AreOnePrefix(of_prefix, base)) return Status::Ok();
  uint64_t next = base;
  while (next < of_prefix) next *= base;
  return lines.Error(
      "prefixes",
      fmt::format("has {} prefixes for {} keys: the keys of a prefix share their first digits if "
                  "each has {}, {}, {}, ... of them; say range = {}, or other prefixes",
                  role.prefixes, role.range, base, base * base, base * base * base,
                  role.prefixes * next));
}

// A role that is a whole load by itself may have fewer lines than others.
Status FinishLoneRole(const RoleLines& lines) {
  const Operation& operation = *lines.role().operation;
  for (const auto& [key, line] : lines.section().lines) {
    if (std::ranges::find(operation.only_lines, key) != operation.only_lines.end()) continue;
    return lines.Error(key, fmt::format(fmt::runtime(operation.only_refusal), key));
  }
  RETURN_IF_ERROR(CheckIsAlone(lines));
  return operation.check(lines);
}

using RoleCheck = Status (*)(const RoleLines& lines);

Status RunChecks(std::initializer_list<RoleCheck> checks, const RoleLines& lines) {
  for (const RoleCheck check : checks) {
    RETURN_IF_ERROR(check(lines));
  }
  return Status::Ok();
}

Status FinishRole(const RoleLines& lines) {
  RETURN_IF_ERROR(RunChecks({CheckNames, CountPerThread}, lines));
  if (!lines.role().operation->only_lines.empty()) return FinishLoneRole(lines);
  return RunChecks(
      {CheckOwnLines, CheckSkew, CheckSizes, CheckTakesKeys, CheckDraws, CheckKeys, CheckRepeat,
       CheckOtherRoles, CheckBatch, SetDraws, FinishRate, SetStride, CheckSeedAndEnd, SetRestart,
       CheckOperation, CheckMachine, CheckAwaited, SetRange, CheckPrefixes},
      lines);
}

// A later act runs on the store as the act before it left it.
void TakeStoreAsItIs(Workload& workload) {
  workload.need = StoreNeed::kAny;
  workload.loader.clear();
  workload.loaded_by.clear();
  for (Role& role : workload.roles) role.ycsb.may_insert_again = true;
}

}  // namespace

Status FinishWorkload(ParsedWorkload& parsed, const FileNumbers& numbers) {
  Workload& workload = parsed.workload;
  std::vector<FileSection>& sections = parsed.sections;
  const auto lacks = [&](const char* what) {
    return Status::Usage(fmt::format("workload {}: has no {}", Printable(workload.name), what));
  };
  if (workload.roles.empty()) return lacks("[role]");
  if (workload.summary.empty()) return lacks("`summary =`");
  if (workload.family.empty()) return lacks("`family =`, the table it is shown in");
  const auto writes = [](const Role& role) { return role.operation->writes(); };
  const bool fills =
      workload.need == StoreNeed::kEmpty && std::ranges::any_of(workload.roles, writes);
  for (const auto& [name, what] :
       {std::pair("key_format", "format"), std::pair("key_size", "sizes")}) {
    const auto line = sections.front().lines.find(name);
    if (fills || line == sections.front().lines.end()) continue;
    return LineError(workload, line->second,
                     fmt::format("{} is for a workload that fills an empty store: what is in a "
                                 "store has its {}",
                                 name, what));
  }
  // A role that erases expired entries has no threads if there is nothing to erase.
  for (size_t i = workload.roles.size(); i-- > 0;) {
    const Role& role = workload.roles[i];
    if (role.threads != 0) continue;
    if (!role.operation->may_lack_threads || workload.roles.size() == 1) {
      return LineError(workload, sections[i + 1].lines.at("threads"),
                       fmt::format("[{}] has no threads; a role has at least 1", role.name));
    }
    workload.roles.erase(workload.roles.begin() + static_cast<ptrdiff_t>(i));
    sections.erase(sections.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  FindAwaited(workload.roles);
  if (numbers.settings().finish_after_writes) {
    EndWithTheWriter(numbers.Of("$writes"), workload.roles);
  }
  for (size_t i = 0; i < workload.roles.size(); ++i) {
    RETURN_IF_ERROR(FinishRole(RoleLines(parsed, i, numbers.settings())));
  }
  if (workload.act.number > 1) TakeStoreAsItIs(workload);
  return Status::Ok();
}

}  // namespace levelfield
