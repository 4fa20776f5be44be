#include "result/cache_result.h"

#include <algorithm>
#include <numeric>

#include "base/json_text.h"
#include "result/result_json.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

uint64_t CachePhase::Operations() const {
  return std::accumulate(counts.operations.begin(), counts.operations.end(), uint64_t{0});
}

uint64_t CachePhase::Lookups() const {
  return counts.calls[static_cast<size_t>(CacheCall::kLookupHit)] +
         counts.calls[static_cast<size_t>(CacheCall::kLookupMiss)];
}

uint64_t CachePhase::Inserts() const {
  return counts.calls[static_cast<size_t>(CacheCall::kInsert)];
}

double CachePhase::CpuNsPerOperation() const {
  const auto operations = static_cast<double>(Operations());
  return operations > 0 ? (cpu_seconds - making_seconds) * 1e9 / operations : 0;
}

std::string CacheDescription::Fact(std::string_view name_of) const {
  for (const auto& [fact, value] : facts) {
    if (fact == name_of) return value;
  }
  return "";
}

bool CacheResult::ok() const {
  return failure.empty() &&
         std::ranges::all_of(phases, [](const CachePhase& phase) { return phase.problem.empty(); });
}

const CachePhase* CacheResult::Find(bool payload, uint64_t threads) const {
  const auto it = std::ranges::find_if(phases, [&](const CachePhase& phase) {
    return phase.payload == payload && phase.threads == threads;
  });
  return it == phases.end() ? nullptr : &*it;
}

Json ToJson(const CacheDescription& cache) {
  return {{"name", cache.name},   {"summary", cache.summary},       {"license", cache.license},
          {"facts", cache.facts}, {"shard_bits", cache.shard_bits}, {"key_size", cache.key_size},
          {"notes", cache.notes}, {"clock", cache.clock},           {"clock_ns", cache.clock_ns}};
}

StatusOr<CacheDescription> CacheDescriptionFromJson(const Json& json) {
  try {
    return CacheDescription{.name = json.at("name"),
                            .summary = json.at("summary"),
                            .license = json.at("license"),
                            .facts = json.at("facts"),
                            .shard_bits = json.at("shard_bits").get_ref<const int64_t&>(),
                            .key_size = CountOf(json.at("key_size")),
                            .notes = json.at("notes"),
                            .clock_ns = json.at("clock_ns"),
                            .clock = json.at("clock")};
  } catch (const Json::exception& error) {
    return Status::Failed(std::string("a cache's description: ") + error.what());
  }
}

Json ToJson(const CachePhase& phase) {
  Json operations = Json::object();
  for (size_t i = 0; i < kCacheOperations; ++i) {
    operations[std::string(kCacheOperationNames[i])] = phase.counts.operations[i];
  }
  Json calls = Json::object();
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    calls[std::string(kCacheCallNames[i])] = {{"count", phase.counts.calls[i]},
                                              {"latency_ns", ToJson(phase.latency_ns[i])}};
  }
  Json counters = Json::object();
  for (const auto& [name, value] : phase.counters) counters[name] = value;
  return {{"payload", phase.payload},
          {"threads", phase.threads},
          {"outcome", phase.problem.empty() ? "ok" : "void"},
          {"message", phase.problem},
          {"seconds", phase.seconds},
          {"thread_seconds", phase.thread_seconds},
          {"cpu_seconds", phase.cpu_seconds},
          {"making_seconds", phase.making_seconds},
          {"operations", std::move(operations)},
          {"calls", std::move(calls)},
          {"populated", phase.populated},
          {"failed", phase.counts.failed},
          {"wrong", phase.counts.wrong},
          {"let_go", phase.let_go},
          {"usage", phase.usage},
          {"counters", std::move(counters)},
          {"clock_drift_ppm", phase.clock_drift_ppm}};
}

StatusOr<CachePhase> CachePhaseFromJson(const Json& json) {
  CachePhase phase;
  try {
    phase.payload = json.at("payload");
    phase.threads = CountOf(json.at("threads"));
    phase.problem = json.at("message");
    phase.seconds = json.at("seconds");
    phase.thread_seconds = json.at("thread_seconds");
    phase.cpu_seconds = json.at("cpu_seconds");
    phase.making_seconds = json.at("making_seconds");
    for (size_t i = 0; i < kCacheOperations; ++i) {
      phase.counts.operations[i] =
          CountOf(json.at("operations").at(std::string(kCacheOperationNames[i])));
    }
    for (size_t i = 0; i < kCacheCallKinds; ++i) {
      const Json& call = json.at("calls").at(std::string(kCacheCallNames[i]));
      phase.counts.calls[i] = CountOf(call.at("count"));
      ASSIGN_OR_RETURN(const SparseHistogram histogram, HistogramFromJson(call.at("latency_ns")));
      phase.latency_ns[i] = histogram.Whole();
    }
    phase.populated = CountOf(json.at("populated"));
    phase.counts.failed = CountOf(json.at("failed"));
    phase.counts.wrong = CountOf(json.at("wrong"));
    phase.let_go = CountOf(json.at("let_go"));
    phase.usage = CountOf(json.at("usage"));
    for (const auto& [name, value] : json.at("counters").items()) {
      phase.counters.emplace_back(name, CountOf(value));
    }
    phase.clock_drift_ppm = json.at("clock_drift_ppm");
  } catch (const Json::exception& error) {
    return Status::Failed(std::string("a phase of a cache: ") + error.what());
  }
  return phase;
}

}  // namespace levelfield
