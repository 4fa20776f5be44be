#include "worker/verifier.h"

#include <map>

#include "base/matchers_for_test.h"
#include "base/text.h"
#include "engine/loader.h"
#include "worker/roles_for_test.h"
#include "workload/find_workload.h"
#include "workload/workload_file.h"

namespace levelfield::verifier_test {

// The memory engine behind a table in which a test replaces one function by a faulty one. A fault
// strikes at every thousandth call, or at every call.
bool Strikes() { return ++calls % 1000 == 0; }
thread_local std::string changed_value;
thread_local std::string changed_key;

lf_code LosesAPut(lf_session* session, lf_bytes key, lf_bytes value) {
  return Strikes() ? LF_OK : honest.put(session, key, value);
}
lf_code KeepsTheOldValue(lf_session* session, lf_bytes key, lf_bytes value) {
  lf_bytes old;
  return honest.get(session, key, &old) == LF_OK ? LF_OK : honest.put(session, key, value);
}
lf_code KeepsWhatIsErased(lf_session*, lf_bytes) { return LF_OK; }
lf_code FindsNothing(lf_session* session, lf_bytes key, lf_bytes* value) {
  return Strikes() ? LF_NOT_FOUND : honest.get(session, key, value);
}
lf_code FlipsABit(lf_session* session, lf_bytes key, lf_bytes* value) {
  const lf_code code = honest.get(session, key, value);
  if (code != LF_OK || !Strikes()) return code;
  changed_value.assign(value->data, value->size);
  // A different bit each time.
  char& byte = changed_value[calls / 1000 % changed_value.size()];
  byte = static_cast<char>(byte ^ 1);
  value->data = changed_value.data();
  return code;
}
lf_code GivesAnotherKeysValue(lf_session* session, lf_bytes key, lf_bytes* value) {
  if (!Strikes()) return honest.get(session, key, value);
  changed_key.assign(key.data, key.size);
  changed_key.back() = changed_key.back() == '0' ? '1' : '0';
  return honest.get(session, {changed_key.data(), changed_key.size()}, value);
}
lf_code FindsWhatIsNotThere(lf_session* session, lf_bytes key, lf_bytes* value) {
  const lf_code code = honest.get(session, key, value);
  if (code != LF_NOT_FOUND || !Strikes()) return code;
  *value = {"ghost", 5};
  return LF_OK;
}
lf_code SkipsAnEntry(lf_session* session, lf_bytes* key, lf_bytes* value) {
  const lf_code code = honest.next(session, key, value);
  return code == LF_OK && Strikes() ? honest.next(session, key, value) : code;
}
lf_code EndsEarly(lf_session* session, lf_bytes* key, lf_bytes* value) {
  return Strikes() ? LF_NOT_FOUND : honest.next(session, key, value);
}
lf_code TurnsBackOnce(lf_session* session, lf_bytes* key, lf_bytes* value) {
  return Strikes() ? honest.prev(session, key, value) : honest.next(session, key, value);
}
lf_code SeeksBehind(lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found,
                    lf_bytes* value) {
  const lf_code code = honest.seek(session, how, key, found, value);
  return code == LF_OK && Strikes() ? honest.next(session, found, value) : code;
}

// Strikes at every twentieth batch.
lf_code LosesPartOfABatch(lf_session* session, const lf_entry* entries, size_t count) {
  return honest.write(session, entries, calls++ % 20 == 10 ? count - 1 : count);
}
lf_code ReadsTheNewest(lf_session* session, lf_snapshot*, lf_bytes key, lf_bytes* value) {
  return honest.get(session, key, value);
}

// Workloads beside the built-in ones, without the head of all.
const std::map<std::string, std::string> kOwn = {
    {"drawn",
     "needs = empty store\n[writer]\nthreads = $threads\nshare = repeat\nop = put\nkeys = drawn\n"
     "stop = after $num operations\n"},
    {"forward", "[r]\nop = seek\nkeys = forward\nstop = after $num operations\n"},
    {"cut", "[r]\nop = get\nkeys = uniform cut\nstop = after $num operations\n"},
    {"short",
     "needs = loaded store\n[writer]\nop = put\nkeys = sequential of the first 10%\n"
     "value_size = 8\nstop = after 100 operations\n"},
    {"fill",
     "needs = empty store\n[w]\nop = put\nkeys = shuffled\nrange = 200\nvalue_size = 9\n"
     "stop = after 150 operations\n"},
    {"triples",
     "[w]\nthreads = $threads\nop = triple\nrange = 300\nget_percent = 60\nerase_percent = 10\n"
     "stop = after 2000 operations\n"},
    {"append3",
     "[w]\nthreads = $threads\nop = append\nkeys = shuffled\nstop = after $num*3 operations\n"},
    {"xor3",
     "[w]\nthreads = $threads\nop = xor\nkeys = shuffled\nstop = after $num*3 operations\n"},
    {"getwhileerasing",
     "needs = loaded store\n[reader]\nop = get\nkeys = uniform\nstop = after $reads operations\n"
     "[eraser]\nop = erase\nkeys = shuffled\nstop = after $num operations\n"},
    {"seekwhilewriting",
     "needs = loaded store\n[reader]\nop = seek\nkeys = uniform\nstop = after $reads operations\n"
     "[writer]\nop = put\nkeys = shuffled\nstop = when readers end\n"},
    {"longscan",
     "needs = loaded store\n[reader]\nop = get\nkeys = uniform\n"
     "stop = after $reads*40 operations\n"
     "[scanner]\nop = next\nat_end = restart\nstop = when readers end\n"},
};

class VerifierTest : public ::testing::Test {
 protected:
  VerifierTest() : clock_(Clock::Calibrate(false)), values_(7, 2000, 0.5) {
    const StatusOr<Engine> engine = LoadEngine(*ParseEngineSpec("memory"), EnginePlaces());
    honest = engine->table();
    calls = 0;
    settings_.num = 5000;
    settings_.value_size = 64;
  }

