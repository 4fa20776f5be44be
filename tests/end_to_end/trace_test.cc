// Recorded workloads as people use them: converted, shown, and replayed on every engine.
#include <algorithm>

#include "end_to_end.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

constexpr int kKeys = 40;
constexpr int kOperations = 1'000;

// A second at a rate of a thousand, made up: gets, puts, erases and increments of a few keys.
std::string Recording(int step_ns) {
  std::string text = "time_ns,op,key,value_size,ttl,client\n";
  for (int i = 0; i < kOperations; ++i) {
    const char* const names[] = {"get", "put", "get", "erase", "get", "modify", "miss"};
    text += std::to_string(static_cast<long>(i) * step_ns) + "," + names[i % 7] + ",key" +
            std::to_string(i * 31 % kKeys) + "," + std::to_string(20 + i % 300) + ",0,1\n";
  }
  return text;
}

class Traces : public EndToEnd {
 protected:
  void Convert(const std::string& text, const std::string& from = "csv") {
    WriteFile("in.csv", text);
    const Ending ending = Run({"trace", "convert", "--from=" + from, "in.csv", "a.trace"});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }
  static uint64_t OperationsOf(const PhaseResult& phase, const std::string& operation) {
    for (const LaneResult& lane : phase.roles.at(0).lanes) {
      if (lane.operation == operation) return lane.operations;
    }
    return 0;
  }
};

class TracesOn : public Traces, public ::testing::WithParamInterface<const char*> {};

