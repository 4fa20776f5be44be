// Groups of three keys, 3g, 3g + 1 and 3g + 2, that are written together and read together: which
// of the two comes next, and of which group. Rounds of a hundred operations, first the gets, then
// the puts, then the erases, as in RocksDB's randomwithverify. Gets are of any group, writes are of
// the thread's own, so that every key has one writer. The same arguments give the same choices, so
// the model repeats them after the phase.
#ifndef LEVELFIELD_OPERATIONS_TRIPLES_H_
#define LEVELFIELD_OPERATIONS_TRIPLES_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "workload/key_history.h"

namespace levelfield {

inline constexpr uint64_t kTriple = 3;

// One thread's part.
struct TriplePlan {
  uint64_t seed = 0;
  uint64_t groups = 0;
  uint64_t first_group = 0;  // Its own are those from here
  uint64_t end_group = 0;    // up to here.
  uint64_t get_percent = 0;
  uint64_t erase_percent = 0;
  uint32_t first_version = 1;  // Of what it writes; each further write counts one up.
};

struct TripleChoice {
  enum class Kind { kGet, kPut, kErase };
  Kind kind = Kind::kGet;
  uint64_t group = 0;
  uint32_t version = 0;  // Of a put.
};

class TripleChoices {
 public:
  explicit TripleChoices(const TriplePlan& plan)
      : plan_(plan), draws_(plan.seed), next_version_(plan.first_version) {}

  TripleChoice Next() {
    const uint64_t step = step_;
    step_ = step_ == 99 ? 0 : step_ + 1;
    const uint64_t own = plan_.end_group - plan_.first_group;
    // More threads than groups: nothing here is this one's to write.
    if (step < plan_.get_percent || own == 0) {
      return {TripleChoice::Kind::kGet, draws_.Below(plan_.groups), 0};
    }
    const uint64_t group = plan_.first_group + draws_.Below(own);
    if (step >= 100 - plan_.erase_percent) return {TripleChoice::Kind::kErase, group, 0};
    return {TripleChoice::Kind::kPut, group, next_version_++};
  }

 private:
  TriplePlan plan_;
  Random draws_;
  uint64_t step_ = 0;
  uint32_t next_version_;
};

// The last write of each group: a version, or one of these.
inline constexpr uint32_t kGroupUntouched = 0;
inline constexpr uint32_t kGroupErased = ~uint32_t{0};

class TripleHistory final : public KeyHistory {
 public:
  // What each thread did, and how many operations of it.
  struct Share {
    TriplePlan plan;
    uint64_t operations = 0;
  };

  TripleHistory(std::span<const Share> shares, uint64_t value_size) : value_size_(value_size) {
    for (const Share& share : shares) {
      last_.resize(share.plan.groups, kGroupUntouched);
      TripleChoices choices(share.plan);
      uint64_t puts = 0;
      for (uint64_t i = 0; i < share.operations; ++i) {
        const TripleChoice choice = choices.Next();
        if (choice.kind == TripleChoice::Kind::kGet) continue;
        const bool puts_it = choice.kind == TripleChoice::Kind::kPut;
        puts += puts_it ? 1 : 0;
        last_[choice.group] = puts_it ? choice.version : kGroupErased;
      }
      versions_ = std::max(versions_, puts);
    }
  }

  uint64_t range() const override { return last_.size() * kTriple; }
  std::optional<Last> LastOf(uint64_t index) const override {
    const uint32_t last = last_[index / kTriple];
    if (last == kGroupUntouched) return std::nullopt;
    return Last{last == kGroupErased, last, value_size_};
  }
  uint64_t versions() const override { return versions_; }
  uint64_t smallest_value() const override { return value_size_; }

 private:
  std::vector<uint32_t> last_;  // Of each group.
  uint64_t value_size_;
  uint64_t versions_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_TRIPLES_H_