  // Runs workloads one after another on one store, which `change` may make faulty, and returns the
  // last result. The state is what the store held before the last one.
  PhaseResult Run(const std::vector<std::string>& workloads, const Lie& change = TellTheTruth) {
    lf_engine table = honest;
    change(table);
    Store store =
        std::move(*Store::Open(Engine(*ParseEngineSpec("memory"), "/p", table), "/tmp", {}));
    ExpectedState state;
    PhaseResult result;
    for (const std::string& name : workloads) {
      const auto own = kOwn.find(name);
      const std::string text =
          own == kOwn.end() ? FindWorkload(name)->text : "summary = s\nfamily = f\n" + own->second;
      const StatusOr<Workload> workload = ParseWorkload(name, text,
                                                        {.num = settings_.num,
                                                         .reads = settings_.num,
                                                         .value_size = settings_.value_size,
                                                         .threads = settings_.threads});
      EXPECT_TRUE(workload.ok()) << workload.status().message();
      const PhaseRun run = RunPhase({.workload = &*workload,
                                     .settings = &settings_,
                                     .store = &store,
                                     .values = &values_,
                                     .clock = &clock_,
                                     .first_version = state.NextVersion(),
                                     .before = &state,
                                     .is_interrupted = [] { return false; },
                                     .report_progress = [](uint64_t, uint64_t) {}});
      EXPECT_EQ(run.code, LF_OK) << run.error;
      result = PhaseResult();
      result.outcome = Outcome::kOk;
      result.roles = Summarize(*workload, run, settings_.histogram);
      VerifyAnswers(*workload, run, state, values_, true, result);
      for (const WriteLayer& layer : LayersOf(*workload, run)) state.Add(layer);
    }
    return result;
  }

