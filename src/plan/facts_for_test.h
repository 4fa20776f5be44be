// For tests only: a machine of values. Whatever the test does not say of it is as it is on a large
// machine where nothing is in the way, and engines take all settings.
#ifndef LEVELFIELD_PLAN_FACTS_FOR_TEST_H_
#define LEVELFIELD_PLAN_FACTS_FOR_TEST_H_

#include <string>
#include <utility>
#include <vector>

#include "base/status_for_test.h"
#include "engine/options.h"
#include "plan/engine_requests.h"
#include "plan/facts.h"
#include "plan/known.h"
#include "plan/make_plan.h"
#include "plan/plan_for_test.h"

namespace levelfield {

inline EngineFacts EngineOf(const std::string& spec, uint32_t capabilities = 0) {
  EngineDescription engine;
  engine.name = engine.spec = spec;
  engine.summary = engine.license = "s";
  engine.capabilities = capabilities;
  for (const CommonOption& option : kCommonOptions) {
    engine.options.push_back({.name = std::string(option.name),
                              .kind = option.kind,
                              .default_value = "0",
                              .choices = {"none", "snappy"},
                              .help = "h"});
  }
  engine.durabilities = {
      {"none", LF_D0_NONE, ""}, {"process", LF_D1_PROCESS, ""}, {"synced", LF_D4_SYNCED, ""}};
  engine.facts = {{"version", "1.23"}, {"space_factor", "1"}};
  return {.spec = spec, .description = engine};
}

// Two engines with stores, and the two that keep none.
inline Facts FourEngines() {
  Facts facts;
  facts.engines = {EngineOf("lmdb"), EngineOf("leveldb"), EngineOf("memory", LF_FLOOR),
                   EngineOf("null", LF_FLOOR | LF_NO_ANSWERS)};
  return facts;
}

// What a test has not said, as the above has it.
inline void AnswerAsUsual(const OpenQuestion& question, Facts& facts) {
  const std::string& path = question.path;
  switch (question.kind) {
    case OpenQuestion::Kind::kMachine:
      facts.machine = {.memory_available_bytes = uint64_t{64} << 30,
                       .descriptor_limit = 100'000,
                       .processors = "0-7"};
      return;
    case OpenQuestion::Kind::kPlugIns:
      facts.plug_ins.emplace();
      for (const EngineFacts& engine : facts.engines) {
        facts.plug_ins->names.push_back(engine.spec);
      }
      return;
    case OpenQuestion::Kind::kEngine:
      for (EngineFacts& engine : facts.engines) {
        if (engine.spec != question.request.engine) continue;
        ResolvedOptions options;
        ASSERT_TRUE(Resolve(*engine.description, question.request, options).ok());
        engine.answers.push_back(
            {.settings = SettingsToCheck(question.request, options),
             .read_only = question.request.reads_only ? question.request.path : ""});
      }
      return;
    case OpenQuestion::Kind::kPlace:
      facts.places.push_back({.path = path,
                              .why_not_seen = "No such file or directory",
                              .is_missing = true,
                              .real_path = "/here/" + path,
                              .nearest = "/here"});
      return;
    case OpenQuestion::Kind::kEnclosingStore:
      facts.enclosing_stores.push_back({.path = path, .may_be_one = question.may_be_one});
      return;
    case OpenQuestion::Kind::kRecognition:
      facts.recognitions.push_back({.path = path, .engine = question.engine});
      return;
    case OpenQuestion::Kind::kDisk:
      facts.disks.push_back({.path = path,
                             .free_bytes = uint64_t{1} << 40,
                             .total_bytes = uint64_t{2} << 40,
                             .free_files = 1'000'000'000});
      return;
    case OpenQuestion::Kind::kCheck:
      facts.checks.push_back({.check = question.check, .of = path});
      return;
    case OpenQuestion::Kind::kWorkload:
    case OpenQuestion::Kind::kTrace:
      FAIL() << "the test has to say " << question.words;
  }
}

// What `make` makes of a Known.
template <class Make>
auto WithFacts(Facts& facts, const Make& make) {
  for (int i = 0;; ++i) {
    std::vector<OpenQuestion> open;
    Known known(facts, open);
    auto made = make(known);
    if (open.empty() || i == 100) return made;
    for (const OpenQuestion& question : open) AnswerAsUsual(question, facts);
    if (::testing::Test::HasFatalFailure()) return made;
  }
}

inline StatusOr<Plan> PlanOf(const std::vector<std::string>& words, Facts& facts) {
  ASSIGN_OR_RETURN(const Settings settings, ParseSettings(words));
  return WithFacts(facts, [&](Known& known) { return MakePlan(settings, known); });
}
inline StatusOr<Plan> PlanOf(const std::vector<std::string>& words, Facts&& facts) {
  return PlanOf(words, facts);
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_FACTS_FOR_TEST_H_