TEST_P(TracesOn, AreReplayedAndCheckedWithOneThreadAndTwo) {
  Convert(Recording(1'000));
  for (const char* const threads : {"--threads=1", "--threads=2"}) {
    fs::remove_all(path() + "/results");
    const Ending ending = Run({"run", std::string("--engine=") + GetParam(), "--benchmarks=replay",
                               "--trace=a.trace", "--price=0", threads});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    const Result result = ReadResult();
    const PhaseResult& load = PhaseOf(result.runs.at(0), "replay-load");
    EXPECT_TRUE(load.implicit);
    EXPECT_EQ(load.checked, "replayed, verified") << load.message;
    const PhaseResult& phase = PhaseOf(result.runs.at(0), "replay");
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
    EXPECT_EQ(phase.checked, "replayed, verified");
    EXPECT_EQ(OperationsOf(phase, "get"), 429u + 142);
    EXPECT_EQ(OperationsOf(phase, "put"), 143u);
    EXPECT_EQ(OperationsOf(phase, "erase"), 143u);
    EXPECT_EQ(OperationsOf(phase, "rmw"), 143u);
    EXPECT_THAT(phase.note, HasSubstr("1000 of 1000 operations"));
    EXPECT_FALSE(phase.roles.at(0).load) << "a closed loop";
  }
}

INSTANTIATE_TEST_SUITE_P(All, TracesOn,
                         ::testing::Values("rocksdb", "leveldb", "sqlite3", "treedb", "lmdb",
                                           "berkeleydb", "memory", "stub"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(Traces, GiveEveryEngineTheSameOperationsAndAnswers) {
  Convert(Recording(1'000));
  ASSERT_EQ(Run({"run", "--engine=leveldb,lmdb,memory", "--benchmarks=replay", "--trace=a.trace",
                 "--price=0"})
                .exit_code,
            0);
  const Result result = ReadResult();
  ASSERT_EQ(result.runs.size(), 3u);
  for (const RunResult& run : result.runs) {
    const RoleResult& role = PhaseOf(run, "replay").roles.at(0);
    const RoleResult& first = PhaseOf(result.runs.front(), "replay").roles.at(0);
    ASSERT_EQ(role.lanes.size(), 4u);
    for (size_t i = 0; i < role.lanes.size(); ++i) {
      EXPECT_EQ(role.lanes[i].hits, first.lanes[i].hits);
      EXPECT_EQ(role.lanes[i].bytes, first.lanes[i].bytes);
      // Values are salted with the store's own salt, so digests differ.
    }
  }
}

// Half a second of operations at its speed, at twice the speed half of that: not less, for nothing
// begins before it is due; how much more depends on the machine.
TEST_F(Traces, TakeHalfTheTimeAtTwiceTheSpeed) {
  Convert(Recording(500'000));
  double seconds[2] = {};
  for (int i = 0; i < 2; ++i) {
    fs::remove_all(path() + "/results");
    const Ending ending =
        Run({"run", "--engine=memory", "--benchmarks=replay", "--trace=a.trace", "--price=0",
             "--threads=2", i == 0 ? "--trace_speed=1" : "--trace_speed=2"});
    // 3: the machine had other things to do than to wake the generator up.
    ASSERT_THAT(ending.exit_code, ::testing::AnyOf(0, 3)) << ending.err;
    const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "replay");
    const RoleResult& role = phase.roles.at(0);
    ASSERT_TRUE(role.load) << phase.message;
    EXPECT_EQ(role.load->arrival, "trace");
    EXPECT_EQ(role.rate, i == 0 ? 2'002u : 4'004u);
    EXPECT_EQ(role.Operations(), 1'000u);
    EXPECT_EQ(ResponseTimes(role).Count(), 1'000u);
    EXPECT_GE(ResponseTimes(role).Sum(), ServiceTimes(role).Sum());
    for (const LaneResult& lane : role.lanes) {
      EXPECT_EQ(lane.response_ns->Count(), lane.operations) << lane.operation;
    }
    EXPECT_THAT(phase.checked, HasSubstr("replayed"));
    EXPECT_FALSE(PhaseOf(ReadResult().runs.at(0), "replay-load").roles.at(0).load);
    seconds[i] = role.seconds;
  }
  EXPECT_GE(seconds[0], 0.4995 * 0.98);
  EXPECT_GE(seconds[1], 0.24975 * 0.98);
  EXPECT_LT(seconds[1], seconds[0]);
}

TEST_F(Traces, ShowAnUpdateThatTheEngineHasLost) {
  Convert(Recording(1'000));
  const Ending ending = Run({"run", "--engine=stub", "--benchmarks=replay", "--trace=a.trace",
                             "--price=0", "--trace_load=0", "--stub.lose_every=21"});
  EXPECT_EQ(ending.exit_code, 1);
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "replay");
  EXPECT_EQ(phase.outcome, Outcome::kWrong);
  EXPECT_THAT(phase.message, HasSubstr("wrong answer: [client], thread 0"));
}

TEST_F(Traces, BeginWithAnEmptyStoreWhereAsked) {
  Convert(Recording(1'000));
  ASSERT_EQ(Run({"run", "--engine=memory,leveldb", "--benchmarks=replay", "--trace=a.trace",
                 "--price=0", "--trace_load=0", "--trace_records=5"})
                .exit_code,
            0);
  for (const RunResult& run : ReadResult().runs) {
    const PhaseResult& phase = PhaseOf(run, "replay");
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
    EXPECT_EQ(phase.roles.at(0).lanes.at(0).misses, 3u) << "no get finds anything";
    EXPECT_THAT(phase.note, HasSubstr("5 of 1000 operations"));
  }
}

TEST_F(Traces, HaveAPriceAndRepetitionsLikeAllOthers) {
  Convert(Recording(1'000));
  const Ending ending = Run({"run", "--engine=leveldb", "--benchmarks=replay[X2],readseq",
                             "--trace=a.trace", "--duration=5"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("replay"));
  int replays = 0;
  const RunResult run = ReadResult().runs.at(0);
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << phase.message;
    replays += phase.workload == "replay" ? 1 : 0;
  }
  EXPECT_EQ(replays, 2);
}

TEST_F(Traces, OfTwitterAndMetaAreShownWithWhatTheyHold) {
  Convert(
      "0,k1,2,100,1,get,0\n0,k2,2,0,1,get,0\n0,k2,2,70,1,set,60\n2,k1,2,0,1,delete,0\n"
      "2,k3,2,1,1,incr,0\n",
      "twitter");
  const Ending twitter = Run({"trace", "show", "a.trace"});
  ASSERT_EQ(twitter.exit_code, 0) << twitter.err;
  EXPECT_THAT(twitter.out,
              AllOf(HasSubstr("Twitter's Twemcache, in.csv"), HasSubstr("operations     5\n"),
                    HasSubstr("get          2 (40 %); 50 % of them found nothing"),
                    HasSubstr("modify       1 (20 %)"), HasSubstr("duration       2.500 s"),
                    HasSubstr("spread within them"), HasSubstr("keys           3;"),
                    HasSubstr("written: 1 to 70; found: 100 to 100"), HasSubstr("20 % of the")));
  fs::remove(path() + "/a.trace");
  WriteFile("in.csv",
            "op_time,key,key_size,op,op_count,size,cache_hits,ttl\n"
            "7,a,9,GET,3,50,1,0\n8,a,9,ODD,1,50,1,0\n");
  const Ending meta = Run({"trace", "convert", "--from=meta", "in.csv", "a.trace"});
  ASSERT_EQ(meta.exit_code, 0) << meta.err;
  EXPECT_EQ(meta.out, "3 operations on 1 keys, of 3 lines\nleft out: 1 lines of \"ODD\"\n");
  const Ending replay =
      Run({"run", "--engine=memory", "--benchmarks=replay", "--trace=a.trace", "--price=0"});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_THAT(InOneLine(replay.out), HasSubstr("3 of 3 operations"));
}

TEST_F(Traces, ThatAreDamagedAreRefusedBeforeAnythingRuns) {
  Convert(Recording(1'000));
  const auto refused = [&](const std::vector<std::string>& words, const std::string& says) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << says;
    EXPECT_THAT(ending.err, HasSubstr(says));
    EXPECT_FALSE(fs::exists(path() + "/results"));
  };
  const std::string whole = ReadFile("a.trace");
  WriteFile("torn.trace", whole.substr(0, 1'000));
  WriteFile("changed.trace", std::string(whole).replace(5'000, 1, "?"));
  for (const char* const verb : {"run", "plan"}) {
    const auto replay = [&](const std::string& file) {
      return std::vector<std::string>{verb, "--engine=memory", "--benchmarks=replay",
                                      "--trace=" + file};
    };
    refused(replay("torn.trace"), "torn.trace, byte 16: says that there are 1000 records");
    refused(replay("changed.trace"), "changed.trace, byte ");
    refused(replay("in.csv"), "is no trace of ours");
    refused(replay("absent"), "cannot be opened");
    refused(replay(""), "Say --trace=<file>");
  }
  refused({"trace", "show", "torn.trace"}, "byte 16");
  refused({"trace", "show"}, "levelfield trace convert --from=");
  refused({"trace", "convert", "in.csv", "b.trace"}, "levelfield trace convert --from=");
  refused({"trace", "convert", "--from=rocksdb", "in.csv", "b"}, "twitter, meta or csv");
  refused({"trace", "convert", "--from=csv", "in.csv", "a.trace"}, "is there already");
  refused({"trace", "convert", "--from=csv", "absent", "b.trace"}, "absent: cannot be opened");
  refused({"trace", "convert", "--from=twitter", "in.csv", "b.trace"},
          "line 1, column 31: the line has 6");
  EXPECT_FALSE(fs::exists(path() + "/b.trace"));
}

TEST_F(Traces, AreInThePlan) {
  Convert(Recording(1'000));
  const Ending ending = Run(
      {"plan", "--engine=memory", "--benchmarks=replay", "--trace=a.trace", "--trace_speed=2.5"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out,
              AllOf(HasSubstr("replay-load"), HasSubstr("1000 operations in all; open loop, as the "
                                                        "trace has it, 2.5x its speed")));
}

TEST_F(Traces, FilesSayNothingThatTheTraceSaysItself) {
  Convert(Recording(1'000));
  const auto refused = [&](const std::string& text, const std::string& says) {
    WriteFile("mine.workload", "summary = s\nfamily = f\n" + text);
    const Ending ending =
        Run({"run", "--engine=memory", "--trace=a.trace", "--benchmarks=./mine.workload"});
    EXPECT_EQ(ending.exit_code, 2) << text;
    EXPECT_THAT(ending.err, HasSubstr(says)) << text;
  };
  const std::string head = "needs = store loaded by replay-load\n[c]\nop = trace\n";
  refused(head + "stop = after 5 operations\n", "stops `at the end` of the trace");
  refused(head + "stop = at the end\nkeys = uniform\n",
          "has `keys =`, which the trace says itself");
  refused(head + "stop = at the end\n[d]\nop = get\nkeys = uniform\nstop = after 1 operation\n",
          "is not the only role");
  refused("needs = empty store\n[c]\nop = trace\nstop = at the end\n", "needs the store that");
  refused("needs = any store\n[c]\nop = trace load\nstop = at the end\n", "fills a store");
}

}  // namespace
}  // namespace levelfield
