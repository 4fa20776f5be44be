// An operation of YCSB: a read, an update, an insert, a scan or a read-modify-write of a record
// that draws of its own choose (workload/ycsb_draws.h), outside of the timing. A record is one
// value; an update writes it anew and reads nothing. What is read is checked on the spot: a value
// has to be whole and its key's, a scan in order, and none of the records left out that the thread
// knows to be there. Reads of records that the thread alone writes go into the digest, which is
// replayed afterwards. Belongs to one thread.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/answers.h"
#include "operations/entry_check.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/digest.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"
#include "workload/ycsb_draws.h"
#include "workload/ycsb_history.h"
#include "workload/ycsb_text.h"

namespace levelfield {
namespace {

class YcsbOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = YcsbChoice::kKinds;

  // `knows_store`: what the store holds is known, so that a scan can be seen to leave something
  // out.
  YcsbOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                const YcsbStream& stream, const KeyShape& shape, uint64_t value_size,
                bool knows_store)
      : table_(table),
        session_(session),
        values_(values),
        draws_(stream),
        capacity_(stream.capacity),
        format_(shape, stream.capacity),
        found_format_(shape, shape.Limit()),
        order_(true, shape.kind == KeyKind::kInteger),
        key_(format_.Blank()),
        value_size_(value_size),
        value_(std::max<size_t>(value_size, ValueSource::kHeaderBytes)),
        knows_store_(knows_store) {
    found_.reserve(stream.plan.most_scan);
  }

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    CheckLastScan();
    choice_ = draws_.Next();
    if (choice_.is_full) return;
    format_.Format(std::span(&choice_.key, 1), key_.data());
    if (choice_.version == 0) return;
    values_.Make(choice_.key, choice_.version, value_size_, value_.data());
  }

  lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    switch (choice_.kind) {
      case YcsbChoice::Kind::kRead:
        return Get(key);
      case YcsbChoice::Kind::kScan:
        return Scan(key);
      case YcsbChoice::Kind::kInsert:
        if (choice_.is_full) return LF_NOT_FOUND;  // Which ends the loop; nothing was asked for.
        break;
      case YcsbChoice::Kind::kModify:
        return Modify(key);
      case YcsbChoice::Kind::kUpdate:
        break;
    }
    const lf_code code = Put(key);
    if (code == LF_OK) ++tally().hits;
    return code;
  }

  size_t Lane() const { return static_cast<size_t>(choice_.kind); }

  // There was no room for one more record.
  bool is_full() const { return choice_.is_full; }

  // After the last operation.
  void Finish() { CheckLastScan(); }
  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }
  // That scans read.
  uint64_t entries() const { return entries_; }

 private:
  Tally& tally() { return tallies_[Lane()]; }

  lf_code Get(lf_bytes key) {
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    ++tally().hits;
    tally().bytes += key.size + value.size;
    if (choice_.is_own) digests_[Lane()].Add(value, choice_.key);
    tally().wrong += values_.Check(choice_.key, value) ? 0 : 1;
    return LF_OK;
  }

  lf_code Put(lf_bytes key) {
    const lf_code code = table_.put(session_, key, {value_.data(), value_size_});
    if (code == LF_OK) tally().bytes += key.size + value_size_;
    return code;
  }

  // A record that is not there is written all the same; that it was not there is counted.
  lf_code Modify(lf_bytes key) {
    lf_code code = Get(key);
    if (code != LF_OK) return code;
    code = Put(key);
    if (code != LF_OK) --tally().hits;  // Not done.
    return code;
  }

  lf_code Scan(lf_bytes sought) {
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_AT_OR_AFTER, sought, &key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    is_scan_right_ = order_.WrongFound(sought, key, value) == 0;
    order_.Begin(key);
    Read(key, value);
    while (found_.size() < choice_.scan_length) {
      code = table_.next(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the scan does.
      if (code != LF_OK) return code;
      is_scan_right_ = order_.WrongStep(key, value) == 0 && is_scan_right_;
      Read(key, value);
    }
    ++tally().hits;
    return LF_OK;
  }

  void Read(lf_bytes key, lf_bytes value) {
    ++entries_;
    tally().bytes += key.size + value.size;
    const std::optional<uint64_t> index = found_format_.Parse({key.data, key.size});
    is_scan_right_ = is_scan_right_ && index && values_.Check(*index, value);
    found_.push_back(index.value_or(capacity_));
  }

  // The entries that the last scan found, outside of the timing: from the key that was sought on,
  // no record may be missing that is known to be there.
  void CheckLastScan() {
    if (found_.empty()) return;
    if (knows_store_ && is_scan_right_) {
      uint64_t expected = choice_.key;
      for (const uint64_t found : found_) {
        is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, found);
        expected = found + 1;
      }
      if (found_.size() < choice_.scan_length) {
        is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, capacity_);
      }
    }
    tallies_[static_cast<size_t>(YcsbChoice::Kind::kScan)].wrong += is_scan_right_ ? 0 : 1;
    found_.clear();
  }

  // Whether a key in [from, to) has a record that is there.
  bool IsKnownIn(uint64_t from, uint64_t to) const {
    for (uint64_t key = from; key < to && key < capacity_; ++key) {
      if (draws_.IsKnown(draws_.keys().RecordOf(key))) return true;
    }
    return false;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  YcsbDraws draws_;
  uint64_t capacity_;
  KeyFormat format_;
  KeyFormat found_format_;  // Of what the store holds.
  OrderCheck order_;
  YcsbChoice choice_;
  std::string key_;
  uint64_t value_size_;
  std::vector<char> value_;
  bool knows_store_;
  std::vector<uint64_t> found_;  // Keys of the last scan.
  bool is_scan_right_ = true;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
  uint64_t entries_ = 0;
};

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
          .first_version = task.first_version};
}

