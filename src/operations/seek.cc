// A seek of a key, a seek with steps from there (a range), and a range whose last entry is sought
// once more. Each is one operation with one latency.
#include <string>
#include <utility>

#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/seek_range.h"
#include "operations/thread_run.h"
#include "workload/file/role_lines.h"

namespace levelfield {
namespace seek {
namespace {

// Begins a scan at the key and reads its first entry, whose key goes into the digest as well. Only
// an entry of the sought key itself is a hit, which is what db_bench counts as found.
template <class Check, bool kKeysVary>
class SeekOperation : public KeyCountingOperation<kKeysVary> {
 public:
  SeekOperation(const lf_engine& table, lf_session* session, Check check)
      : seek_(table.seek), session_(session), check_(std::move(check)) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes key;
    lf_bytes value;
    const lf_code code = seek_(session_, LF_AT_OR_AFTER, at.key, &key, &value);
    if (code == LF_OK) [[likely]] {
      this->digest_.Add(key, at.index);
      this->digest_.Add(value, at.index);
      this->counts_.wrong += check_.WrongFound(at.key, key, value);
      if (IsKey(key, at.key)) {
        this->CountBytes(key, value);
      } else {
        ++this->counts_.misses;
      }
      return LF_OK;
    }
    return this->WithoutEntry(code);
  }

 private:
  decltype(lf_engine::seek) seek_;
  lf_session* session_;
  [[no_unique_address]] Check check_;
};

// Sets no bound, but remembers the last entry of the range, because the engine's bytes last only
// until its next call. No allocation, but for a key that is longer than all
// before it.
struct LastOfRange {
  std::string key;
  uint64_t entries = 0;

  void Prepare(uint64_t) {
    key.clear();
    entries = 0;
  }
  bool IsBeyond(lf_bytes found) {
    key.assign(found.data, found.size);
    ++entries;
    return false;
  }
};

template <class Check>
class SeekAgainOperation : public SeekRangeOperation<Check, LastOfRange> {
 public:
  SeekAgainOperation(const lf_engine& table, lf_session* session, const Role& role, Check check)
      : Range(table, session, role, std::move(check), LastOfRange()) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    if (const lf_code code = Range::Call(at); code != LF_OK) return code;
    const LastOfRange& range = this->bound_;
    if (range.entries == 0) return LF_OK;  // A miss.
    const lf_bytes last = {range.key.data(), range.key.size()};
    lf_bytes key;
    lf_bytes value;
    const lf_code code = this->seek_(this->session_, LF_AT_OR_AFTER, last, &key, &value);
    // The entry that was just read must be there.
    if (code != LF_OK) return this->WithoutEntry(code);
    this->counts_.wrong += IsKey(key, last) ? 0 : 1;
    this->Read(key, value, at.index + range.entries);
    return LF_OK;
  }

 private:
  using Range = SeekRangeOperation<Check, LastOfRange>;
};

template <class Check>
void RunWith(const ThreadTask& task, ThreadResult& result, Check check) {
  const lf_engine& table = *task.table;
  const Role& role = *task.role;
  const ThreadRun run(task, result);
  if (!role.reads_ranges()) {
    return WithKeySizes(task, [&](auto vary) {
      run.One(SeekOperation<Check, vary>(table, task.session, std::move(check)));
    });
  }
  if (role.again) {
    return run.One(SeekAgainOperation(table, task.session, role, std::move(check)));
  }
  if (role.max_distance == 0) {
    return run.One(SeekRangeOperation(table, task.session, role, std::move(check), NoBound{}));
  }
  run.One(SeekRangeOperation(table, task.session, role, std::move(check), DistanceBoundOf(task)));
}

void Run(const ThreadTask& task, ThreadResult& result) {
  const bool forwards = !task.role->backwards;
  if (task.check_order && task.check_in_loop) {
    return RunWith(task, result, EntryCheckOf(task, forwards));
  }
  if (task.check_order) return RunWith(task, result, OrderCheckOf(task, forwards));
  RunWith(task, result, LeaveEntries{});
}

Status Check(const RoleLines& lines) {
  if (!lines.role().again || lines.role().max_distance == 0) return Status::Ok();
  return lines.Error("max_distance",
                     "has a max_distance, which `op = seek again` does not look at");
}

constexpr Operation RowNamed(std::string_view name, void (*set)(const FileNumbers&, Role&)) {
  return {.name = name,
          .result_name = "seek",
          .effects = Effect::kReads,
          .lookup = Lookup::kPlace,
          .can_warm_up = true,
          .can_repeat = true,
          .lines = kSeekLines,
          .check = Check,
          .set = set,
          .run = Run,
          .verify = VerifyScans};
}

}  // namespace
}  // namespace seek

constinit const Operation operations::kSeek = seek::RowNamed("seek", nullptr);

// Seeks the last entry that it reached once more.
constinit const Operation operations::kSeekAgain =
    seek::RowNamed("seek again", [](const FileNumbers&, Role& role) { role.again = true; });

}  // namespace levelfield
