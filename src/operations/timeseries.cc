// The operations on a series of times and ids (workload/timeseries.h). One thread puts an entry for
// each time, others scan all entries of an id, and others erase the expired entries of an id. A
// scan is checked entry by entry: the times of an id are known, and so is how far the writer was
// before the scan and after it. An entry may be missing only if it has expired and somebody erases
// such entries.
#include "workload/timeseries.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace series {
namespace {

class SeriesSteps {
 public:
  explicit SeriesSteps(const ThreadTask& task)
      : clock_(*task.writer_clock),
        round_(clock_.plan.Round(0)),
        version_(task.first_version),
        value_size_(task.role->value_size.most()) {}

  Step Next() {
    const uint64_t place = time_ % clock_.plan.ids;
    if (place == 0) round_ = clock_.plan.Round(time_ / clock_.plan.ids);
    return {.kind = StepKind::kPut,
            .version = version_,
            .key = clock_.plan.IndexOf(round_.At(place), time_),
            .size = value_size_};
  }

  void Done(const Step&) { clock_.now.store(++time_, std::memory_order_release); }
  void GoOn(const ThreadTask& task) {
    time_ = task.done;
    round_ = clock_.plan.Round(time_ / clock_.plan.ids);
    clock_.now.store(time_, std::memory_order_release);
  }

 private:
  WriterClock& clock_;
  Permutation round_;
  uint32_t version_;
  uint64_t value_size_;
  uint64_t time_ = 0;
};

// The scan of an id, for readers and erasers.
class SeriesScan {
 public:
  explicit SeriesScan(const ThreadTask& task)
      : seek_(task.table->seek),
        next_(task.table->next),
        session_(task.session),
        values_(*task.values),
        clock_(*task.writer_clock),
        format_(task.key_shape, clock_.plan.range()),
        ids_(task.choice_seed),
        version_(task.first_version),
        is_anonymous_(task.role->value_size.most() < ValueSource::kHeaderBytes),
        key_(format_.Blank()) {}

  static constexpr bool kWholeBlock = false;
  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) { DrawId(); }
  size_t Statistics() const { return 0; }
  // Entries read, or erased.
  uint64_t entries() const { return entries_; }

 protected:
  struct Entry {
    uint64_t time = 0;
    uint64_t bytes = 0;
    bool is_right = false;  // It belongs to the id and has the right value.
  };

  void DrawId() {
    id_ = ids_.Below(clock_.plan.ids);
    Format(0);
  }
  void Format(uint64_t time) {
    const uint64_t index = clock_.plan.IndexOf(id_, time);
    key_size_ = format_.FormatOne(index, key_.data());
  }

  // The next entry of the id; empty: `code` says whether that is the id's end.
  [[gnu::always_inline]] std::optional<Entry> Step(bool is_first, lf_code* code) {
    lf_bytes key;
    lf_bytes value;
    *code = is_first ? seek_(session_, LF_AT_OR_AFTER, {key_.data(), key_size_}, &key, &value)
                     : next_(session_, &key, &value);
    if (*code != LF_OK) return std::nullopt;
    const std::optional<uint64_t> index = format_.Parse({key.data, key.size});
    if (index && clock_.plan.IdOf(*index) != id_) return std::nullopt;
    // A key that is not ours stands among the id's entries.
    if (!index) return Entry{};
    const uint64_t time = clock_.plan.TimeOf(*index);
    return Entry{.time = time,
                 .bytes = key.size + value.size,
                 .is_right = clock_.plan.TimeIn(time / clock_.plan.ids, id_) == time &&
                             (is_anonymous_ || values_.Check(*index, value) == version_)};
  }

  decltype(lf_engine::seek) seek_;
  decltype(lf_engine::next) next_;
  lf_session* session_;
  const ValueSource& values_;
  const WriterClock& clock_;
  KeyFormat format_;
  Random ids_;
  uint32_t version_;
  bool is_anonymous_;
  uint64_t id_ = 0;
  std::string key_;
  size_t key_size_ = 0;
  OperationCounts counts_;
  uint64_t entries_ = 0;
};

