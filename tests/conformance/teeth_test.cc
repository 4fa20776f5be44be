// The suite and the loader can fail: engines with one thing wrong are found out, each by the claim
// that is meant for it. A claim is run in a process of its own, as ctest runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>

#include "engine/description.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
  int exit_code = -1;  // -1: died of a signal.
  std::string output;
};

Outcome RunClaim(const std::string& engines, const std::string& claim, const std::string& engine) {
  const std::string command = "LEVELFIELD_ENGINES='" + engines + "' '" + CONFORMANCE +
                              "' --gtest_color=no --gtest_filter='Engines/" + claim + "/" + engine +
                              "' 2>&1";
  Outcome outcome;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char block[4096];
  while (const size_t bytes = fread(block, 1, sizeof(block), pipe)) {
    outcome.output.append(block, bytes);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

struct Fault {
  const char* engine;
  const char* claim;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.engine << " by " << fault.claim;
}

class Teeth : public ::testing::TestWithParam<Fault> {};

TEST_P(Teeth, TheFaultIsFoundByTheClaimThatIsMeantForIt) {
  const auto [engine, claim] = GetParam();
  const Outcome broken = RunClaim(BROKEN_ENGINES, claim, engine);
  EXPECT_EQ(broken.exit_code, 1) << broken.output;
  EXPECT_THAT(broken.output,
              HasSubstr("[  FAILED  ] Engines/" + std::string(claim) + "/" + engine));
  // The same claim about the engine that it was made from: the fault is what makes the difference.
  const Outcome sound = RunClaim(ENGINES, claim, "memory");
  EXPECT_EQ(sound.exit_code, 0) << sound.output;
}

INSTANTIATE_TEST_SUITE_P(
    All, Teeth,
    ::testing::Values(
        Fault{"forgetful", "KeysAndValues.EveryOneOfThousandsOfPutsIsThere"},
        Fault{"forgetful", "Sessions.ThreadsThatWriteApartLoseNothing"},
        Fault{"forgetful", "AgainstTheModel.RandomOperationsAnswerAsAnOrderedMapDoes"},
        Fault{"backwards", "Scans.GoInTheOrderOfUnsignedBytesBothWays"},
        Fault{"backwards", "Scans.EverySeekLandsWhereTheModelSays"},
        Fault{"backwards", "Scans.NextAndPrevMayBeMixed"},
        Fault{"half_batch", "Batches.EveryEntryIsApplied"},
        Fault{"half_batch", "Batches.OfOneKeyTheLastEntryWins"},
        Fault{"half_batch", "AgainstTheModel.RandomOperationsAnswerAsAnOrderedMapDoes"},
        Fault{"torn_batch", "Batches.AReaderNeverSeesHalfAnAtomicBatch"},
        Fault{"blunt", "KeysAndValues.ErasingAnAbsentKeyIsNoError"},
        Fault{"blunt", "AgainstTheModel.RandomOperationsAnswerAsAnOrderedMapDoes"},
        Fault{"speechless", "KeysAndValues.AnEmptyKeyIsAKeyOrRefusedWithAReason"},
        Fault{"rude", "KeysAndValues.ALongKeyIsAKeyOrRefusedWithAReason"},
        Fault{"textual", "KeysAndValues.KeysAndValuesMayHoldAnyByte"},
        Fault{"amnesiac", "Lifecycle.WhatWasWrittenIsThereAfterReopening"},
        Fault{"amnesiac", "Lifecycle.EveryDurabilityClassWorksOrIsRefusedWithAReason"},
        Fault{"amnesiac", "Lifecycle.SyncAndCompactLoseNothing"},
        Fault{"buffered", "Lifecycle.WhatWasAcknowledgedSurvivesKill9"},
        Fault{"buffered", "Lifecycle.EveryDurabilityClassWorksOrIsRefusedWithAReason"},
        Fault{"boastful", "Lifecycle.EveryDurabilityClassStatesALevelOfItsOwn"},
        Fault{"boastful", "Options.WhatIsLoadedIsToldByVersionAndFile"},
        Fault{"eager", "Options.CheckingSettingsCreatesNothing"},
        Fault{"possessive", "WholeStores.AStoreIsRecognizedByItsEngineAndByNoOther"},
        Fault{"possessive", "WholeStores.WhatIsNoStoreIsNotRecognized"},
        Fault{"scorched", "WholeStores.DestroyRemovesItsFilesAndNothingElse"},
        Fault{"present_minded", "WholeStores.ASnapshotReadsWhatWasThereWhenItWasTaken"},
        Fault{"overrated", "WholeStores.ALargerRangeHasMoreBytes"},
        Fault{"hoarding", "FurtherCalls.AMergeMakesTheOperandTheValueUnlessAskedOtherwise"},
        Fault{"crossed", "FurtherCalls.AGetOfManyKeysIsAGetOfEach"},
        Fault{"greedy", "FurtherCalls.ErasingARangeErasesItAndNothingElse"},
        Fault{"rinsing", "FurtherCalls.FlushingWaitingAndVerifyingLoseNothing"},
        Fault{"rinsing", "FurtherCalls.ABackupIsTheStoreAsItWas"},
        Fault{"rinsing", "FurtherCalls.WhatIsNoBackupIsNotRestored"},
        Fault{"careless", "Transactions.LeaveNothingWhenTheyAreRolledBack"},
        Fault{"careless", "Transactions.OfSeveralThreadsLoseNoUpdate"},
        Fault{"hanging_on", "Sessions.AValueStaysUntilTheNextCallWhateverOthersWrite"}));

// What an engine cannot do, and says why, is no fault of it (engine_abi.h): neither where it can do
// nothing that it need not, nor where a claim about something else asks for it on its way.
TEST(Teeth, AnEngineMayBeUnableToDoAnythingThatItNeedNot) {
  const Outcome reserved = RunClaim(BROKEN_ENGINES, "*", "reserved");
  EXPECT_EQ(reserved.exit_code, 0) << reserved.output;
  for (const char* const call : {"sync",
                                 "compact",
                                 "size_on_disk",
                                 "recognize",
                                 "destroy",
                                 "repair",
                                 "compact_range",
                                 "approximate_bytes",
                                 "take_snapshot",
                                 "stats",
                                 "options",
                                 "merge",
                                 "multi_get",
                                 "delete_range",
                                 "flush",
                                 "wait_for_background",
                                 "verify_checksums",
                                 "backup",
                                 "transactions",
                                 "new_iterator"}) {
    EXPECT_THAT(reserved.output, HasSubstr("[ unsupported ] reserved: " + std::string(call)));
  }
  for (const char* const claim : {"WholeStores.StatsAndSstablesAreAnsweredOrRefusedWithAReason",
                                  "WholeStores.ALargerRangeHasMoreBytes",
                                  "FurtherCalls.AMergeMakesTheOperandTheValueUnlessAskedOtherwise",
                                  "FurtherCalls.ErasingARangeErasesItAndNothingElse"}) {
    const Outcome uncompacted = RunClaim(BROKEN_ENGINES, claim, "uncompacted");
    EXPECT_EQ(uncompacted.exit_code, 0) << uncompacted.output;
    EXPECT_THAT(uncompacted.output, HasSubstr("[ unsupported ] uncompacted: compact"));
    EXPECT_THAT(uncompacted.output, Not(HasSubstr("SKIPPED"))) << claim;
  }
}

TEST(Teeth, AClaimAboutNobodyFails) {
  const Outcome outcome = RunClaim(ENGINES, "Scans.*", "no_such_engine");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
}

TEST(Teeth, AFaultOfAnUnluckySequenceIsShrunkToFewOperations) {
  const Outcome outcome =
      RunClaim(BROKEN_ENGINES, "AgainstTheModel.RandomOperationsAnswerAsAnOrderedMapDoes", "blunt");
  // A put, the erasure of a smaller key, and a look.
  size_t operations = 0;
  for (const char* name : {"first.", "second."}) {
    for (size_t at = outcome.output.find(name); at != std::string::npos;
         at = outcome.output.find(name, at + 1)) {
      ++operations;
    }
  }
  EXPECT_GE(operations, 2u) << outcome.output;
  EXPECT_LE(operations, 4u) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("seed=")) << "so that it can be run again";
}

TEST(Teeth, AnEngineThatCrashesFailsAndLeavesNothingBehind) {
  std::string directory = ::testing::TempDir() + "levelfield_XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("TMPDIR", directory.c_str(), 1);
  const Outcome outcome = RunClaim(BROKEN_ENGINES, "KeysAndValues.WhatIsPutIsGot", "crashing");
  if (before != nullptr) {
    setenv("TMPDIR", kept.c_str(), 1);
  } else {
    unsetenv("TMPDIR");
  }
  EXPECT_EQ(outcome.exit_code, 128 + SIGABRT) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("died of signal"));
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  std::filesystem::remove_all(directory);
}

