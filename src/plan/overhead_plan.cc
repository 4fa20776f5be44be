#include "plan/overhead_plan.h"

#include <algorithm>

namespace levelfield {
namespace {

// The cost of an operation does not depend on the number of keys. Only the memory engine's does,
// and its overhead says how many keys it had.
constexpr uint64_t kMostKeys = 100'000;
constexpr double kMostSeconds = 0.3;

}  // namespace

Settings OverheadSettings(Settings settings) {
  const auto at_most = [](uint64_t& count) { count = std::min(count, kMostKeys); };
  at_most(settings.num);
  at_most(settings.reads);
  at_most(settings.writes);
  at_most(settings.deletes);
  settings.duration = std::min(settings.duration, kMostSeconds);
  settings.reads_per_second = 0;
  settings.write_bytes_per_second = 0;
  settings.rate.clear();
  settings.slo.clear();
  settings.given.erase("arrival");  // It is refused without a rate.
  settings.depth =
      1;  // The harness costs the same for each; those that are measured have no server.
  settings.trace_speed = 0;
  settings.trace_records =
      std::min(settings.trace_records != 0 ? settings.trace_records : kMostKeys, kMostKeys);
  settings.warmup.clear();
  settings.interval_seconds = 0;
  settings.memory = 0;
  settings.use_existing_db = settings.read_only = false;
  settings.report_file.clear();
  settings.record.clear();
  settings.engine_options.clear();
  return settings;
}

}  // namespace levelfield
