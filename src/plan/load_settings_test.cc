#include "plan/load_settings.h"

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/overhead_plan.h"
#include "plan/plan_for_test.h"
#include "plan/preflight.h"
#include "workload/trace/trace_writer.h"

namespace levelfield::load_settings_test {

LoadAsked Asked(const std::vector<std::string>& words) { return Must(LoadOf(With(words))); }

TEST(LoadSettings, AreAClosedLoopWhereNothingIsAsked) {
  EXPECT_EQ(Asked({}).kind, LoadAsked::Kind::kClosed);
  EXPECT_EQ(Refusal({"--benchmarks=fillseq,compact,crc32c"}), "");
}

TEST(LoadSettings, TakeRatesAsTheyAreTyped) {
  for (const auto& [text, rate] :
       {std::pair("50k", 50'000u), {"50k/s", 50'000u}, {"1.5M/s", 1'500'000u}, {"7", 7u}}) {
    const LoadAsked asked = Asked({std::string("--rate=") + text});
    EXPECT_EQ(asked.kind, LoadAsked::Kind::kOpen) << text;
    EXPECT_EQ(asked.rate, rate) << text;
    EXPECT_EQ(asked.arrival, Arrival::kPoisson) << "independent users";
  }
  EXPECT_EQ(Asked({"--rate=5", "--arrival=constant"}).arrival, Arrival::kConstant);
  EXPECT_EQ(Asked({"--rate=sweep"}).kind, LoadAsked::Kind::kSweep);
}

TEST(LoadSettings, TakeRatesThatChange) {
  const LoadAsked asked = Asked({"--rate=1k:10s,5k:2s"});
  EXPECT_EQ(asked.kind, LoadAsked::Kind::kOpen);
  EXPECT_EQ(asked.rate, 5'000u) << "the most";
  EXPECT_EQ(asked.curve.text(), "1k:10s,5k:2s");
  EXPECT_TRUE(Asked({"--rate=5k"}).curve.empty());
  EXPECT_EQ(Asked({"--rate=sine 1k..5k every 60s"}).curve.parts().size(), 8u);
  EXPECT_THAT(ErrorOf(LoadOf(With({"--rate=1k:10s,5k"}))),
              AllOf(HasSubstr("--rate=1k:10s,5k: `5k` is no step"), HasSubstr("sine 1k..5k")));
  EXPECT_THAT(Refusal({"--rate=1k:10s,0:100s", "--stall=60"}), HasSubstr("may wait 100 s"));
  EXPECT_THAT(Refusal({"--rate=1k:10s,5k:2s", "--interval_seconds=0"}),
              HasSubstr("no --interval_seconds=0"));
  EXPECT_THAT(Refusal({"--rate=1k:10s,5k:2s", "--slo=p99<1ms"}),
              HasSubstr("leave one of them out"));
}

TEST(LoadSettings, TakeObjectivesAsTheyAreTyped) {
  const std::tuple<const char*, double, uint64_t> objectives[] = {
      {"p99<1ms", 0.99, 1'000'000},
      {"p50<800ns", 0.5, 800},
      {"p99.9<250us", 0.999, 250'000},
      {"p99.99<1.5s", 0.9999, 1'500'000'000}};
  for (const auto& [text, share, limit_ns] : objectives) {
    const LoadAsked asked = Asked({std::string("--slo=") + text});
    EXPECT_EQ(asked.kind, LoadAsked::Kind::kSearch);
    EXPECT_NEAR(asked.objective.share, share, 1e-9) << text;
    EXPECT_EQ(asked.objective.limit_ns, limit_ns) << text;
    EXPECT_EQ(asked.objective.text, text);
  }
}

TEST(LoadSettings, RefuseNonsense) {
  const auto refusal = [](const std::vector<std::string>& words) {
    return ErrorOf(LoadOf(With(words)));
  };
  for (const char* const rate : {"fast", "0", "-5", "50k/m", "2G/s", "1.5", "/s", "sweep/s"}) {
    EXPECT_THAT(refusal({std::string("--rate=") + rate}), HasSubstr("like `50k`")) << rate;
  }
  for (const char* const slo : {"p99", "99<1ms", "p<1ms", "p99<1", "p99<ms", "p99<-1ms", "p99>1ms",
                                "p99<1m", "p9.9.9<1ms", "mean<1ms", "p99<=1ms"}) {
    EXPECT_THAT(refusal({std::string("--slo=") + slo}), HasSubstr("p99<1ms")) << slo;
  }
  for (const char* const slo : {"p0<1ms", "p100<1ms", "p99.99999<1ms", "p250<1ms"}) {
    EXPECT_THAT(refusal({std::string("--slo=") + slo}), HasSubstr("above 0 and up to 99.9999"));
  }
  EXPECT_THAT(refusal({"--slo=p99<0ms"}), HasSubstr("from 1 ns"));
  EXPECT_THAT(refusal({"--slo=p99<1ms,p50<1us"}), HasSubstr("one objective at a time"));
}

TEST(LoadSettings, RefuseWhatDoesNotGoWithAnOpenLoop) {
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--rate=5k"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--rate=sweep"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(Refusal({"--arrival=constant"}), HasSubstr("give --rate"));
  EXPECT_THAT(Refusal({"--rate=5", "--histogram=0"}), HasSubstr("--histogram=0"));
  EXPECT_THAT(Refusal({"--rate=5", "--reads_per_second=5"}), HasSubstr("closed loop"));
  EXPECT_THAT(Refusal({"--rate=sweep", "--repeat=6"}), HasSubstr("no two rounds"));
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--precision=0.1"}), HasSubstr("no two rounds"));
}

TEST(LoadSettings, RefuseWorkloadsThatHaveNoStreamOfOperations) {
  for (const char* const name : {"compact", "open", "crc32c", "stats"}) {
    EXPECT_THAT(Refusal({"--rate=1k", std::string("--benchmarks=readrandom,") + name}),
                AllOf(HasSubstr("--rate: "), HasSubstr(name)));
  }
  EXPECT_EQ(Refusal({"--rate=1k",
                     "--benchmarks=fillseq,readrandom,readseq,readwhilewriting,"
                     "overwrite,seekrandom,fillbatch,deleterandom"}),
            "");
  EXPECT_THAT(Refusal({"--rate=100", "--benchmarks=fillbatch"}), HasSubstr("--stall=30"));
}

TEST(LoadSettings, RefuseAtSeveralRatesWhatDoesNotLeaveTheStoreAsItWas) {
  for (const char* const load : {"--rate=sweep", "--slo=p99<1ms"}) {
    for (const char* const name :
         {"fillrandom", "deleterandom", "readseq", "appendrandom", "fillseekseq", "timeseries",
          "ycsb-d"}) {
      EXPECT_THAT(Refusal({load, std::string("--benchmarks=") + name}), HasSubstr(name)) << load;
    }
    EXPECT_EQ(Refusal({load,
                       "--benchmarks=readrandom,readwhilewriting,overwrite,seekrandom,"
                       "readrandomwriterandom,updaterandom,ycsb-a,ycsb-f"}),
              "")
        << "the fill that comes before them is not at a rate";
  }
}

class TraceSettings : public ::testing::Test {
 protected:
  TraceSettings() {
    StatusOr<TraceWriter> writer = TraceWriter::Create(path_, false);
    constexpr uint64_t kSecond = 1'000'000'000;
    EXPECT_TRUE(writer->Add("a", {.time_ns = 0, .value_size = 5'000}).ok());
    EXPECT_TRUE(writer
                    ->Add("b", {.time_ns = 20 * kSecond,
                                .value_size = 300'000'000,
                                .operation = TraceOperation::kPut})
                    .ok());
    EXPECT_TRUE(writer->Add("a", {.time_ns = 40 * kSecond}).ok());
    EXPECT_TRUE(writer->Finish("a test", 0).ok());
  }

  std::vector<std::string> WithTrace(std::vector<std::string> words) const {
    words.push_back("--trace=" + path_);
    return words;
  }
  std::vector<PlannedPhase> Phases(const std::vector<std::string>& words) const {
    return levelfield::Phases(WithTrace(words), facts());
  }
  std::string Refusal(const std::vector<std::string>& words) const {
    return levelfield::Refusal(WithTrace(words), facts());
  }

  // What is known of a trace: of all records, and of the first one.
  static void Describe(const std::string& path, Facts& facts) {
    for (const uint64_t most : {0, 1}) {
      TracePlan trace{.path = path, .most_records = most};
      const Status found = DescribeTrace(trace);
      facts.traces.push_back(FactsOf(trace, found));
    }
  }
  Facts facts() const {
    Facts facts;
    Describe(path_, facts);
    return facts;
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "a.trace";
};

TEST_F(TraceSettings, PutWhatLoadsTheStoreBeforeEachReplay) {
  const auto phases =
      Phases({"--benchmarks=fillseq,replay[X2],readrandom", "--trace_value_max=300M"});
  std::vector<std::string> names;
  for (const PlannedPhase& phase : phases) names.push_back(phase.workload.name);
  EXPECT_THAT(names, ElementsAre("fillseq", "replay-load", "replay", "replay-load", "replay",
                                 "readrandom"));
  const Role& load = phases[1].workload.roles.front();
  EXPECT_EQ(load.operations, 1u);
  const Role& replay = phases[2].workload.roles.front();
  EXPECT_EQ(replay.operations, 3u);
  EXPECT_EQ(replay.range, 2u);
  EXPECT_EQ(replay.value_size.most(), 300'000'000u);
}

TEST_F(TraceSettings, RefuseWhatCannotBeReplayed) {
  const std::string replay = "--benchmarks=replay";
  EXPECT_THAT(Refusal({replay}), AllOf(HasSubstr("has a value of 300000000 bytes"),
                                       HasSubstr("--trace_value_max is 1048576")));
  EXPECT_EQ(Refusal({replay, "--trace_records=1"}), "") << "that one is the second";
  const std::string large = "--trace_value_max=300M";
  EXPECT_EQ(Refusal({replay, large}), "");
  EXPECT_EQ(Refusal({replay, large, "--trace_speed=2", "--stall=30"}), "");
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=1", "--stall=30"}),
              HasSubstr("nothing is due for 20.0 s of it at --trace_speed=1"));
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=2", "--rate=5"}),
              HasSubstr("--rate or --slo say otherwise"));
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=2", "--histogram=0"}),
              HasSubstr("--histogram=0"));
  EXPECT_THAT(Refusal({replay, large, "--use_existing_db"}), HasSubstr("--use_existing_db"));
  EXPECT_THAT(Refusal({replay, large, "--rate=sweep"}), HasSubstr("cannot be run again"));
  EXPECT_EQ(Refusal({"--benchmarks=fillseq", "--trace_speed=1"}), "") << "others read no trace";
  StatusOr<Settings> without = ParseSettings({replay});
  EXPECT_THAT(PlanPhases(*without).status().message(), HasSubstr("Say --trace=<file>"));
  without->trace = directory_ / "absent";
  Facts absent;
  Describe(without->trace, absent);
  EXPECT_THAT(PlanPhases(*without, absent).status().message(), HasSubstr("cannot be opened"));
}

TEST_F(TraceSettings, NeedRoomForTheTraceAndForWhatItLeaves) {
  const std::vector<std::string> words = {"--benchmarks=replay", "--trace_value_max=300M",
                                          "--num=10"};
  const auto phases = Phases(words);
  EXPECT_GT(NeededDiskBytes(With(words), phases), 300'000'000u);
}

TEST_F(TraceSettings, MeasureThePriceInAClosedLoopOfTheFirstOperations) {
  const StatusOr<Settings> settings = ParseSettings({"--trace_speed=3"});
  EXPECT_EQ(OverheadSettings(*settings).trace_speed, 0);
  EXPECT_EQ(OverheadSettings(*settings).trace_records, 100'000u);
  const StatusOr<Settings> few = ParseSettings({"--trace_records=7"});
  EXPECT_EQ(OverheadSettings(*few).trace_records, 7u);
}

TEST(OverheadSettings, OfAnOpenLoopCanBePlanned) {
  for (const char* const load : {"--rate=1000", "--slo=p99<1ms"}) {
    const StatusOr<Settings> settings = ParseSettings({load, "--arrival=constant"});
    Must(PlanPhases(OverheadSettings(*settings)));
  }
}

}  // namespace levelfield::load_settings_test