class SeriesReadOperation : public SeriesScan {
 public:
  static constexpr bool kWholeBlock = false;
  using SeriesScan::SeriesScan;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) { DrawId(); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const SeriesPlan& plan = clock_.plan;
    const uint64_t before = clock_.now.load(std::memory_order_acquire);
    bool is_right = true;
    uint64_t entries = 0;
    uint64_t round = 0;               // The round of the entry that is due.
    std::optional<uint64_t> missing;  // The last round that was skipped.
    lf_code code = LF_OK;
    while (const std::optional<Entry> entry = Step(entries == 0, &code)) {
      counts_.bytes += entry->bytes;
      ++entries;
      const uint64_t found = entry->time / plan.ids;
      is_right = entry->is_right && found >= round;
      if (!is_right) break;  // Entries of an engine that keeps nothing may have no end.
      if (found > round) missing = found - 1;
      round = found + 1;
    }
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    // The scan has seen every entry from before it.
    const uint64_t written = plan.RoundFrom(before, id_);
    if (written > round) missing = written - 1;
    if (missing) {
      const uint64_t after = clock_.now.load(std::memory_order_acquire);
      is_right = is_right && plan.expires && plan.TimeIn(*missing, id_) < plan.ExpiredBefore(after);
    }
    counts_.wrong += is_right ? 0 : 1;
    counts_.misses += entries == 0 ? 1 : 0;
    entries_ += entries;
    return LF_OK;
  }

  // A hit is an id that has entries.
  OperationCounts counts(uint64_t, uint64_t operations) const {
    OperationCounts counts = counts_;
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    return counts;
  }
};

// Erases the expired entries of an id. They are its first entries up to some time, so the model
// needs only one time for each id.
class SeriesExpireOperation : public SeriesScan {
 public:
  explicit SeriesExpireOperation(const ThreadTask& task)
      : SeriesScan(task), erase_(task.table->erase), erased_before_(clock_.plan.ids) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const SeriesPlan& plan = clock_.plan;
    const uint64_t limit = plan.ExpiredBefore(clock_.now.load(std::memory_order_acquire));
    if (limit == 0) {  // Nothing can have expired so early.
      ++counts_.misses;
      return LF_OK;
    }
    lf_code code = LF_OK;
    times_.clear();
    bool is_first = true;
    while (const std::optional<Entry> entry = Step(is_first, &code)) {
      is_first = false;
      const bool is_right = entry->is_right && (times_.empty() || entry->time > times_.back());
      if (!is_right) ++counts_.wrong;
      if (!is_right || entry->time >= limit) break;
      times_.push_back(entry->time);
    }
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    for (const uint64_t time : times_) {
      Format(time);
      code = erase_(session_, {key_.data(), key_size_});
      if (code != LF_OK) return code;
      counts_.bytes += key_size_;
      ++entries_;
    }
    erased_before_[id_] = std::max(erased_before_[id_], limit);
    return LF_OK;
  }

  OperationCounts counts(uint64_t, uint64_t operations) const {
    OperationCounts counts = counts_;
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    return counts;
  }
  const std::vector<uint64_t>& erased_before() const { return erased_before_; }

 private:
  decltype(lf_engine::erase) erase_;
  std::vector<uint64_t> times_;          // The times of one id's expired entries; keeps its memory.
  std::vector<uint64_t> erased_before_;  // By id.
};

void RunPut(const ThreadTask& task, ThreadResult& result) {
  StepsOperation<StepCheck::kNone, SeriesSteps> operation(
      task, SeriesSteps(task), task.writer_clock->plan.range(), task.role->value_size.most());
  RunSteps(task, result, operation, {"", "", "put"});
}

void RunRead(const ThreadTask& task, ThreadResult& result) {
  SeriesReadOperation operation(task);
  ThreadRun(task, result).One(operation);
  result.entries = operation.entries();
}

void RunExpire(const ThreadTask& task, ThreadResult& result) {
  SeriesExpireOperation operation(task);
  ThreadRun(task, result).One(operation);
  result.entries = operation.entries();
  result.erased_before = operation.erased_before();
}

