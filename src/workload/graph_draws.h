// What comes next in mixgraph: a get, a put or a seek, its key, and the length of a value or a
// scan. In GraphDraws each of these has its own stream, so they are independent. In OneNumberDraws,
// as in RocksDB's db_bench, one number determines them all: with uniform keys a key always has the
// same operation, size and length. The same arguments give the same choices, so the model repeats
// them after the phase. A stream belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_GRAPH_DRAWS_H_
#define LEVELFIELD_WORKLOAD_GRAPH_DRAWS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "base/random.h"
#include "workload/key_distribution.h"
#include "workload/value_sizes.h"

namespace levelfield {

// The numbers of a role; the defaults are those of RocksDB's flags.
struct GraphPlan {
  // Shares of gets, puts and seeks. They need not add up to anything.
  double get_ratio = 1;
  double put_ratio = 0;
  double seek_ratio = 0;
  HotRangesPlan keys = {};
  // How many entries a seek reads after the one that it finds.
  double iter_theta = 0;
  double iter_k = 2.517;
  double iter_sigma = 14.236;
  uint64_t most_scan = 10'000;  // Lengths are taken modulo it.
  double value_theta = 0;
  double value_k = 0.2615;
  double value_sigma = 25.45;
  uint64_t most_value = 1024;  // Sizes beyond it are taken modulo it.
  bool one_number = false;

  static constexpr uint64_t kLeastValue = 10;
  // Sizes of values. With one number they are no function of key and version, so these are bounds
  // only.
  ValueSizes Sizes() const;
  bool operator==(const GraphPlan&) const = default;
};

// The parameters of one thread's draws.
struct GraphStream {
  GraphPlan plan;
  uint64_t range = 1;  // Keys lie below it.
  uint64_t seed = 0;   // The thread's own.
  uint32_t first_version = 1;
  ValueSizes sizes;  // For independent draws.
};

struct GraphChoice {
  enum class Kind { kGet, kSeek, kPut };
  Kind kind = Kind::kGet;
  uint64_t index = 0;
  uint32_t version = 0;      // For a put; counts up with each put of the thread.
  uint64_t value_size = 0;   // For a put.
  uint64_t scan_length = 0;  // For a seek.
};

class GraphDraws {
 public:
  explicit GraphDraws(const GraphStream& stream);
  GraphChoice Next();

 private:
  GraphPlan plan_;
  HotRanges keys_;
  ValueSizes sizes_;
  double get_share_;
  double read_share_;  // Gets and seeks.
  Random kinds_;
  Random ranges_;
  Random in_range_;
  Random lengths_;
  uint32_t next_version_;
};

class OneNumberDraws {
 public:
  explicit OneNumberDraws(const GraphStream& stream);
  GraphChoice Next();

 private:
  struct Range {
    uint64_t begin = 0;  // The first of its numbers.
    uint64_t count = 0;
  };
  uint64_t KeyOf(uint64_t number) const;
  uint64_t KeyInRanges(uint64_t number) const;
  GraphChoice::Kind KindOf(uint64_t number) const;

  GraphPlan plan_;
  uint64_t range_;
  std::mt19937_64 numbers_;
  uint64_t get_end_ = 0;  // Draws are taken modulo a thousand (or one or two more).
  uint64_t put_end_ = 0;
  uint64_t seek_end_ = 0;
  std::vector<Range> ranges_;
  uint64_t ranges_end_ = 0;
  uint32_t next_version_;
};

// Calls `visit` with each of the first `operations` choices of a thread.
template <class Visit>
void ForEachChoice(const GraphStream& stream, uint64_t operations, Visit visit) {
  const auto draw = [&](auto draws) {
    for (uint64_t i = 0; i < operations; ++i) visit(draws.Next());
  };
  stream.plan.one_number ? draw(OneNumberDraws(stream)) : draw(GraphDraws(stream));
}

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_GRAPH_DRAWS_H_
