#include "driver/cache_driver.h"

#include <fmt/format.h>

#include <sstream>

#include "base/json_text.h"
#include "base/quote.h"
#include "process/process.h"
#include "worker/cache_worker.h"

namespace levelfield {
namespace {

constexpr double kDescribeSeconds = 30;  // Loading a library and hashing it takes tenths.

// One process that is asked `what` of the cache, until it ends or says nothing for so long.
StatusOr<Heard> Ask(const std::string& name, const std::string& what, uint64_t threads,
                    double silence_seconds, const std::vector<std::string>& words) {
  std::vector<std::string> all = {std::string(kCacheWorkerWord), name, what,
                                  std::to_string(threads)};
  all.insert(all.end(), words.begin(), words.end());
  ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::Start(all));
  Heard heard = Hear(child, {.silence_seconds = silence_seconds});
  if (heard.cut == Heard::Cut::kInterrupted) return Status::Interrupted("interrupted");
  if (heard.cut == Heard::Cut::kNone) return heard;
  return Status::Failed(
      fmt::format("{}: it hangs: no operation was done in {:g} s (--stall); it was killed", name,
                  silence_seconds));
}

// Takes into `result` what a process said.
Status Take(const Heard& heard, CacheResult& result) {
  const std::string name = result.cache.name;
  std::istringstream lines(heard.output);
  for (std::string line; std::getline(lines, line);) {
    const auto event = ParseBoundedJson(line);
    if (!event.ok() || !event->is_object()) {
      return Status::Failed(name + ": its process said what is no event");
    }
    if (const auto error = event->find("error"); error != event->end()) {
      const std::string message =
          error->is_string() ? error->get<std::string>() : name + ": its process failed";
      const bool is_usage = event->contains("usage") && event->at("usage") == true;
      return is_usage ? Status::Usage(message) : Status::Failed(message);
    }
    if (event->contains("cache")) {
      ASSIGN_OR_RETURN(CacheDescription cache, CacheDescriptionFromJson(event->at("cache")));
      result.cache = std::move(cache);
    }
    if (event->contains("phase")) {
      ASSIGN_OR_RETURN(CachePhase phase, CachePhaseFromJson(event->at("phase")));
      result.phases.push_back(std::move(phase));
    }
  }
  if (heard.end.empty() && !heard.output.empty()) return Status::Ok();
  return Status::Failed(
      fmt::format("{}: its process ended{}{}", name,
                  heard.end.empty() ? " without an answer" : " by " + heard.end,
                  heard.last_words.empty() ? "" : "; it said: " + Quote(heard.last_words, 500)));
}

}  // namespace

StatusOr<CacheDescription> DescribeCache(const std::string& name,
                                         const std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const Heard heard, Ask(name, "describe", 0, kDescribeSeconds, words));
  CacheResult result;
  result.cache.name = name;
  RETURN_IF_ERROR(Take(heard, result));
  return std::move(result.cache);
}

CacheResult MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                         const std::vector<std::string>& words) {
  CacheResult result;
  result.cache.name = name;
  for (const uint64_t threads : settings.ThreadCounts()) {
    for (const bool payload : {true, false}) {
      if (payload && settings.lean) continue;
      const StatusOr<Heard> heard =
          Ask(name, payload ? "payload" : "lean", threads, settings.stall, words);
      const size_t before = result.phases.size();
      Status status = heard.ok() ? Take(*heard, result) : heard.status();
      if (status.ok() && result.phases.size() != before + 1) {
        status = Status::Failed(name + ": its process ended without a result");
      }
      if (!status.ok()) {
        result.failure = status.message();
        return result;
      }
    }
  }
  return result;
}

}  // namespace levelfield
