#include "plan/value_size_settings.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/quote.h"

namespace levelfield {

Status CheckValueSizes(const Settings& settings) {
  const std::string& type = settings.value_size_distribution_type;
  const bool varies = type != "fixed";
  for (const char* bound : {"value_size_min", "value_size_max"}) {
    if (varies || !settings.given.contains(bound)) continue;
    return Status::Usage(fmt::format(
        "--{}: is of sizes that vary; say --value_size_distribution_type=uniform or normal, or "
        "leave it out",
        bound));
  }
  if (varies && settings.value_size_min > settings.value_size_max) {
    return Status::Usage(fmt::format("--value_size_min={}: is more than --value_size_max={}",
                                     settings.value_size_min, settings.value_size_max));
  }
  return Status::Ok();
}

ValueSizes ValueSizesOf(const Settings& settings) {
  const std::string& type = settings.value_size_distribution_type;
  if (type == "uniform") {
    return ValueSizes::Uniform(settings.value_size_min, settings.value_size_max);
  }
  if (type == "normal") {
    return ValueSizes::Normal(settings.value_size_min, settings.value_size_max);
  }
  return settings.value_size;
}

uint64_t ValueSizeSeed(const Settings& settings) {
  return DeriveSeed(settings.seed, "value sizes", "", 0);
}

}  // namespace levelfield