  // Runs workloads and expects that the answers were right and checked in this way.
  PhaseResult Right(const std::vector<std::string>& workloads, const char* checked) {
    PhaseResult result = Run(workloads);
    EXPECT_EQ(result.outcome, Outcome::kOk)
        << ::testing::PrintToString(workloads) << ": " << result.message;
    EXPECT_EQ(WordsOf(result.checked), checked) << ::testing::PrintToString(workloads);
    return result;
  }
  // The same of a faulty engine, whose wrong answers must be found and described so.
  void Wrong(const std::vector<std::string>& workloads, const Lie& fault,
             const char* message = "") {
    const PhaseResult result = Run(workloads, fault);
    EXPECT_EQ(result.outcome, Outcome::kWrong) << ::testing::PrintToString(workloads);
    EXPECT_THAT(result.message, HasSubstr(message)) << ::testing::PrintToString(workloads);
  }

  Settings settings_;
  Clock clock_;
  ValueSource values_;
};

constexpr const char* kReads[] = {"readrandom", "readmissing", "readhot",     "seekrandom",
                                  "readseq",    "readreverse", "seekordered", "readwhilescanning"};

TEST_F(VerifierTest, RightAnswersAreReplayedAndFoundRight) {
  for (const uint64_t threads : {1u, 3u}) {
    settings_.threads = threads;
    for (const char* const name : kReads) Right({"fillrandom", "overwrite", name}, "replayed");
  }
}

TEST_F(VerifierTest, RightAnswersAreFoundRightWhileOthersWrite) {
  settings_.threads = 2;
  for (const char* const name : {"readwhilewriting", "readrandomwriterandom"}) {
    Right({"fillrandom", name}, "in the loop");
  }
}

// The verifier once reported "keys were not found" for keys that the eraser had reached first.
TEST_F(VerifierTest, GetsBesideAnEraserMayMiss) {
  Right({"fillrandom", "getwhileerasing"}, "in the loop");
}

TEST_F(VerifierTest, WhatWasDrawnIsReplayed) {
  for (const char* const name : {"readrandom", "seekrandom", "readseq", "readreverse", "forward"}) {
    const PhaseResult result = Right({"drawn", name}, "replayed");
    EXPECT_EQ(result.check_detail, "hits, bytes and digest are those of the model");
    EXPECT_GT(result.roles[0].statistics[0].hits, 0u) << name;
  }
  // Some of the keys were never drawn.
  EXPECT_GT(Run({"drawn", "readrandom"}).roles[0].statistics[0].misses, 0u);
  EXPECT_GT(Run({"drawn", "forward"}).roles[0].statistics[0].misses, 0u);
  EXPECT_GT(Run({"drawn", "seekrandom"}).roles[0].statistics[0].misses, 0u)
      << "the next one is no hit";
  EXPECT_EQ(Run({"drawn", "cut"}).roles[0].statistics[0].misses, 5000u);
}

TEST_F(VerifierTest, ALostDrawnPutIsSeen) {
  for (const char* const name : {"readrandom", "seekrandom", "readseq"}) {
    Wrong({"drawn", name}, With(&lf_engine::put, LosesAPut));
    Wrong({"drawn", name}, With(&lf_engine::put, KeepsTheOldValue), "digest");
  }
}

// Which of two threads came last is unknown, but some entry must be there.
TEST_F(VerifierTest, OfWhatSeveralThreadsDrewPresenceIsChecked) {
  settings_.threads = 3;
  const PhaseResult result = Run({"drawn", "readrandom"});
  EXPECT_EQ(result.outcome, Outcome::kOk) << result.message;
  EXPECT_THAT(result.check_detail, HasSubstr("the digest is not compared"));
  Wrong({"drawn", "readrandom"}, With(&lf_engine::get, FindsNothing), "found instead of");
}

// Values made from old ones have lengths and versions with which the next reads are compared.
TEST_F(VerifierTest, ValuesThatWereMadeOfOldOnesAreReplayed) {
  for (const uint64_t threads : {1u, 3u}) {
    settings_.threads = threads;
    for (const uint64_t size : {15u, 64u}) {
      settings_.value_size = size;
      for (const char* const read : {"readrandom", "readseq"}) {
        for (const std::vector<std::string>& writes : std::vector<std::vector<std::string>>{
                 {"fillrandom", "appendrandom"},
                 {"append3"},
                 {"xor3"},
                 {"fillrandom", "append3", "xor3", "append3"},
                 {"fillrandom", "deleterandom", "append3", "xorupdaterandom"},
                 {"fillrandom", "append3", "overwrite", "xor3"}}) {
          std::vector<std::string> workloads = writes;
          workloads.emplace_back(read);
          Right(workloads, "replayed");
          EXPECT_EQ(Run(writes).outcome, Outcome::kOk) << Run(writes).message;
        }
      }
    }
  }
}

// The same keys, drawn: for those that three threads wrote, the old version is unknown.
TEST_F(VerifierTest, OldValuesOfAnyVersionCanBeChanged) {
  settings_.threads = 3;
  for (const char* const name : {"appendrandom", "xorupdaterandom"}) {
    for (const char* const read : {"readrandom", "readseq"}) {
      const PhaseResult result = Run({"drawn", name, read});
      EXPECT_EQ(result.outcome, Outcome::kOk) << name << result.message;
      EXPECT_EQ(result.check_detail, "hits, bytes and digest are those of the model");
    }
    EXPECT_EQ(Run({"drawn", name}).outcome, Outcome::kOk);
  }
}

// A wrong old value is counted when it is read, and the new value made from it is wrong too.
TEST_F(VerifierTest, WrongOldValuesAreFoundTwice) {
  for (const char* const name : {"appendrandom", "xorupdaterandom"}) {
    for (const auto& [get, message] : std::vector<std::pair<decltype(lf_engine::get), const char*>>{
             {FlipsABit, "not their key's"},
             {GivesAnotherKeysValue, "not their key's"},
             {FindsNothing, "were not "}}) {  // The xor calls it a wrong value.
      Wrong({"fillrandom", name}, With(&lf_engine::get, get), message);
    }
  }
  // The loop of appends cannot tell an old version from the newest, but the length shows it.
  const auto keep_old = With(&lf_engine::put, KeepsTheOldValue);
  Wrong({"fillrandom", "appendrandom", "readrandom"}, keep_old);
  Wrong({"fillrandom", "overwrite", "xorupdaterandom"}, keep_old);
}

TEST_F(VerifierTest, KeysThatAreWrittenTogetherAreReadTogether) {
  for (const uint64_t threads : {1u, 3u}) {
    settings_.threads = threads;
    for (const std::vector<std::string>& workloads :
         std::vector<std::vector<std::string>>{{"triples"},
                                               {"triples", "triples"},
                                               {"fill", "triples"},
                                               {"fill", "overwrite", "triples"}}) {
      Right(workloads, "in the loop");
      std::vector<std::string> read = workloads;
      read.emplace_back("readrandom");
      EXPECT_EQ(Run(read).outcome, Outcome::kOk) << Run(read).message;
      Wrong(workloads, With(&lf_engine::write, LosesPartOfABatch), "belong together");
    }
  }
}

TEST_F(VerifierTest, ASnapshotThatIsNoneIsFound) {
  const PhaseResult right = Run({"randomreplacekeys"});
  EXPECT_EQ(right.outcome, Outcome::kOk) << right.message;
  EXPECT_EQ(right.note, "a snapshot is held");
  Wrong({"randomreplacekeys"}, With(&lf_engine::get_at, ReadsTheNewest), "the snapshot lost");
  EXPECT_EQ(Run({"randomreplacekeys", "readseq"}).outcome, Outcome::kOk);
}

TEST_F(VerifierTest, SeeksBesideAWriterAreUnchecked) {
  Right({"fillrandom", "seekwhilewriting"}, "none");
}

TEST_F(VerifierTest, ReadsOfAStoreWithHolesAreRight) {
  for (const char* const name : kReads) {
    const PhaseResult result = Run({"fillrandom", "deleterandom", name});
    EXPECT_EQ(result.outcome, Outcome::kOk) << name << ": " << result.message;
  }
}

TEST_F(VerifierTest, ValuesOfEveryShortLengthAreReplayed) {
  for (const uint64_t size : {1u, 8u, 10u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 65u, 128u, 129u}) {
    settings_.value_size = size;
    SCOPED_TRACE(size);
    Right({"fillrandom", "readrandom"}, "replayed");
  }
}

TEST_F(VerifierTest, AValueTooShortForItsVersionIsUncheckedWhileOthersWrite) {
  settings_.value_size = 15;
  const PhaseResult result = Right({"fillrandom", "readwhilewriting"}, "none");
  EXPECT_THAT(result.check_detail, HasSubstr("16 bytes"));
}

TEST_F(VerifierTest, AStoreWithSuchValuesIsUncheckedToo) {
  const PhaseResult result = Run({"fillrandom", "short", "readwhilewriting"});
  EXPECT_EQ(result.outcome, Outcome::kOk) << result.message;
  EXPECT_THAT(result.check_detail, HasSubstr("16 bytes"));
  EXPECT_EQ(WordsOf(Run({"fillrandom", "short", "overwrite", "readwhilewriting"}).checked),
            "in the loop");
}

struct Fault {
  const char* name;
  Lie change;
  const char* workloads;
  const char* message;  // A part of it.
};

TEST_F(VerifierTest, EveryWrongAnswerIsNamed) {
  const Fault faults[] = {
      {"loses one put in a thousand", With(&lf_engine::put, LosesAPut), "fillrandom readseq",
       "4995 entries instead of 5000"},
      {"keeps the old value", With(&lf_engine::put, KeepsTheOldValue),
       "fillrandom overwrite readrandom", "what was read differs"},
      {"finds nothing", With(&lf_engine::get, FindsNothing), "fillrandom readrandom",
       "4995 found instead of 5000"},
      {"flips a bit", With(&lf_engine::get, FlipsABit), "fillrandom readrandom",
       "what was read differs"},
      {"gives another key's value", With(&lf_engine::get, GivesAnotherKeysValue),
       "fillrandom readrandom", "what was read differs"},
      {"finds what is not there", With(&lf_engine::get, FindsWhatIsNotThere),
       "fillrandom readmissing", "5 found instead of 0"},
      {"finds what was erased", With(&lf_engine::erase, KeepsWhatIsErased),
       "fillrandom deleteseq readrandom", "5000 found instead of 0"},
      {"skips an entry", With(&lf_engine::next, SkipsAnEntry), "fillrandom readseq",
       "entries instead of 5000"},
      {"ends early", With(&lf_engine::next, EndsEarly), "fillrandom readseq",
       "1000 entries instead of 5000"},
      {"turns back", With(&lf_engine::next, TurnsBackOnce), "fillrandom readseq", "instead of"},
      {"seeks behind", With(&lf_engine::seek, SeeksBehind), "fillrandom seekrandom",
       "found instead of 5000"},
      {"seeks behind, forwards", With(&lf_engine::seek, SeeksBehind), "fillrandom seekordered",
       "found instead of 5000"},
      {"ends early, again and again", With(&lf_engine::next, EndsEarly), "fillrandom longscan",
       "[scanner], thread 0: "},
      {"skips an entry, again and again", With(&lf_engine::next, SkipsAnEntry),
       "fillrandom longscan", "[scanner], thread 0: "},
      {"flips a bit while others write", With(&lf_engine::get, FlipsABit),
       "fillrandom readwhilewriting", "5 of 5000 values were not their key's"},
      {"gives another key's value while others write", With(&lf_engine::get, GivesAnotherKeysValue),
       "fillrandom readrandomwriterandom", "values were not their key's"},
      {"finds nothing while others write", With(&lf_engine::get, FindsNothing),
       "fillrandom readwhilewriting", "5 of 5000 keys were not found; at most 0 were absent"},
  };
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.name);
    calls = 0;
    const PhaseResult result = Run(Split(fault.workloads, ' '), fault.change);
    EXPECT_EQ(result.outcome, Outcome::kWrong);
    EXPECT_THAT(result.message, AllOf(HasSubstr("wrong answer: ["), HasSubstr(fault.message)));
  }
}

