#include "plan/existing_store.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/plan_for_test.h"

namespace levelfield::existing_store_test {

class MeetingAStore : public ::testing::Test {
 protected:
  StatusOr<StoreDecision> Decide(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"--use_existing_db", "--db=/data"};
    all.insert(all.end(), words.begin(), words.end());
    const Settings settings = Must(ParseSettings(all));
    const std::vector<PlannedPhase> phases = Must(PlanPhases(settings));
    return DecideAccess(settings, phases, store_, engine_, probed_);
  }
  // Why nothing can be done with it.
  std::string Refusal(const std::vector<std::string>& words, ErrorKind kind) {
    const StatusOr<StoreDecision> decision = Decide(words);
    EXPECT_EQ(decision.status().kind(), kind);
    return decision.status().message();
  }
  void IsOursFilledBy(const std::string& version) {
    store_.is_ours = true;
    store_.filled_by = version;
  }

  ExistingStore store_{.engine = "leveldb", .path = "/data/S"};
  EngineDescription engine_;
  ProbedStore probed_;

  MeetingAStore() { engine_.facts = {{"version", "1.23"}, {"read_only", "by its flag"}}; }
};

TEST_F(MeetingAStore, OfOursAndTheSameLibraryIsInItsPlace) {
  IsOursFilledBy("1.23");
  for (const char* const benchmarks : {"--benchmarks=readrandom", "--benchmarks=overwrite"}) {
    const StoreDecision decision = Must(Decide({benchmarks}));
    EXPECT_EQ(decision.access, StoreAccess::kInPlace);
    EXPECT_THAT(decision.kept, IsEmpty());
    EXPECT_THAT(decision.note, IsEmpty());
  }
}

TEST_F(MeetingAStore, OfOthersIsReadOnlyWhereTheEngineOpensItSo) {
  const StoreDecision decision = Must(Decide({"--benchmarks=readrandom,overwrite"}));
  EXPECT_EQ(decision.access, StoreAccess::kReadOnly);
  EXPECT_EQ(decision.kept, "it is not Levelfield's");
  EXPECT_THAT(decision.note,
              AllOf(HasSubstr("stays byte for byte"), HasSubstr("opened read-only (by its flag)"),
                    HasSubstr("skipped: overwrite")));
}

TEST_F(MeetingAStore, IsACopyWhereItCannotBeOpenedReadOnly) {
  probed_.why_not_read_only = "there is a log";
  EXPECT_THAT(Decide({"--benchmarks=readrandom"})->note,
              HasSubstr("a copy of it is measured (there"));
  EXPECT_EQ(Decide({"--benchmarks=readrandom"})->access, StoreAccess::kCopy);
  probed_.why_not_read_only = "";
  EXPECT_EQ(Decide({"--benchmarks=backup"})->access, StoreAccess::kCopy) << "it needs all of it";
  engine_.facts.pop_back();
  EXPECT_THAT(Decide({"--benchmarks=readrandom"})->note,
              HasSubstr("leveldb opens no store without writing to it"));
}

TEST_F(MeetingAStore, OfAnotherVersionOrByReadOnlyIsKept) {
  IsOursFilledBy("1.20");
  EXPECT_EQ(Decide({"--benchmarks=readrandom"})->kept,
            "version 1.20 has filled it, and this is 1.23");
  IsOursFilledBy("1.23");
  EXPECT_EQ(Decide({"--benchmarks=readrandom", "--read_only"})->kept, "--read_only");
  probed_.why_not_writable = "it cannot be written to";
  EXPECT_EQ(Decide({"--benchmarks=readrandom"})->kept, "it cannot be written to");
}

TEST_F(MeetingAStore, IsWrittenToWhereThatIsAllowedAndPossible) {
  const std::vector<std::string> writes = {"--benchmarks=overwrite",
                                           "--allow_writes_to_foreign_store"};
  EXPECT_EQ(Decide(writes)->access, StoreAccess::kInPlace);
  EXPECT_THAT(Decide(writes)->note, HasSubstr("overwrite writes to the store /data/S itself"));
  probed_.why_not_writable = "it cannot be written to";
  EXPECT_THAT(Refusal(writes, ErrorKind::kFailed), HasSubstr("copy it to where you may write"));
}

TEST_F(MeetingAStore, WithNothingToReadOrWithTheResultsInItIsAMistake) {
  EXPECT_THAT(Refusal({"--benchmarks=overwrite"}, ErrorKind::kUsage),
              AllOf(HasSubstr("all that was asked for writes (overwrite)"),
                    HasSubstr("--allow_writes_to_foreign_store lets them")));
  probed_.has_results = true;
  EXPECT_THAT(Refusal({"--benchmarks=readrandom"}, ErrorKind::kUsage),
              HasSubstr("lies in the store /data/S"));
}

}  // namespace levelfield::existing_store_test
