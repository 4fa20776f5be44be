#include "workload/graph_draws.h"

#include <algorithm>
#include <cmath>

namespace levelfield {
namespace {

// Rounded up. Beyond 2^63 a double fits no integer.
uint64_t WholeParetoOf(double u, double theta, double k, double sigma) {
  return static_cast<uint64_t>(std::clamp(std::ceil(ParetoOf(u, theta, k, sigma)), 0.0, 0x1p62));
}

uint64_t LengthOf(const GraphPlan& plan, double u) {
  return WholeParetoOf(u, plan.iter_theta, plan.iter_k, plan.iter_sigma) % plan.most_scan;
}

// One stream for each purpose.
Random StreamFor(const char* purpose, const GraphStream& stream) {
  return Random(DeriveSeed(stream.seed, "graph", purpose, 0));
}

}  // namespace

ValueSizes GraphPlan::Sizes() const {
  if (one_number) return ValueSizes::Uniform(0, most_value);
  return ValueSizes::Pareto(kLeastValue, most_value, value_theta, value_k, value_sigma);
}

GraphDraws::GraphDraws(const GraphStream& stream)
    : plan_(stream.plan),
      keys_(stream.plan.keys, stream.range),
      sizes_(stream.sizes),
      kinds_(StreamFor("operation", stream)),
      ranges_(StreamFor("range", stream)),
      in_range_(StreamFor("key", stream)),
      lengths_(StreamFor("length", stream)),
      next_version_(stream.first_version) {
  const double sum = plan_.get_ratio + plan_.put_ratio + plan_.seek_ratio;
  get_share_ = plan_.get_ratio / sum;
  // If there are no puts, rounding must not make one.
  read_share_ = plan_.put_ratio == 0 ? 1 : (plan_.get_ratio + plan_.seek_ratio) / sum;
  if (plan_.seek_ratio == 0) get_share_ = read_share_;
}

GraphChoice GraphDraws::Next() {
  const double kind = UnitOf(kinds_.Next());
  const uint64_t range_draw = ranges_.Next();
  GraphChoice choice{.index = keys_.KeyOf(range_draw, in_range_.Next())};
  if (kind < get_share_) return choice;
  if (kind < read_share_) {
    choice.kind = GraphChoice::Kind::kSeek;
    choice.scan_length =
        LengthOf(plan_, (static_cast<double>(lengths_.Next() >> 11) + 1) * 0x1p-53);
    return choice;
  }
  choice.kind = GraphChoice::Kind::kPut;
  choice.version = next_version_++;
  choice.value_size = sizes_.Of(choice.index, choice.version);
  return choice;
}

OneNumberDraws::OneNumberDraws(const GraphStream& stream)
    : plan_(stream.plan),
      range_(stream.range),
      numbers_(stream.seed),
      next_version_(stream.first_version) {
  const double sum = plan_.get_ratio + plan_.put_ratio + plan_.seek_ratio;
  const auto thousandths = [&](double ratio) {
    return static_cast<uint64_t>(std::ceil(1000 * (ratio / sum)));
  };
  get_end_ = thousandths(plan_.get_ratio);
  put_end_ = get_end_ + thousandths(plan_.put_ratio);
  seek_end_ = put_end_ + thousandths(plan_.seek_ratio);
  if (!plan_.keys.has_hot_ranges()) return;
  // As in MixGraph of RocksDB's tools/db_bench_tool.cc: starting with the last range, the coldest,
  // each range gets numbers in proportion to its heat.
  double amplify = 0;
  for (uint64_t i = plan_.keys.ranges; i >= 1; --i) {
    const double weight = plan_.keys.WeightOf(i);
    if (amplify == 0 && weight > 0) amplify = std::floor(1 / weight) + 1;
    ranges_.push_back(
        {.count = static_cast<uint64_t>(std::min(std::floor(amplify * weight), 0x1p40))});
    ranges_end_ += ranges_.back().count;
  }
  std::mt19937_64 shuffle(ranges_end_);
  for (Range& range : ranges_) std::swap(range, ranges_[shuffle() % ranges_.size()]);
  uint64_t begin = 0;
  for (Range& range : ranges_) {
    range.begin = begin;
    begin += range.count;
  }
}

GraphChoice OneNumberDraws::Next() {
  const uint64_t number = numbers_() % range_;
  const double u = static_cast<double>(number) / static_cast<double>(range_);
  GraphChoice choice{.kind = KindOf(number), .index = KeyOf(number)};
  if (choice.kind == GraphChoice::Kind::kSeek) choice.scan_length = LengthOf(plan_, u);
  if (choice.kind != GraphChoice::Kind::kPut) return choice;
  choice.version = next_version_++;
  const uint64_t size =
      std::max(WholeParetoOf(u, plan_.value_theta, plan_.value_k, plan_.value_sigma),
               GraphPlan::kLeastValue);
  choice.value_size = size > plan_.most_value ? size % plan_.most_value : size;
  return choice;
}

GraphChoice::Kind OneNumberDraws::KindOf(uint64_t number) const {
  const uint64_t place = number % seek_end_;
  if (place < get_end_) return GraphChoice::Kind::kGet;
  return place < put_end_ ? GraphChoice::Kind::kPut : GraphChoice::Kind::kSeek;
}

uint64_t OneNumberDraws::KeyOf(uint64_t number) const {
  // The original ignores hot ranges unless there are hot keys.
  if (!plan_.keys.has_hot_keys()) return number;
  if (plan_.keys.has_hot_ranges()) return KeyInRanges(number);
  const double u = static_cast<double>(number) / static_cast<double>(range_);
  return std::mt19937_64(RankOf(u, plan_.keys.key_a, plan_.keys.key_b))() % range_;
}

uint64_t OneNumberDraws::KeyInRanges(uint64_t number) const {
  const auto behind =
      std::ranges::upper_bound(ranges_, number % ranges_end_, std::less<>(), &Range::begin);
  const auto place = static_cast<uint64_t>(behind - ranges_.begin()) - 1;
  const uint64_t size = range_ / ranges_.size();
  const double u = static_cast<double>(number % size) / static_cast<double>(size);
  return size * place + std::mt19937_64(RankOf(u, plan_.keys.key_a, plan_.keys.key_b))() % size;
}

}  // namespace levelfield
