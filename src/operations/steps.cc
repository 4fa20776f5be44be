#include "operations/steps.h"

#include <fmt/format.h>

#include <limits>

namespace levelfield {
namespace {

// The last write of each key, in 4 bytes; 4 more once values differ in size.
class LastWrites {
 public:
  static constexpr uint32_t kUntouched = 0;
  static constexpr uint32_t kErased = ~uint32_t{0};
  static constexpr uint32_t kContested = kErased - 1;

  explicit LastWrites(uint64_t range) : versions_(range, kUntouched) {}

  uint64_t range() const { return versions_.size(); }
  uint32_t VersionOf(uint64_t key) const { return versions_[key]; }
  uint64_t SizeOf(uint64_t key) const { return sizes_.empty() ? size_ : sizes_[key]; }

  void Set(uint64_t key, uint32_t version, uint64_t size) {
    versions_[key] = version;
    if (!has_size_) {
      has_size_ = true;
      size_ = size;
    }
    if (sizes_.empty() && size != size_) {
      sizes_.assign(versions_.size(), static_cast<uint32_t>(size_));
    }
    if (!sizes_.empty()) sizes_[key] = static_cast<uint32_t>(size);
  }
  void Erase(uint64_t key) { versions_[key] = kErased; }

  // Takes in what the step writes; returns whether it is a value.
  bool Take(const Step& step) {
    const uint64_t end = step.key + std::max<uint64_t>(step.length, 1);
    for (uint64_t key = step.key; key < end; ++key) {
      if (step.kind == StepKind::kErase) {
        Erase(key);
      } else if (step.version != kUntouched) {
        Set(key, step.version, step.size);
      }
    }
    return step.version != kUntouched;
  }

 private:
  std::vector<uint32_t> versions_;
  std::vector<uint32_t> sizes_;
  bool has_size_ = false;
  uint64_t size_ = 0;
};

class StepHistory final : public KeyHistory {
 public:
  StepHistory(const std::vector<StepsDone>& done, uint64_t range, const ValueSizes* sizes)
      : last_(range) {
    if (sizes != nullptr) sizes_ = *sizes;
    for (size_t t = 0; t < done.size(); ++t) {
      if (t == 0) {
        Take(done[t], last_);
        continue;
      }
      LastWrites of_thread(range);
      Take(done[t], of_thread);
      for (uint64_t key = 0; key < range; ++key) Merge(key, of_thread);
    }
  }

