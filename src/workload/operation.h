// A row of the table of operations: all that the rest of the program knows about what a role does.
// An operation's row stands at the end of its file in operations/, and operations/operations.h
// lists all rows. Plain data.
#ifndef LEVELFIELD_WORKLOAD_OPERATION_H_
#define LEVELFIELD_WORKLOAD_OPERATION_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/effects.h"
#include "base/status.h"
#include "workload/value_sizes.h"

namespace levelfield {

class FileNumbers;
class RoleLines;
class Store;
struct AnsweredRole;
struct ParsedWorkload;
struct Role;
struct RoleRun;
struct StoreBefore;
struct ThreadResult;
struct ThreadTask;
struct WriteLayer;

// What an operation works on.
enum class OperationScope {
  kKeys,     // The keys that the role's `keys` line names.
  kOwnKeys,  // Keys that it chooses itself: the role names no order.
  kOrder,    // The next entry in the store's own order.
  kSession,  // A session, and no entry.
  kStore,    // The store as a whole, on the worker's main thread.
  kMachine,  // The machine and its libraries: no store.
};

// Turns a value into the fields that its key sets. Returns nothing, or what would be accepted.
using LineReader = std::string (*)(ParsedWorkload& parsed, const FileNumbers& numbers,
                                   std::string_view value);

// A line that only some operations know.
struct RoleLine {
  std::string_view key;
  LineReader read;
  // The error for a role of another operation that has this line; `{}` is the key.
  std::string_view refusal = "has `{} =`, which its operation does not know";
  // The error for a role of this operation that lacks it. Empty: it may.
  std::string_view missing = "";
};

struct Operation {
  std::string_view name;                // In a workload file: `op = NAME`.
  std::string_view form = name;         // The same as messages show it.
  std::string_view result_name = name;  // In results.
  OperationScope scope = OperationScope::kKeys;
  // What its calls do to the store; where it chooses among several kinds, all of them together.
  // A call that changes no entry (a compaction) has none.
  Effects effects;
  Lookup lookup = Lookup::kNone;
  bool goes_backwards = false;  // For a scan.
  bool writes_one_entry = false;    // Each operation writes one.
  bool has_one_value_size = false;  // Its values may not vary in size.
  LengthRule length = LengthRule::kOwn;
  bool has_batches = false;
  bool takes_snapshots = false;
  bool mixes = false;             // A thread of it gets and writes by turns.
  bool has_writer_clock =
      false;  // It and its phase's other roles look at what one writer has written.
  bool replays_trace = false;     // Keys, sizes and the number of operations are a trace's.
  bool may_lack_threads = false;  // A role of no threads is left out.
  bool has_all_keys = false;      // Threads do not share the keys out among themselves.
  bool keeps_records =
      false;  // It writes the records of a loaded store and leaves all of them there.
  bool can_warm_up = false;  // It reads or writes what is there and leaves the rest as it was,
  bool can_repeat = false;   // and can run again on the same store, at another rate.
  // Lines and words that its roles may have.
  bool may_have_records = false;  // It may write the records for who keeps them.
  bool may_have_stride = false;
  bool may_cut_keys = false;
  bool may_be_in_flight = false;  // A thread need not wait for its answer, with a batch of 1.
  bool goes_on = false;      // A thread can go on behind operations of before (ThreadTask::done).
  // Operations on the store as a whole.
  bool writes_files = false;       // Though it changes no entry,
  bool rewrites_entries = false;   // of which it writes some again.
  bool needs_whole_store = false;  // Not one that was opened to be read only.
  bool ends_deferred_work = false;  // It does what writes have left to the engine's background.
  bool backs_up = false;
  bool restores = false;

  // For operations that need more than a name in a workload file: reads the text after `op =`.
  // Returns an empty string if it accepts the text, else what would be accepted; nullopt if the
  // text means another operation.
  std::optional<std::string> (*read)(std::string_view text, const FileNumbers& numbers,
                                     Role& role) = nullptr;
  // Lines that only this operation has. Roles of other operations that have one are refused.
  std::span<const RoleLine> lines = {};
  // For operations that allow few lines: all of them; `{}` in the refusal is another one. The role
  // is then the only one of its workload.
  std::span<const std::string_view> only_lines = {};
  std::string_view only_refusal = "";
  // Checks that the lines of a role agree; may set what follows from several of them.
  Status (*check)(const RoleLines& lines) = nullptr;
  // Sets what the operation's name says about a role besides the operation.
  void (*set)(const FileNumbers& numbers, Role& role) = nullptr;
  // One operation on the store. Null, in that scope: it closes the store and opens it again.
  Status (*on_store)(Store& store) = nullptr;
  // Whether a writing role changes what the store holds. Null: it does.
  bool (*changes_store)(const Role& role) = nullptr;
  // The smallest value that it puts. Null: the least of the role's sizes.
  uint64_t (*smallest_value)(const Role& role) = nullptr;
  // Gives a text in place of numbers.
  StatusOr<std::string> (*text)(Store& store, const Role& role,
                                const std::string& results_directory) = nullptr;
  // For counters: their values in the store, by key index, before the first thread begins; 0 if
  // there is none. kUsage: the store holds something other than counters.
  StatusOr<std::vector<uint32_t>> (*versions_before)(const StoreBefore& store) = nullptr;
  // One thread's part of a role.
  void (*run)(const ThreadTask& task, ThreadResult& result) = nullptr;
  // What was wrong with the answers, or nothing. Null: it gives none, or the worker checks them.
  std::string (*verify)(const AnsweredRole& answered) = nullptr;
  // What the role left in the store, if that does not follow from the order of its keys; `phase` is
  // all roles.
  WriteLayer (*layer)(const Role& role, const RoleRun& run,
                      std::span<const RoleRun> phase) = nullptr;

  bool reads() const { return effects.Has(Effect::kReads); }
  bool seeks() const { return lookup == Lookup::kPlace; }
  bool writes() const { return effects.Has(Effect::kCommits); }
  // And puts nothing.
  bool only_erases() const { return effects == kErasures; }
  bool is_transaction() const { return versions_before != nullptr; }
  bool takes_keys() const { return scope == OperationScope::kKeys; }
  bool chooses_keys() const { return scope == OperationScope::kOwnKeys; }
  bool is_scan() const { return scope == OperationScope::kOrder; }
  bool is_of_store() const { return scope == OperationScope::kStore; }
  // It goes on for --duration. Others on the store change what the next one meets.
  bool reopens() const {
    return is_of_store() && on_store == nullptr && text == nullptr && !backs_up && !restores;
  }
  bool is_of_machine() const { return scope == OperationScope::kMachine; }
  // Puts or erases one entry at a time, or batches of them.
  bool is_plain_write() const { return writes() && has_batches; }
  bool writes_values() const { return writes() && !only_erases(); }
};

// All rows, in the order in which messages list them: operations/operations.cc.
std::span<const Operation* const> Operations();
// The row of that name; nullptr if there is none.
const Operation* FindOperation(std::string_view name);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_OPERATION_H_