TEST_F(VerifierTest, TheThreadThatWasWrongIsNamed) {
  settings_.threads = 4;
  Wrong({"fillrandom", "readrandom"}, With(&lf_engine::get, FindsNothing), "[reader], thread ");
}

TEST_F(VerifierTest, AnEngineThatKeepsNothingIsNotChecked) {
  PhaseResult result;
  result.outcome = Outcome::kOk;
  VerifyAnswers({}, {}, {}, values_, false, result);
  EXPECT_EQ(result.outcome, Outcome::kOk);
  EXPECT_EQ(WordsOf(result.checked), "none");
  EXPECT_NE(result.check_detail, "");
}

TEST_F(VerifierTest, TotalsAreTheSumsOverAllThreads) {
  settings_.threads = 3;
  const PhaseResult split = Run({"fillrandom", "readrandom"});
  ASSERT_EQ(split.roles.size(), 1u);
  EXPECT_EQ(split.roles[0].Operations(), settings_.num);
  EXPECT_EQ(split.roles[0].statistics[0].hits, settings_.num);
  EXPECT_EQ(split.roles[0].statistics[0].bytes, settings_.num * (16 + 64));
  EXPECT_EQ(split.roles[0].statistics[0].latency_ns->Count(), settings_.num);
  EXPECT_EQ(Run({"fillrandom", "readseq"}).roles[0].Operations(), 3 * settings_.num);
  settings_.histogram = false;
  EXPECT_FALSE(Run({"fillrandom", "readrandom"}).roles[0].statistics[0].latency_ns.has_value());
}

