// The operations of the insert benchmark on rows (workload/rows.h). One makes the secondary entries
// of the rows that are there. One inserts rows, each with its entries, and perhaps deletes as many
// of the oldest in the same write. Others scan a few entries of a secondary index beside it.
#include "workload/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/row_scan.h"
#include "operations/row_writes.h"
#include "operations/seek_range.h"
#include "operations/thread_run.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace rows {
namespace {

// Why the store is none of rows; empty: it is.
std::string Trouble(const ThreadTask& task) {
  const RowsPlan& plan = task.role->rows;
  if (!task.before->IsComplete()) {
    return "the store was there before, and which rows it holds is not known";
  }
  const RowNumbers held = RowsHeldBefore(task);
  if (held.count() == 0) return "the store holds no rows; run a workload before that puts some";
  if (held.count() + 2 * plan.batch > plan.rows) {
    return fmt::format(
        "the store holds {} rows, and with the next ones there are more than the {} "
        "that have places; raise `rows`",
        held.count(), plan.rows);
  }
  return "";
}

// Whether rows have been indexed: the oldest, or others behind it.
bool HasEntries(const ThreadTask& task) {
  const RowPlaces places = RowPlacesOf(task);
  const RowNumbers held = RowsHeldBefore(task);
  const uint64_t index = std::min<uint64_t>(places.plan().indexes, 1);
  return task.before->Find(places.KeyOf(held.first, index)) ||
         task.before->Find(places.KeyOf(held.end - 1, index));
}

void RunIndex(const ThreadTask& task, ThreadResult& result) {
  if (const std::string trouble = Trouble(task); !trouble.empty()) {
    return ThreadRun(task, result).Refuse(trouble);
  }
  const IndexWalk walk(RowPlacesOf(task), RowsHeldBefore(task));
  ThreadTask whole = task;
  whole.operations = std::min(task.operations, walk.entries());
  ThreadRun(whole, result).One(RowIndexOperation(whole, walk), whole.role->batch);
}

void RunInsert(const ThreadTask& task, ThreadResult& result) {
  std::string trouble = Trouble(task);
  const RowsPlan& plan = task.role->rows;
  ThreadTask limited = task;
  if (trouble.empty() && plan.deletes == 0) {
    // Without deletions they end when all places are taken.
    const uint64_t room = plan.rows - RowsHeldBefore(task).count() - plan.batch;
    if (task.role->until_role.empty() && task.operations > room) {
      trouble = fmt::format(
          "{} rows are to be inserted, and of {} places there are {} left; raise "
          "`rows`, or say `deletes = 1`",
          task.operations, plan.rows, room);
    }
    limited.operations = std::min(task.operations, room);
  }
  if (!trouble.empty()) return ThreadRun(task, result).Refuse(trouble);
  ThreadRun(limited, result).One(RowInsertOperation(limited), plan.batch);
  if (plan.deletes == 0) result.statistics.front().effects = kPuts;
}

void RunScan(const ThreadTask& task, ThreadResult& result) {
  std::string trouble = Trouble(task);
  if (trouble.empty() && !HasEntries(task)) {
    trouble =
        "the rows have no entries in the secondary indexes; run a workload with `op = row "
        "index` before";
  }
  if (!trouble.empty()) return ThreadRun(task, result).Refuse(trouble);
  RowScanOperation operation(task);
  ThreadRun(task, result).One(operation);
  result.entries = operation.entries();
}

WriteLayer IndexLayer(const Role&, const RoleRun& run, std::span<const RoleRun>) {
  const ThreadTask& task = run.tasks.front();
  return LayerOf(
      run, std::make_shared<IndexHistory>(RowPlacesOf(task), RowsHeldBefore(task),
                                          run.results.front().Operations(), task.first_version));
}

WriteLayer InsertLayer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const ThreadTask& task = run.tasks.front();
  return LayerOf(run, std::make_shared<RowHistory>(RowPlacesOf(task), RowsHeldBefore(task),
                                                   run.results.front().Operations(),
                                                   task.first_version, role.value_size.most()));
}

