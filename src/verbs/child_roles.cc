#include "verbs/child_roles.h"

#include <string_view>

#include "driver/conformance.h"
#include "driver/store_check.h"
#include "durability/crash_process.h"
#include "engine/engine_probe.h"
#include "worker/cache_worker.h"
#include "worker/worker.h"

namespace levelfield {
namespace {

struct ChildRole {
  std::string_view word;
  int (*run)(const Words& further);
};

constexpr ChildRole kRoles[] = {
    {"--worker", [](const Words&) { return RunWorker(); }},
    {"--answer-probe", [](const Words&) { return AnswerProbe(); }},
    {"--answer-conformance", [](const Words&) { return AnswerConformance(); }},
    {"--answer-store-check", [](const Words&) { return AnswerStoreCheck(); }},
    {kCrashWriterWord, [](const Words&) { return RunCrashWriter(); }},
    {kCrashCheckerWord, [](const Words&) { return RunCrashChecker(); }},
    {kCacheWorkerWord, [](const Words& further) { return RunCacheWorker(further); }},
};

}  // namespace

std::optional<int> RunAsChild(const Words& words) {
  if (words.empty()) return std::nullopt;
  for (const ChildRole& role : kRoles) {
    if (words.front() == role.word) return role.run({words.begin() + 1, words.end()});
  }
  return std::nullopt;
}

}  // namespace levelfield
