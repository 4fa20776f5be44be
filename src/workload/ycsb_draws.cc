#include "workload/ycsb_draws.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "workload/expected_state.h"

namespace levelfield {
namespace {

using YcsbKind = YcsbChoice::Kind;

// One stream for each purpose.
Random StreamFor(const char* purpose, const YcsbStream& stream) {
  return Random(DeriveSeed(stream.seed, "ycsb", purpose, 0));
}

// YCSB's constant.
constexpr double kScanExponent = 0.99;

// How many items requests are drawn from. YCSB's zipfian has one item more than there are records,
// and room for twice the expected inserts. An item that does not exist yet is drawn again.
uint64_t ItemsOf(const YcsbStream& stream) {
  if (stream.requests.kind != KeyDistributionPlan::Kind::kYcsbZipf) return stream.records;
  return stream.records + 1 + 2 * stream.expected_inserts;
}

// Threads take turns where requests go through the records in their order.
KeyDistributionPlan RequestsOf(const YcsbStream& stream) {
  KeyDistributionPlan requests = stream.requests;
  requests.first = stream.thread;
  requests.step = stream.threads;
  return requests;
}

}  // namespace

RecordsInTurn::RecordsInTurn(const YcsbStream& stream, const YcsbKeys& keys)
    : thread_(stream.thread), threads_(stream.threads) {
  for (uint64_t record = thread_; record < stream.capacity; record += threads_) {
    const bool is_in = stream.before == nullptr
                           ? record < stream.records
                           : stream.before->Find(keys.KeyOf(record)).has_value();
    (is_in ? in_ : out_).push_back(static_cast<uint32_t>(record / threads_));
    is_in_.push_back(is_in);
  }
  empty_ = in_.size();
}

uint64_t RecordsInTurn::TakeOut(uint64_t place) {
  empty_ = Filled(place);
  is_in_[in_[empty_]] = false;
  return RecordOf(in_[empty_]);
}

uint64_t RecordsInTurn::PutIn() {
  std::swap(in_[empty_], out_[oldest_]);
  oldest_ = oldest_ + 1 == out_.size() ? 0 : oldest_ + 1;
  const uint32_t put_in = in_[std::exchange(empty_, in_.size())];
  is_in_[put_in] = true;
  return RecordOf(put_in);
}

YcsbDraws::YcsbDraws(const YcsbStream& stream)
    : stream_(stream),
      shares_(SharesOf(stream.plan)),
      keys_(stream),
      requests_(RequestsOf(stream), ItemsOf(stream)),
      kinds_(StreamFor("operation", stream)),
      records_(StreamFor("record", stream)),
      lengths_(StreamFor("length", stream)),
      short_lengths_(stream.plan.most_scan - stream.plan.least_scan + 1, kScanExponent),
      first_insert_(stream.records +
                    (stream.threads + stream.thread - stream.records % stream.threads) %
                        stream.threads),
      next_version_(stream.first_version) {}

std::vector<YcsbDraws::Share> YcsbDraws::SharesOf(const YcsbPlan& plan) {
  const std::pair<double, YcsbKind> all[] = {
      {plan.read, YcsbKind::kRead},     {plan.update, YcsbKind::kUpdate},
      {plan.insert, YcsbKind::kInsert}, {plan.scan, YcsbKind::kScan},
      {plan.modify, YcsbKind::kModify}, {plan.remove, YcsbKind::kDelete}};
  std::vector<Share> shares;
  double sum = 0;
  for (const auto& [share, kind] : all) {
    if (share > 0) shares.push_back({.end = sum += share, .kind = kind});
  }
  shares.back().end = 1;  // No draw is as much.
  return shares;
}

[[gnu::always_inline]] inline uint64_t YcsbDraws::NextRecord() {
  const uint64_t known = stream_.records + inserted_;
  uint64_t place = 0;
  do {
    place = requests_.Draw(records_);
  } while (place >= known);
  return place < stream_.records ? place : Inserted(place - stream_.records);
}

uint64_t YcsbDraws::NextLength() {
  const YcsbPlan& plan = stream_.plan;
  if (plan.has_short_scans) return plan.least_scan + short_lengths_.Draw(lengths_);
  return plan.least_scan + lengths_.Below(plan.most_scan - plan.least_scan + 1);
}

bool YcsbDraws::IsKnown(uint64_t record) const {
  if (record < stream_.records) return true;
  return IsOwn(record) && (record - first_insert_) / stream_.threads < inserted_;
}

uint64_t YcsbDraws::OwnNear(uint64_t record) const {
  const uint64_t own = record - record % stream_.threads + stream_.thread;
  return IsKnown(own) ? own : own - stream_.threads;
}

YcsbChoice YcsbDraws::Next() {
  YcsbChoice choice{.kind = NextKind()};
  if (choice.kind == YcsbKind::kInsert) {
    choice.record = Inserted(inserted_);
    if (choice.record >= stream_.capacity) {
      choice.is_full = true;
      return choice;
    }
    ++inserted_;
    if (RowOf(stream_.requests.kind).grows) requests_.Grow(stream_.records + inserted_);
  } else {
    choice.record = NextRecord();
  }
  if (choice.kind == YcsbKind::kUpdate || choice.kind == YcsbKind::kModify) {
    choice.record = OwnNear(choice.record);
  }
  if (choice.kind == YcsbKind::kScan) choice.scan_length = NextLength();
  if (choice.kind != YcsbKind::kRead && choice.kind != YcsbKind::kScan)
    choice.version = next_version_++;
  choice.is_own = IsOwn(choice.record);
  choice.key = keys_.KeyOf(choice.record);
  return choice;
}

YcsbKind YcsbDrawsInTurn::NextKindInTurn() {
  const YcsbKind kind = NextKind();
  if (kind == YcsbKind::kDelete && records_.has_empty_place()) {
    ++owed_deletes_;
    return YcsbKind::kUpdate;
  }
  if (kind == YcsbKind::kUpdate && !records_.has_empty_place() && owed_deletes_ != 0) {
    --owed_deletes_;
    return YcsbKind::kDelete;
  }
  return kind;
}

YcsbChoice YcsbDrawsInTurn::Next() {
  YcsbChoice choice{.kind = NextKindInTurn(), .is_full = !records_.can_turn(), .is_own = true};
  if (choice.is_full) return choice;
  if (choice.kind == YcsbKind::kUpdate && records_.has_empty_place()) {
    choice.record = records_.PutIn();
  } else {
    const uint64_t place = NextRecord() / stream_.threads;
    choice.record = choice.kind == YcsbKind::kDelete ? records_.TakeOut(place) : records_.At(place);
  }
  if (choice.kind == YcsbKind::kScan) choice.scan_length = NextLength();
  if (choice.kind == YcsbKind::kUpdate || choice.kind == YcsbKind::kModify) {
    choice.version = next_version_++;
  }
  choice.key = keys_.KeyOf(choice.record);
  return choice;
}

namespace {

constexpr const char* kAccepted =
    "`ycsb N% read, N% update, N% insert, N% scan, N% rmw, N% delete`, each at most once, of "
    "together 100%";

}  // namespace

std::string ReadYcsbMix(std::string_view text, YcsbPlan& plan) {
  plan.read = 0;
  const std::pair<std::string_view, double*> shares[] = {
      {"read", &plan.read}, {"update", &plan.update}, {"insert", &plan.insert},
      {"scan", &plan.scan}, {"rmw", &plan.modify},    {"delete", &plan.remove}};
  double sum = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t sign = part.find('%');
    const auto percent = WholeNumber<double>(part.substr(0, sign));
    if (sign == part.npos || !percent || !(*percent > 0 && *percent <= 100)) return kAccepted;
    const auto* const share = std::ranges::find(shares, Trim(part.substr(sign + 1)),
                                                [](const auto& pair) { return pair.first; });
    if (share == std::end(shares) || *share->second != 0) return kAccepted;
    *share->second = *percent / 100;
    sum += *percent;
  }
  return std::abs(sum - 100) < 1e-9 ? "" : kAccepted;
}

}  // namespace levelfield
