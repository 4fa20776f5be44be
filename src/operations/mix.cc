// Gets, writes and perhaps seeks in one thread. An independent stream decides which comes next, so
// the choice says nothing about the key. Gets and seeks draw from the block of the loop. Writes
// take the next key of this thread's own share of a shuffled order, so every key has one writer.
#include <fmt/format.h>

#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/seek_range.h"
#include "operations/shares.h"
#include "operations/thread_run.h"
#include "operations/write.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"

namespace levelfield {
namespace mix {
namespace {

// Stands in for the seeks of a mix that has none.
struct NoSeeks {};

template <class Values, class Seek, bool kKeysVary>
class MixOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr bool kSeeks = !std::is_same_v<Seek, NoSeeks>;
  static constexpr size_t kGetStatistics = 0;
  static constexpr size_t kSeekStatistics = 1;
  static constexpr size_t kPutStatistics = kSeeks ? 2 : 1;
  static constexpr size_t kStatistics = kPutStatistics + 1;

  MixOperation(GetOperation<CheckInLoop, kKeysVary> get, PutOperation<Values> put,
               KeyBlock write_keys, const ThreadTask& task, Seek seek)
      : get_(std::move(get)),
        put_(std::move(put)),
        seek_(std::move(seek)),
        write_keys_(std::move(write_keys)),
        get_percent_(task.role->get_percent),
        read_percent_(task.role->get_percent + task.role->seek_percent),
        choices_(task.choice_seed),
        key_size_(task.key_shape.size) {
    for (uint64_t i = 0; i < task.done; ++i) (void)choices_.Below(100);
  }

  void BeginBlock(const KeyBlock&) {}

  [[gnu::always_inline]] void Prepare(const NumberedKey& at) {
    const uint64_t choice = choices_.Below(100);
    stats_ = choice < get_percent_ ? kGetStatistics : kPutStatistics;
    if (stats_ == kGetStatistics) return;
    if constexpr (kSeeks) {
      if (choice < read_percent_) {
        stats_ = kSeekStatistics;
        return seek_.Prepare(at);
      }
    }
    if (++next_write_ >= write_keys_.count()) {
      write_keys_.Fill(KeyBlock::kKeys);
      if (write_keys_.count() == 0) {  // More threads than keys: this one has none to put.
        stats_ = kGetStatistics;
        return;
      }
      put_.BeginBlock(write_keys_);
      next_write_ = 0;
    }
    put_.Prepare(write_keys_.at(next_write_));
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    if (stats_ == kGetStatistics) {
      const lf_code code = get_.Call(at);
      gets_ += code == LF_OK ? 1 : 0;
      return code;
    }
    if constexpr (kSeeks) {
      if (stats_ == kSeekStatistics) {
        const lf_code code = seek_.Call(at);
        seeks_ += code == LF_OK ? 1 : 0;
        return code;
      }
    }
    const lf_code code = put_.Call(write_keys_.at(next_write_));
    puts_ += code == LF_OK ? 1 : 0;
    return code;
  }

  size_t Statistics() const { return stats_; }
  OperationCounts counts(size_t stats) const {
    if constexpr (kSeeks) {
      if (stats == kSeekStatistics) return seek_.counts(0, seeks_);
    }
    return stats == kGetStatistics ? get_.counts(gets_ * key_size_, gets_)
                                   : put_.counts(write_keys_.KeyBytes(puts_), puts_);
  }

