#include "plan/turn.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/series.h"
#include "base/random.h"

namespace levelfield {

std::string PlannedRun::Name() const { return RunName(engine->engine, alternative->variant); }

uint64_t Turn::Seed() const {
  return round == 0 ? settings().seed : DeriveSeed(settings().seed, "round", "", round);
}

uint64_t Turn::Salt() const { return DeriveSeed(Seed(), "salt", "", 0); }

uint64_t Turn::PaddingBytes() const {
  return Random(DeriveSeed(settings().seed, "padding", "", run)).Below(4096);
}

std::string Turn::StorePath() const {
  const std::string path = StorePathOf(settings(), engine().engine, results);
  const uint64_t number = what.alternative->variant.number;
  return number <= 1 ? path : fmt::format("{}+{}", path, number);
}

WorkerSpec Turn::Spec(const std::string& directory, uint64_t salt,
                      const StoreOrigin& origin) const {
  Settings of_worker = settings();
  of_worker.seed = Seed();
  if (engine().description.Has(LF_FLOOR)) of_worker.space_guard = "off";  // Writes nothing.
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

}  // namespace levelfield