TEST_F(VerifierTest, TheSameSeedReadsTheSameAndAnotherDoesNot) {
  const auto digest = [&](uint64_t seed) {
    settings_.seed = seed;
    return Run({"fillrandom", "readrandom"}).roles[0].statistics[0].digest;
  };
  EXPECT_EQ(digest(1), digest(1));
  EXPECT_NE(digest(1), digest(2));
}

// A phase of one role on a store from before the run: it alone is checked.
PhaseResult VerifiedOnExisting(const char* operation, bool knows_values, uint64_t wrong,
                               bool cut_off = false) {
  Workload workload;
  workload.roles.emplace_back().operation = FindOperation(operation);
  PhaseResult result;
  result.outcome = Outcome::kOk;
  result.roles.push_back({.name = "role",
                          .threads = 1,
                          .statistics = {{.operation = "x",
                                          .effects = workload.roles[0].operation->effects,
                                          .operations = 10,
                                          .hits = 7,
                                          .misses = 3,
                                          .wrong = wrong,
                                          .latency_ns = {}}}});
  PhaseRun run;
  run.roles.emplace_back();
  VerifyExisting(workload, run, {.knows_values = knows_values, .cut_off = cut_off}, 0, result);
  return result;
}

// The same for a store that was left with 10 entries, where one thread found so many.
PhaseResult VerifiedOfTen(const char* operation, uint64_t hits, uint64_t misses, bool found_end) {
  Workload workload;
  Role& role = workload.roles.emplace_back();
  role.operation = FindOperation(operation);
  role.range = 10;
  PhaseRun run;
  ThreadResult& thread = run.roles.emplace_back().results.emplace_back();
  thread.found_end = found_end;
  OperationCounts& counts = thread.statistics.emplace_back().counts;
  counts.operations = hits + misses;
  counts.hits = hits;
  counts.misses = misses;
  PhaseResult result;
  result.outcome = Outcome::kOk;
  OperationStatistics& stats = result.roles.emplace_back().statistics.emplace_back();
  stats.operation = "x";
  stats.effects = role.operation->effects;
  stats.hits = hits;
  stats.misses = misses;
  VerifyExisting(workload, run, {.knows_values = true}, 10, result);
  return result;
}