 private:
  GetOperation<CheckInLoop, kKeysVary> get_;
  PutOperation<Values> put_;
  [[no_unique_address]] Seek seek_;
  KeyBlock write_keys_;
  uint64_t get_percent_;
  uint64_t read_percent_;  // Gets and seeks.
  Random choices_;
  size_t key_size_;  // If all have one.
  size_t next_write_ = 0;
  size_t stats_ = kGetStatistics;
  uint64_t gets_ = 0;   // Answered.
  uint64_t puts_ = 0;   // Acknowledged.
  uint64_t seeks_ = 0;  // Answered.
};

template <bool kKeysVary, class Values, class Seek>
void RunWith(const ThreadTask& task, ThreadResult& result, Values values, Seek seek) {
  const ThreadRun run(task, result);
  using Mix = MixOperation<Values, Seek, kKeysVary>;
  Mix operation(GetOperation<CheckInLoop, kKeysVary>(*task.table, task.session, {*task.values}),
                PutOperation(PutOf(task), task.session, std::move(values)),
                run.Block(task.write_keys), task, std::move(seek));
  const auto kind = [](const Operation& of) {
    return CallKind{of.result_name, of.effects, of.lookup};
  };
  std::vector<CallKind> kinds = {kind(operations::kGet)};
  if constexpr (Mix::kSeeks) kinds.push_back(kind(operations::kSeek));
  kinds.push_back(kind(task.role->merges ? operations::kMerge : operations::kPut));
  run.Kinds(operation, run.Block(task.keys), kinds);
  result.statistics.back().entry_bytes = EntryBytes(task);
}

void Run(const ThreadTask& task, ThreadResult& result) {
  const Role& role = *task.role;
  if (role.merges && task.table->merge == nullptr) {
    return ThreadRun(task, result).Refuse(kNoMerges);
  }
  WithRoundValuesAndKeys(task, [&](auto values, auto vary) {
    constexpr bool kKeysVary = decltype(vary)::value;
    if (role.seek_percent == 0) {
      return RunWith<kKeysVary>(task, result, std::move(values), NoSeeks{});
    }
    // What a seek reads while others write is unknown, but it must be whole and in order.
    const auto run = [&](auto bound) {
      RunWith<kKeysVary>(task, result, values,
                         SeekRangeOperation(*task.table, task.session, role,
                                            EntryCheckOf(task, !role.backwards), std::move(bound)));
    };
    role.max_distance == 0 ? run(NoBound{}) : run(DistanceBoundOf(task));
  });
}

// `N% get, N% seek, N% put`, in any order; writes are puts or merges.
std::string ReadKinds(std::string_view text, const FileNumbers& numbers, Role& role) {
  constexpr const char* kAccepted =
      "`N% get, N% seek, N% put` (or merge), each at most once, of together 100%";
  auto shares = ReadShares(text, numbers, {"get", "seek", "put", "merge"});
  if (!shares && text.find("scan") != std::string_view::npos) {
    return fmt::format("{}; a scan is a `seek` with `nexts = COUNT`", kAccepted);
  }
  if (!shares) return kAccepted;
  role.merges = shares->contains("merge");
  if (role.merges == shares->contains("put")) return kAccepted;
  role.get_percent = (*shares)["get"];
  role.seek_percent = (*shares)["seek"];
  return "";
}

std::optional<std::string> Read(std::string_view text, const FileNumbers& numbers, Role& role) {
  for (const std::string_view mix : {"% get, else put", "% get, else merge", "% merge, else get"}) {
    if (!text.ends_with(mix)) continue;
    const auto percent = numbers.Evaluate(text.substr(0, text.size() - mix.size()));
    if (!percent || *percent > 100) continue;
    role.merges = mix.find("merge") != std::string_view::npos;
    role.get_percent = mix.ends_with("get") ? 100 - *percent : *percent;
    return "";
  }
  const bool has_shares =
      text.find('%') != std::string_view::npos && text.find("else") == std::string_view::npos;
  return has_shares ? std::optional(ReadKinds(text, numbers, role)) : std::nullopt;
}

Status Check(const RoleLines& lines) {
  if (lines.role().seek_percent != 0) return Status::Ok();
  for (const RoleLine& line : kSeekLines) {
    if (!lines.Has(line.key)) continue;
    return lines.Error(line.key, fmt::format(kDoesNotSeek, line.key));
  }
  return Status::Ok();
}

}  // namespace
}  // namespace mix

constinit const Operation operations::kMix = {
    .name = "mix",
    .form = "`N% get, else put`, `N% get, else merge` or `N% merge, else get`",
    .effects = Effect::kReads | kPuts,
    .mixes = true,
    .can_warm_up = true,
    .can_repeat = true,
    .goes_on = true,
    .read = mix::Read,
    .lines = kSeekLines,
    .check = mix::Check,
    .run = mix::Run,
    .verify = VerifyGets};

}  // namespace levelfield