// What was written, less what any eraser has erased.
WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun> phase) {
  std::vector<uint64_t> erased_before;
  for (const RoleRun& other : phase) {
    for (const ThreadResult& result : other.results) {
      erased_before.resize(std::max(erased_before.size(), result.erased_before.size()));
      for (size_t id = 0; id < result.erased_before.size(); ++id) {
        erased_before[id] = std::max(erased_before[id], result.erased_before[id]);
      }
    }
  }
  const ThreadTask& task = run.tasks.front();
  return LayerOf(run, std::make_shared<SeriesHistory>(
                          task.writer_clock->plan, run.results.front().Operations(),
                          std::move(erased_before), task.first_version, role.value_size.most()));
}

// Verifies readers and erasers.
std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  const OperationStatistics& stats = summary.statistics.front();
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) entries += thread.entries;
  result.note += fmt::format("{}{} entries {}", result.note.empty() ? "" : ", ", entries,
                             role.operation->writes() ? "erased" : "read");
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail =
      "each scan of an id found all its entries that were there before it, in order, but for those "
      "that had expired where they are erased";
  if (stats.wrong == 0) return "";
  return fmt::format("[{}]: {} of {} scans of an id did not find the entries that it has",
                     role.name, stats.wrong, stats.operations);
}

constexpr uint64_t kMostIds = 2'147'483'647;
constexpr RoleLine kLines[] = {
    {"ids", ReadCount<kMostIds, 1, &Role::series, &SeriesPlan::ids>},
    {"time_range", ReadCount<KeyFormat::kLimit, 0, &Role::series, &SeriesPlan::time_range>}};

// All roles of a series get the writer's settings.
Status Check(const RoleLines& lines) {
  Role& role = lines.role();
  const std::vector<Role>& roles = lines.workload().roles;
  const auto puts = [](const Role& other) { return other.operation->layer == Layer; };
  const auto expires = [](const Role& other) { return other.operation->run == RunExpire; };
  RETURN_IF_ERROR(role.operation->layer == Layer ? CheckFillsAlone(lines) : CheckFills(lines));
  const auto writer = std::ranges::find_if(roles, puts);
  if (writer == roles.end()) {
    return lines.Error("op", "is of a series, which no role with `op = series put` writes");
  }
  if (writer->operations == 0 || !writer->until_role.empty()) {
    return lines.Error("stop", "is of a series whose writer has no number of operations");
  }
  role.series.ids = writer->series.ids;
  role.series.time_range = writer->series.time_range;
  role.series.time_bits = SeriesPlan::BitsFor(writer->operations);
  role.series.expires = std::ranges::any_of(roles, expires);
  role.value_size = writer->value_size;
  if (role.series.time_bits > 50 || static_cast<unsigned __int128>(role.series.ids)
                                            << role.series.time_bits >
                                        KeyFormat::kLimit) {
    return lines.Error("op",
                       fmt::format("needs more keys than there are: {} ids of {} times (rounded "
                                   "up to a power of two); lower --key_id_range or --num",
                                   role.series.ids, writer->operations));
  }
  role.range = role.series.range();
  return Status::Ok();
}

constexpr Operation RowNamed(std::string_view name, std::string_view result_name, Effects effects) {
  return {.name = name,
          .result_name = result_name,
          .scope = OperationScope::kOwnKeys,
          .effects = effects,
          .has_one_value_size = true,
          .has_writer_clock = true,
          .check = Check};
}

constexpr Operation PutRow() {
  Operation row = RowNamed("series put", "put", kPuts);
  row.goes_on = true;
  row.run = RunPut;
  row.layer = Layer;
  row.lines = kLines;
  return row;
}

constexpr Operation ReadRow() {
  Operation row = RowNamed("series read", "scan", Effect::kReads);
  row.run = RunRead;
  row.verify = Verify;
  return row;
}

// The layer of the role that puts shows what this one erases.
constexpr Operation ExpireRow() {
  Operation row = RowNamed("series expire", "expire", Effect::kReads | kErasures);
  row.run = RunExpire;
  row.may_lack_threads = true;
  row.verify = Verify;
  return row;
}

}  // namespace
}  // namespace series

constinit const Operation operations::kSeriesPut = series::PutRow();
constinit const Operation operations::kSeriesRead = series::ReadRow();
constinit const Operation operations::kSeriesExpire = series::ExpireRow();

}  // namespace levelfield