void Run(const ThreadTask& task, ThreadResult& result) {
  const YcsbPlan& plan = task.role->ycsb;
  YcsbOperation operation(*task.table, task.session, *task.values, YcsbStreamOf(task),
                          task.key_shape, task.role->value_size.most(), !task.check_order);
  const auto shown = [](double share, std::string_view name) { return share > 0 ? name : ""; };
  ThreadRun(task, result)
      .Chosen(operation,
              {shown(plan.read, "get"), shown(plan.scan, "scan"), shown(plan.update, "put"),
               shown(plan.modify, "rmw"), shown(plan.insert, "insert")});
  operation.Finish();
  if (operation.is_full()) {
    result.code = LF_OK;
    result.error.clear();
    result.note = "ended early: there is no room for more inserts";
  }
  result.entries = operation.entries();
}

// What a thread had to read of the records that it alone writes.
struct OwnReads {
  Digest gets;
  Digest modifies;
  bool is_known = true;  // Of a version that nobody knows there is no digest.
};

OwnReads ReplayOwnReads(const ThreadTask& task, uint64_t operations, const ExpectedState& before,
                        const StoredValues& values) {
  const YcsbStream stream = YcsbStreamOf(task);
  const uint64_t size = task.role->value_size.most();
  OwnReads reads;
  std::vector<uint32_t> own(stream.capacity / stream.threads + 1, 0);
  std::vector<char> bytes;
  YcsbDraws draws(stream);
  for (uint64_t i = 0; i < operations; ++i) {
    const YcsbChoice choice = draws.Next();
    const bool is_read = choice.kind == YcsbChoice::Kind::kRead;
    if (choice.is_own && (is_read || choice.kind == YcsbChoice::Kind::kModify)) {
      const uint32_t version = own[choice.record / stream.threads];
      std::optional<ExpectedState::Entry> entry;
      if (version != 0) {
        entry = ExpectedState::Entry{.version = version, .value_size = size};
      } else {
        entry = before.Find(choice.key);
      }
      if (!entry || entry->version == ExpectedState::kUnknownVersion) {
        reads.is_known = false;
        return reads;
      }
      bytes.resize(std::max<size_t>(entry->value_size, ValueSource::kHeaderBytes));
      values.Write(choice.key, entry->version, entry->value_size, bytes.data());
      (is_read ? reads.gets : reads.modifies).Add({bytes.data(), entry->value_size}, choice.key);
    }
    if (choice.version != 0) own[choice.record / stream.threads] = choice.version;
  }
  return reads;
}

// Of one thread; empty: it read what it had to.
std::string DifferenceOf(const ThreadResult& result, const OwnReads& reads) {
  for (const ThreadLane& lane : result.lanes) {
    const bool is_get = lane.operation == "get";
    if (!is_get && lane.operation != "rmw") continue;
    const uint64_t expected = (is_get ? reads.gets : reads.modifies).Value();
    if (lane.tally.digest == expected) continue;
    return fmt::format(
        "what was read of the records that it alone writes differs from what was written (digest "
        "{:016x} instead of {:016x})",
        lane.tally.digest, expected);
  }
  return "";
}

