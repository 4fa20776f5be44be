#include "plan/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/series.h"
#include "base/random.h"

namespace levelfield {
std::string PlannedRun::Name() const { return RunName(engine->engine, variant->variant); }

uint64_t Trial::Seed() const {
  return round == 0 ? settings().seed : DeriveSeed(settings().seed, "round", "", round);
}

uint64_t Trial::Salt() const { return DeriveSeed(Seed(), "salt", "", 0); }

uint64_t Trial::PaddingBytes() const {
  return Random(DeriveSeed(settings().seed, "padding", "", run)).Below(4096);
}

std::string Trial::StorePath() const {
  std::string path = StorePathOf(settings(), engine().engine, results);
  if (twins != 0) path += fmt::format("~{}", twins + 1);
  const uint64_t number = what.variant->variant.number;
  return number <= 1 ? path : fmt::format("{}+{}", path, number);
}

WorkerSpec Trial::Spec(const std::string& directory, uint64_t salt,
                       const StoreOrigin& origin) const {
  Settings of_worker = settings();
  of_worker.seed = Seed();
  if (engine().description.Has(LF_FLOOR)) of_worker.space_guard = "off";  // It writes nothing.
  return {.engine = engine().engine,
          .engine_settings = engine().options.settings,
          .settings = std::move(of_worker),
          .phases = phases(),
          .directory = directory,
          .results_directory = results,
          .salt = salt,
          .origin = origin,
          .padding_bytes = PaddingBytes()};
}

namespace {

std::vector<size_t> Shuffled(size_t count, Random& random) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
  return order;
}

}  // namespace

std::vector<size_t> OrderOfRound(size_t variants, uint64_t round, uint64_t seed) {
  const uint64_t block = round / variants;
  Random random(DeriveSeed(seed, "schedule", "", block));
  // A cyclic square: row r has variant `names[(r + place) % n]` in that place.
  std::vector<size_t> names = Shuffled(variants, random);
  std::vector<size_t> rows = Shuffled(variants, random);
  if (block == 0) {
    std::ranges::sort(names);
    std::iter_swap(rows.begin(), std::ranges::find(rows, size_t{0}));
  }
  const size_t row = rows[round % variants];
  std::vector<size_t> order(variants);
  for (size_t place = 0; place < variants; ++place) {
    order[place] = names[(row + place) % variants];
  }
  return order;
}

}  // namespace levelfield