// What a mix erases, or writes, was not found.
TEST(VerifyExisting, OnlyAnswersCountAsFound) {
  Workload workload;
  workload.roles.emplace_back().operation = FindOperation("erase range");
  PhaseResult result;
  RoleResult& role = result.roles.emplace_back();
  const auto add = [&](const char* operation, Effects effects) {
    role.statistics.push_back({.operation = operation,
                               .effects = effects,
                               .operations = 90,
                               .hits = 90,
                               .latency_ns = {}});
  };
  add("get", Effect::kReads);
  role.statistics[0].hits = 7;
  role.statistics[0].misses = 83;
  add("put", kPuts);
  add("erase_range", kErasures);
  PhaseRun run;
  run.roles.emplace_back();
  VerifyExisting(workload, run, {}, 0, result);
  EXPECT_THAT(result.check_detail, HasSubstr("7 found, 83 not found"));
}

TEST(VerifyExisting, AnEntryThatAStoreOfOursHasLostIsNoticed) {
  EXPECT_EQ(VerifiedOfTen("next", 10, 0, true).outcome, Outcome::kOk);
  EXPECT_THAT(VerifiedOfTen("next", 10, 0, true).check_detail,
              HasSubstr("the store was left with 10 entries"));
  for (const uint64_t hits : {9, 11}) {
    const PhaseResult scan = VerifiedOfTen("next", hits, 0, true);
    EXPECT_EQ(scan.outcome, Outcome::kWrong);
    EXPECT_THAT(scan.message, HasSubstr("a scan of all entries found " + std::to_string(hits)));
  }
  EXPECT_EQ(VerifiedOfTen("next", 9, 0, false).outcome, Outcome::kOk) << "cut short";
  EXPECT_EQ(VerifiedOfTen("get", 100, 0, false).outcome, Outcome::kOk);
  EXPECT_THAT(VerifiedOfTen("get", 99, 1, false).message,
              HasSubstr("1 gets of keys that it held found nothing"));
}