WriteLayer Layer(const Role&, const RoleRun& run, std::span<const RoleRun>) {
  std::vector<YcsbHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({YcsbStreamOf(run.tasks[t]), run.results[t].Operations()});
  }
  return LayerOf(run,
                 std::make_shared<YcsbHistory>(shares, run.tasks.front().role->value_size.most()));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.lanes.empty()) return "";
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) {
    entries += thread.entries;
    if (!thread.note.empty()) result.note = thread.note;
  }
  if (role.ycsb.scan > 0) {
    const auto scans = std::ranges::find(summary.lanes, "scan", &LaneResult::operation);
    result.note += fmt::format("{}{} entries in {} scans", result.note.empty() ? "" : "; ", entries,
                               scans->operations);
  }
  result.checked = "replayed";
  result.check_detail =
      run.tasks.size() == 1
          ? "every record was found, and what was read of it is what the model has"
          : "every record was found whole; what was read of those that the reading thread alone "
            "writes is what the model has";
  if (role.ycsb.scan > 0) {
    result.check_detail +=
        "; scans were in order, whole, and left out no record that the thread knew of";
  }
  for (const LaneResult& lane : summary.lanes) {
    if (lane.wrong != 0) {
      return fmt::format(
          "[{}]: {} of {} {}s found values that are not their key's, or not all in "
          "order",
          role.name, lane.wrong, lane.operations, lane.operation);
    }
    if (lane.misses != 0) {
      return fmt::format("[{}]: {} of {} {}s did not find their record, all of which are there",
                         role.name, lane.misses, lane.operations, lane.operation);
    }
  }
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const OwnReads reads =
        ReplayOwnReads(run.tasks[t], run.results[t].Operations(), before, values);
    if (!reads.is_known) {
      result.checked = "in the loop";
      result.check_detail =
          "every record was found, whole; several threads wrote some of them before, so which "
          "version they had is not known";
      continue;
    }
    const std::string difference = DifferenceOf(run.results[t], reads);
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
  const auto kind = text == "$ycsb_requests" ? std::optional(numbers.variables().ycsb_requests)
                                             : DistributionKindOf(text);
  if (!kind) return "$ycsb_requests, uniform, zipf, ycsb-zipf, latest, hotspot or exponential";
  parsed.role().distribution.kind = *kind;
  return "";
}

constexpr std::string_view kOnlyYcsb = "has `{} =`, which only `op = ycsb` knows";
constexpr RoleLine kLines[] = {
    {"requests", ReadRequests, kOnlyYcsb},
    {"scan_length", ReadCount<kMostScanned, 1, &Role::ycsb, &YcsbPlan::most_scan>, kOnlyYcsb}};
constexpr std::string_view kOnlyLines[] = {
    "threads",  "op",       "keys",         "range",      "records", "requests", "scan_length",
    "exponent", "hot_keys", "hot_requests", "value_size", "rate",    "stop"};

Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.order != KeyOrder::kShuffled && role.order != KeyOrder::kSequential) {
    return lines.Error("keys",
                       "needs `keys = shuffled`, `sequential` or `$ycsb_key_order`: in which "
                       "order the keys of its records are");
  }
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
  if (const Status status = CheckRemembered(lines, "write", 4); !status.ok()) return status;
  if (role.value_size.vary() || role.value_size.most() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size", fmt::format("has records of one size, from {} bytes on",
                                                 size_t{ValueSource::kHeaderBytes}));
  }
  if (role.operations == Role::kToTheEnd || !role.until_role.empty()) {
    return lines.Error("stop", "stops `after COUNT operations`");
  }
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

constinit const Operation operations::kYcsb = {
    .name = "ycsb",
    .form = "ycsb ...",
    .scope = OperationScope::kOwnKeys,
    .reads = true,
    .writes = true,
    .has_all_keys = true,
    .keeps_records = true,
    .can_warm_up = true,
    .read = Read,
    .lines = kLines,
    .only_lines = kOnlyLines,
    .only_refusal = "has `{} =`, which `op = ycsb` does not know",
    .check = Check,
    .changes_store = [](const Role& role) { return role.ycsb.writes(); },
    .run = Run,
    .verify = Verify,
    .layer = Layer};

}  // namespace levelfield