  uint64_t range() const override { return last_.range(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    switch (const uint32_t version = last_.VersionOf(index)) {
      case LastWrites::kUntouched:
        return std::nullopt;
      case LastWrites::kErased:
        return Last{.erases = true};
      case LastWrites::kContested:
        if (sizes_) return Last{.unknown_size = &*sizes_};
        return Last{.value_size = last_.SizeOf(index)};
      default:
        return Last{.version = version, .value_size = last_.SizeOf(index)};
    }
  }
  uint64_t versions() const override { return versions_; }
  uint64_t smallest_value() const override { return smallest_; }

 private:
  void Take(const StepsDone& done, LastWrites& last) {
    uint64_t written = 0;
    for (uint64_t i = 0; i < done.operations; ++i) {
      const Step step = done.next();
      if (!last.Take(step)) continue;
      smallest_ = std::min(smallest_, step.size);
      ++written;
    }
    versions_ = std::max(versions_, written);
  }

  void Merge(uint64_t key, const LastWrites& other) {
    const uint32_t version = other.VersionOf(key);
    if (version == LastWrites::kUntouched) return;
    if (version == LastWrites::kErased) return last_.Erase(key);
    const uint32_t mine = last_.VersionOf(key);
    const bool agrees = mine == LastWrites::kUntouched || mine == version;
    last_.Set(key, agrees ? version : LastWrites::kContested, other.SizeOf(key));
  }

  LastWrites last_;
  std::optional<ValueSizes> sizes_;
  uint64_t versions_ = 0;
  uint64_t smallest_ = std::numeric_limits<uint64_t>::max();  // The smallest that was ever put.
};

}  // namespace

std::vector<CallKind> StepsNamed(std::initializer_list<std::string_view> names) {
  std::vector<CallKind> kinds;
  for (const std::string_view name : names) {
    const auto kind = static_cast<StepKind>(kinds.size());
    kinds.push_back({name, EffectsOf(kind), LookupOf(kind)});
  }
  return kinds;
}

ReplayedSteps ReplaySteps(const StepsDone& done, uint64_t range, const KeyShape& keys,
                          const ExpectedState& before, const StoredValues& values) {
  ReplayedSteps replayed;
  std::array<Digest, kStepKinds> digests;
  LastWrites own(range);
  std::vector<char> bytes;
  const auto find = [&](uint64_t key) -> std::optional<ExpectedState::Entry> {
    const uint32_t version = own.VersionOf(key);
    if (version == LastWrites::kUntouched) return before.Find(key);
    if (version == LastWrites::kErased) return std::nullopt;
    return ExpectedState::Entry{.version = version, .value_size = own.SizeOf(key)};
  };
  const auto get = [&](const Step& step, OperationCounts& counts, Digest& digest) {
    const std::optional<ExpectedState::Entry> entry = find(step.key);
    ++(entry ? counts.hits : counts.misses);
    if (!entry) return;
    if (entry->version == ExpectedState::kUnknownVersion) replayed.is_known = false;
    if (!replayed.is_known) return;
    counts.bytes += keys.SizeOf(step.key) + entry->value_size;
    bytes.resize(std::max<size_t>(entry->value_size, ValueSource::kHeaderBytes));
    values.Write(step.key, entry->version, entry->value_size, bytes.data());
    digest.Add({bytes.data(), entry->value_size}, step.key);
  };
  for (uint64_t i = 0; i < done.operations; ++i) {
    const Step step = done.next();
    const auto kind = static_cast<size_t>(step.kind);
    OperationCounts& counts = replayed.all_counts[kind];
    ++counts.operations;
    if (step.gets() && step.is_replayed) get(step, counts, digests[kind]);
    if (step.kind == StepKind::kScan) ++(find(step.key) ? counts.hits : counts.misses);
    const bool writes = step.kind == StepKind::kErase || step.version != 0;
    if (!writes) continue;
    if (!step.gets()) ++counts.hits;
    const bool is_range = step.kind == StepKind::kErase && step.length != 0;
    counts.bytes += keys.SizeOf(step.key) + (is_range ? keys.SizeOf(step.key + step.length) : 0) +
                    (own.Take(step) ? step.size : 0);
  }
  for (size_t i = 0; i < kStepKinds; ++i) replayed.all_counts[i].digest = digests[i].Value();
  return replayed;
}

std::string VerifyAllSteps(const AnsweredRole& answered, const std::vector<StepsDone>& steps) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  for (size_t t = 0; t < steps.size(); ++t) {
    const ReplayedSteps replayed =
        ReplaySteps(steps[t], role.range, run.tasks[t].key_shape, before, values);
    if (!replayed.is_known) {
      result.check_detail =
          "hits are those of the model; bytes and digest are not compared: several threads wrote "
          "some of the entries before";
    }
    for (const ThreadStatistics& stats : run.results[t].statistics) {
      const auto kind = static_cast<StepKind>(stats.number);
      // What stands behind a scan's first entry is not replayed.
      const bool is_known = replayed.is_known && kind != StepKind::kScan;
      if (stats.counts.wrong != 0 && kind == StepKind::kScan) {
        return fmt::format("[{}], thread {}: {} of {} scans were not in order", role.name, t,
                           stats.counts.wrong, stats.counts.operations);
      }
      const std::string difference =
          Difference(stats.counts, replayed.Of(kind), is_known, is_known);
      if (difference.empty()) continue;
      return fmt::format("[{}], thread {}, {}: {}", role.name, t,
                         stats.operation == "rmw" ? "modify" : stats.operation, difference);
    }
  }
  return "";
}

std::shared_ptr<const KeyHistory> HistoryOf(const std::vector<StepsDone>& done, uint64_t range,
                                            const ValueSizes* sizes) {
  return std::make_shared<StepHistory>(done, range, sizes);
}

}  // namespace levelfield