StatusOr<Engine> Load(const std::string& text) {
  return LoadEngine(*ParseEngineSpec(text), BROKEN_ENGINES);
}

void ExpectRefused(const std::string& name, const std::string& why) {
  const auto engine = Load(name);
  ASSERT_FALSE(engine.ok()) << name;
  EXPECT_EQ(engine.status().kind(), ErrorKind::kFailed);
  EXPECT_THAT(engine.status().message(),
              AllOf(HasSubstr("levelfield_" + name + ".so"), HasSubstr(why)));
}

TEST(Loader, RefusesAPlugInThatDoesNotFitByFileAndMember) {
  ExpectRefused("null_member", "get is null");
  ExpectRefused("wrong_size", "struct_bytes is 16");
  ExpectRefused("nameless", "name is \"memory\"");
  ExpectRefused("half_answered", "\"compression\"");
  ExpectRefused("half_a_snapshot", "take_snapshot");
  ExpectRefused("half_a_backup", "backup and restore are not both there");
  ExpectRefused("half_a_transaction", "roll_back_transaction are not all there");
  ExpectRefused("no_entry", "exports no levelfield_engine");
}

TEST(Loader, HandsTheVersionOrPathToThePlugInThatTakesOne) {
  for (const auto& [text, chosen] :
       std::vector<std::pair<std::string, std::string>>{{"versioned", "default"},
                                                        {"versioned@1", "1"},
                                                        {"versioned@2", "2"},
                                                        {"versioned:/lib/x.so", "/lib/x.so"}}) {
    const auto engine = Load(text);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    const auto description = Describe(*engine);
    ASSERT_TRUE(description.ok()) << description.status().message();
    EXPECT_EQ(description->Fact("version"), chosen);
    EXPECT_EQ(description->spec, text);
  }
}

TEST(Loader, PassesOnWhyAVersionIsNotToBeHad) {
  const auto engine = Load("versioned@3");
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.status().kind(), ErrorKind::kUsage);
  EXPECT_EQ(engine.status().message(), "versioned@3: load: there is no version 3");
}

}  // namespace
}  // namespace levelfield
