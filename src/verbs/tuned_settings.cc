#include "verbs/tuned_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "workload/workload_settings.h"

namespace levelfield {

std::vector<TunedSetting> TunedSettings(const std::string& engine, const Settings& settings) {
  if (settings.settings != "tuned") return {};
  const StatusOr<TunedProfile> profile = TunedOf(engine);
  if (!profile.ok()) return {};
  const double value_bytes = ValueSizesOf(settings).Mean();
  std::vector<TunedSetting> tuned = Apply(
      *profile,
      {.data_bytes = static_cast<uint64_t>(
           static_cast<double>(settings.num) *
           (static_cast<double>(settings.key_prefix + settings.key_size) + value_bytes)),
       .memory_bytes = settings.memory != 0
                           ? settings.memory
                           : static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE),
       .value_bytes = static_cast<uint64_t>(value_bytes)});
  const auto own = settings.engine_options.find(EngineName(engine));
  std::erase_if(tuned, [&](const TunedSetting& setting) {
    return settings.given.contains(setting.option) ||
           (own != settings.engine_options.end() &&
            std::ranges::find(own->second, setting.option,
                              &std::pair<std::string, std::string>::first) != own->second.end());
  });
  return tuned;
}

void NoteTuned(const Settings& settings, ProbeReply& engine) {
  if (settings.settings != "tuned" || !engine.status.ok() || engine.description.Has(LF_FLOOR)) {
    return;
  }
  const StatusOr<TunedProfile> profile = TunedOf(engine.engine);
  if (!profile.ok()) {
    engine.status = profile.status();
    return;
  }
  std::string words;
  for (const TunedSetting& tuned : TunedSettings(engine.engine, settings)) {
    words += fmt::format("{}{}={} ({})", words.empty() ? "" : ", ", tuned.option, tuned.value,
                         tuned.because);
  }
  engine.options.notes.push_back(fmt::format("tuned as {} say: {}; {}", profile->author,
                                             words.empty() ? "nothing more for this load" : words,
                                             profile->source));
}

}  // namespace levelfield
