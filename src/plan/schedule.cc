#include "plan/schedule.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace levelfield {
namespace {

std::vector<size_t> Shuffled(size_t count, Random& random) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
  return order;
}

}  // namespace

std::vector<size_t> OrderOfRound(size_t alternatives, uint64_t round, uint64_t seed) {
  const uint64_t block = round / alternatives;
  Random random(DeriveSeed(seed, "schedule", "", block));
  // A cyclic square: in row r, alternative `names[(r + place) % n]` stands in that place.
  std::vector<size_t> names = Shuffled(alternatives, random);
  std::vector<size_t> rows = Shuffled(alternatives, random);
  if (block == 0) {
    std::ranges::sort(names);
    std::iter_swap(rows.begin(), std::ranges::find(rows, size_t{0}));
  }
  const size_t row = rows[round % alternatives];
  std::vector<size_t> order(alternatives);
  for (size_t place = 0; place < alternatives; ++place) {
    order[place] = names[(row + place) % alternatives];
  }
  return order;
}

}  // namespace levelfield
