#include "plan/completed_fills.h"

#include "base/matchers_for_test.h"
#include "plan/messages.h"
#include "plan/plan_for_test.h"

namespace levelfield::completed_fills_test {

// For whom each phase of the list is completed.
std::vector<std::string> CompletedFor(std::vector<std::string> words) {
  std::vector<std::string> readers;
  for (const PlannedPhase& phase : Phases(words)) readers.push_back(phase.completed_for);
  return readers;
}

TEST(CompletedFills, AreThoseWhoseStoreALaterWorkloadWorksOn) {
  const std::pair<std::string, std::vector<std::string>> lists[] = {
      {"fillrandom,readrandom", {"readrandom", ""}},
      {"fillseq,fillrandom,readrandom", {"", "readrandom", ""}},
      {"fillrandom", {""}},
      {"readrandom,fillseq", {"", "", ""}},
      {"fillrandom,stats,flush,waitforcompaction", {"", "", "", ""}},
      {"fillrandom,stats,compact", {"compact", "", ""}},
      {"fillrandom,crc32c,readseq", {"readseq", "", ""}},
      {"fillrandom[X2],readrandom", {"", "readrandom", ""}},
      {"fillbatch,overwrite,readseq", {"overwrite", "", ""}},
      {"filluniquerandom,deleterandom", {"deleterandom", ""}},
      {"fillsync,readrandom", {"readrandom", ""}},
      {"timeseries,readseq", {"readseq", ""}},
      {"fillanddeleteuniquerandom,readseq", {"readseq", ""}},
      {"randomreplacekeys,readseq", {"readseq", ""}},
  };
  for (const auto& [list, readers] : lists) {
    EXPECT_EQ(CompletedFor({"--duration=1", "--benchmarks=" + list}), readers) << list;
  }
}

TEST(CompletedFills, AreNoneWithoutATimeOrWhereNoTimeEndsThem) {
  EXPECT_THAT(CompletedFor({"--benchmarks=fillrandom,readrandom"}), ElementsAre("", ""));
  EXPECT_THAT(CompletedFor({"--duration=1", "--benchmarks=ycsb-load,ycsb-c"}), ElementsAre("", ""))
      << "a loader of records loads all of them";
  EXPECT_THAT(CompletedFor({"--duration=1", "--benchmarks=readrandom"}), ElementsAre("", ""))
      << "and so does one that nobody asked for";
}

TEST(CompletedFills, AreNoneOfWhoSpeaksForAnOriginal) {
  Settings settings = With({"--duration=1", "--benchmarks=fillrandom,readrandom"});
  settings.is_original = true;
  EXPECT_EQ(Must(PlanPhases(settings)).front().completed_for, "");
}

TEST(CompletedFills, ReachTheWorker) {
  WorkerSpec spec;
  spec.engine = "lmdb";
  spec.settings = With({"--duration=1", "--benchmarks=fillrandom,readrandom"});
  spec.phases = Must(PlanPhases(spec.settings));
  EXPECT_EQ(Must(WorkerSpecFromText(ToText(spec))).phases.front().completed_for, "readrandom");
}

}  // namespace levelfield::completed_fills_test