// Verifies readers.
std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  const OperationStatistics& stats = summary.statistics.front();
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) entries += thread.entries;
  result.note += fmt::format("{}{} entries read", result.note.empty() ? "" : ", ", entries);
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail =
      "each scan of an index found the entries of all rows that were there before it and after "
      "it, in order and with their values, and of no row that was not";
  if (stats.wrong == 0) return "";
  return fmt::format("[{}]: {} of {} scans of an index did not find the entries that it has",
                     role.name, stats.wrong, stats.operations);
}

constexpr uint64_t kMostIndexes = 16;
constexpr uint64_t kMostInBatch = 1'000'000;
constexpr RoleLine kRows = {.key = "rows",
                            .read = ReadCount<KeyFormat::kLimit, 1, &Role::rows, &RowsPlan::rows>,
                            .missing = "needs `rows =`, the places of rows in an index"};
constexpr RoleLine kIndexes = {"indexes",
                               ReadCount<kMostIndexes, 0, &Role::rows, &RowsPlan::indexes>};
constexpr RoleLine kBatch = {"batch_rows",
                             ReadCount<kMostInBatch, 1, &Role::rows, &RowsPlan::batch>};
constexpr RoleLine kIndexLines[] = {kRows, kIndexes, kBatch};
constexpr RoleLine kInsertLines[] = {
    kRows, kIndexes, kBatch, {"deletes", ReadCount<1, 0, &Role::rows, &RowsPlan::deletes>}};
constexpr RoleLine kScanLines[] = {
    {"nexts", ReadCount<limits::kScanned, 0, &Role::nexts>, kDoesNotSeek}};

Status Check(const RoleLines& lines) {
  Role& role = lines.role();
  const std::vector<Role>& roles = lines.workload().roles;
  const auto inserts = [](const Role& other) { return other.operation->layer == InsertLayer; };
  if (!role.operation->writes()) {
    const auto writer = std::ranges::find_if(roles, inserts);
    if (writer == roles.end()) {
      return lines.Error("op", "is of rows, which no role with `op = row insert` inserts");
    }
    role.rows = writer->rows;
    role.value_size = writer->value_size;
  } else if (role.threads > 1) {
    return lines.Error("threads", "has more than one thread, which it works in");
  } else {
    role.batch = role.rows.batch;
  }
  if (static_cast<unsigned __int128>(role.rows.rows) * (1 + role.rows.indexes) >
      KeyFormat::kLimit) {
    return lines.Error("rows", fmt::format("needs more keys than there are: {} indexes of {} rows",
                                           1 + role.rows.indexes, role.rows.rows));
  }
  if (role.value_size.least() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size",
                       fmt::format("compares values, which name their version from {} bytes on",
                                   size_t{ValueSource::kHeaderBytes}));
  }
  role.range = role.rows.range();
  return Status::Ok();
}

constexpr Operation RowNamed(std::string_view name, std::string_view result_name, Effects effects) {
  return {.name = name,
          .result_name = result_name,
          .scope = OperationScope::kOwnKeys,
          .effects = effects,
          .has_one_value_size = true,
          .keeps_records = true,
          .check = Check};
}

constexpr uint64_t SmallestValue(const Role&) { return RowsPlan::kEntryBytes; }

constexpr Operation IndexRow() {
  Operation row = RowNamed("row index", "index", kPuts);
  row.lines = kIndexLines;
  row.smallest_value = SmallestValue;
  row.run = RunIndex;
  row.layer = IndexLayer;
  return row;
}

constexpr Operation InsertRow() {
  Operation row = RowNamed("row insert", "insert", kPuts | kErasures);
  row.has_writer_clock = true;
  row.lines = kInsertLines;
  row.smallest_value = SmallestValue;
  row.run = RunInsert;
  row.layer = InsertLayer;
  return row;
}

constexpr Operation ScanRow() {
  Operation row = RowNamed("row scan", "scan", Effect::kReads);
  row.lookup = Lookup::kPlace;
  row.has_writer_clock = true;
  row.lines = kScanLines;
  row.run = RunScan;
  row.verify = Verify;
  return row;
}

static_assert(RowsPlan::kEntryBytes == ValueSource::kHeaderBytes);

}  // namespace
}  // namespace rows

constinit const Operation operations::kRowIndex = rows::IndexRow();
constinit const Operation operations::kRowInsert = rows::InsertRow();
constinit const Operation operations::kRowScan = rows::ScanRow();

}  // namespace levelfield
