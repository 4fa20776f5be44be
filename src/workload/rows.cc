#include "workload/rows.h"

#include "base/random.h"
#include "workload/expected_state.h"

namespace levelfield {

RowPlaces::RowPlaces(const RowsPlan& plan, uint64_t seed) : plan_(plan) {
  for (uint64_t i = 0; i < plan.indexes; ++i) orders_.emplace_back(plan.rows, Mix64(seed + i));
}

uint64_t RowPlaces::RowAt(uint64_t key, uint64_t from) const {
  const uint64_t index = IndexOf(key);
  const uint64_t place = key - index * plan_.rows;
  const uint64_t number = index == 0 ? place : orders_[index - 1].PositionOf(place);
  return from + (number + plan_.rows - from % plan_.rows) % plan_.rows;
}

RowNumbers RowsHeldBy(const ExpectedState& state, const RowsPlan& plan) {
  const uint64_t first = state.NextPresent(0);
  if (first >= plan.rows || first == state.Range()) return {};
  const uint64_t last = state.PresentBefore(plan.rows);
  if (first != 0 || last != plan.rows - 1) return {first, last + 1};
  // It goes round, or all places are taken.
  uint64_t gap = 0;
  while (gap < plan.rows && state.Find(gap)) ++gap;
  if (gap == plan.rows) return {0, plan.rows};
  return {state.NextPresent(gap), plan.rows + gap};
}

RowHistory::RowHistory(const RowPlaces& places, RowNumbers before, uint64_t inserted,
                       uint32_t first_version, uint64_t value_size)
    : places_(places),
      before_(before),
      inserted_(inserted),
      left_{before.first + places.plan().deletes * inserted, before.end + inserted},
      first_version_(first_version),
      value_size_(value_size) {}

std::optional<KeyHistory::Last> RowHistory::LastOf(uint64_t key) const {
  // The latest row with this key that is held, was inserted or was deleted.
  const uint64_t row = places_.RowAt(key, left_.first);
  if (left_.Has(row)) {
    if (row < before_.end) return std::nullopt;
    const uint64_t round = (row - before_.end) / places_.plan().rows;
    return Last{.version = first_version_ + static_cast<uint32_t>(round),
                .value_size = places_.IndexOf(key) == 0 ? value_size_ : RowsPlan::kEntryBytes};
  }
  const bool was_deleted = row >= places_.plan().rows && row - places_.plan().rows >= before_.first;
  if (!was_deleted) return std::nullopt;
  return Last{.erases = true};
}

IndexHistory::IndexHistory(const RowPlaces& places, RowNumbers held, uint64_t entries,
                           uint32_t version)
    : range_(places.plan().range()),
      first_key_(places.plan().rows),
      version_(version),
      walk_(places, held) {
  for (uint64_t i = 0; i < entries; ++i) walk_.Next();
}

std::optional<KeyHistory::Last> IndexHistory::LastOf(uint64_t key) const {
  if (key < first_key_ || key >= walk_.key() || !walk_.IsHeld(key)) return std::nullopt;
  return Last{.version = version_, .value_size = RowsPlan::kEntryBytes};
}

}  // namespace levelfield