TEST(VerifyExisting, WhatIsKnownIsJudgedAndWhatIsNotIsCounted) {
  const PhaseResult known = VerifiedOnExisting("get", true, 0);
  EXPECT_EQ(known.outcome, Outcome::kOk);
  EXPECT_EQ(WordsOf(known.checked), "in the loop");
  EXPECT_THAT(known.check_detail, HasSubstr("7 found, 3 not found"));
  const PhaseResult wrong = VerifiedOnExisting("next", true, 2);
  EXPECT_EQ(wrong.outcome, Outcome::kWrong);
  EXPECT_THAT(wrong.message, HasSubstr("2 of 7 entries"));
  // A store cut short by a kill has whole entries, but not all that it should have.
  const PhaseResult cut_off = VerifiedOnExisting("get", true, 0, true);
  EXPECT_EQ(cut_off.outcome, Outcome::kOk);
  EXPECT_EQ(WordsOf(cut_off.checked), "counted");
  EXPECT_THAT(cut_off.check_detail, HasSubstr("not closed in good order"));
  EXPECT_EQ(VerifiedOnExisting("get", true, 2, true).outcome, Outcome::kWrong);
  // In another program's store, we can check neither values nor order.
  for (const std::string operation : {"mix", "next"}) {
    const PhaseResult counted = VerifiedOnExisting(operation.c_str(), false, 2);
    EXPECT_EQ(counted.outcome, Outcome::kOk);
    EXPECT_EQ(WordsOf(counted.checked), "counted");
    EXPECT_EQ(counted.roles[0].statistics[0].wrong, 0u);
    EXPECT_EQ(counted.check_detail.find("2 keys were not in the order") != std::string::npos,
              operation == "next");
  }
  EXPECT_THAT(VerifiedOnExisting("next", false, 0).check_detail,
              HasSubstr("only the order of the keys was checked"));
  EXPECT_EQ(WordsOf(VerifiedOnExisting("put", false, 0).checked), "") << "that is verified";
}

}  // namespace levelfield::verifier_test
