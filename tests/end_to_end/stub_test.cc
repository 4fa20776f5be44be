// What the program finds in an engine that is slow, or that lies: the stub engine, told to.
#include <algorithm>

#include "analysis/result_files.h"
#include "end_to_end.h"

namespace levelfield {
namespace {

class TheStub : public EndToEnd {
 protected:
  // Its run of these benchmarks; `results` is a directory of its own for each in a test.
  RunResult RunStub(const std::string& benchmarks, const std::vector<std::string>& further,
                    const std::string& results = "results") {
    std::vector<std::string> words = {"run", "--engine=stub", "--results=" + results,
                                      "--benchmarks=" + benchmarks};
    words.insert(words.end(), further.begin(), further.end());
    if (std::ranges::none_of(further,
                             [](const auto& word) { return word.starts_with("--num="); })) {
      words.emplace_back("--num=1000");
    }
    ending_ = Run(words);
    for (const fs::directory_entry& entry : fs::directory_iterator(path() + "/" + results)) {
      directory_ = entry.path().string();
    }
    const StatusOr<Result> result = ReadResultDirectory(directory_);
    EXPECT_TRUE(result.ok()) << result.status().message() << ending_.err;
    return result.ok() && !result->runs.empty() ? result->runs.front() : RunResult();
  }

  static uint64_t CounterOf(const PhaseResult& phase, const std::string& name) {
    for (const auto& [counter, count] : phase.counters) {
      if (counter == name) return count;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  static const SparseHistogram& LatencyOf(const PhaseResult& phase) {
    return *phase.roles.at(0).lanes.at(0).latency_ns;
  }
  static double CpuSecondsOf(const PhaseResult& phase) {
    return phase.resources->user_seconds + phase.resources->system_seconds;
  }

  Ending ending_;
  std::string directory_;  // Of the last run's results.
};

TEST_F(TheStub, is_an_honest_store_where_nothing_is_asked_of_it) {
  const RunResult run = RunStub("fillrandom,overwrite,readrandom,readseq,deleteseq,fillsync", {});
  EXPECT_EQ(ending_.exit_code, 0) << ending_.err;
  EXPECT_EQ(run.outcome, Outcome::kOk) << run.message;
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
    EXPECT_THAT(phase.check_detail, Not(IsEmpty())) << phase.workload;
  }
  EXPECT_TRUE(run.floor) << "nobody should rank it";
  EXPECT_THAT(InOneLine(ending_.out), HasSubstr("`stub` is no store to choose"));
}

TEST_F(TheStub, runs_only_where_it_is_named) {
  const Ending all = Run({"plan", "--engine=all", "--benchmarks=fillseq"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, AllOf(HasSubstr("memory"), Not(HasSubstr("stub"))));
  const Ending both = Run({"plan", "--engine=all,stub", "--benchmarks=fillseq"});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.out, AllOf(HasSubstr("memory"), HasSubstr("stub")));
  const Ending option = Run({"plan", "--engine=all", "--stub.service_us=1"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_THAT(option.err, HasSubstr("--stub.service_us: no engine called \"stub\" runs here"));
  EXPECT_THAT(Run({"engines"}).out, HasSubstr("\nstub 1: "));
}

TEST_F(TheStub, refuses_what_it_cannot_play) {
  for (const auto& [option, reason] : {std::pair("--stub.stall_ms=5", "stall_every_ms"),
                                       std::pair("--stub.stall_every_ms=5", "stall_ms"),
                                       std::pair("--stub.background_threads=65", "0 to 64")}) {
    const Ending ending = Run({"run", "--engine=stub", option});
    EXPECT_EQ(ending.exit_code, 2) << option;
    EXPECT_THAT(ending.err, HasSubstr(reason)) << option;
  }
  EXPECT_FALSE(fs::exists(path() + "/results"));
}

struct Lie {
  const char* option;
  const char* benchmarks;
  const char* found_in;
  const char* says;
};
void PrintTo(const Lie& lie, std::ostream* out) { *out << lie.option; }

class ALieOfTheStub : public TheStub, public ::testing::WithParamInterface<Lie> {};

TEST_P(ALieOfTheStub, is_found_and_voids_the_number) {
  const Lie& lie = GetParam();
  const RunResult run = RunStub(lie.benchmarks, {lie.option});
  EXPECT_EQ(ending_.exit_code, 1) << ending_.err;
  EXPECT_EQ(run.outcome, Outcome::kWrong);
  const PhaseResult& phase = PhaseOf(run, lie.found_in);
  EXPECT_EQ(phase.outcome, Outcome::kWrong);
  EXPECT_THAT(phase.message, HasSubstr(lie.says));
  EXPECT_THAT(CellsOf(ending_.out, lie.found_in)[0], HasSubstr("WRONG["));
}

INSTANTIATE_TEST_SUITE_P(
    All, ALieOfTheStub,
    ::testing::Values(Lie{"--stub.lose_every=700", "fillrandom", "fillrandom", "was expected"},
                      Lie{"--stub.lose_every=700", "fillbatch", "fillbatch", "was expected"},
                      Lie{"--stub.lose_every=700", "fillseq,overwrite", "fillseq", "was expected"},
                      Lie{"--stub.reorder_every=600", "fillseq", "fillseq", "was expected"},
                      Lie{"--stub.wrong_value_every=900", "fillseq,readrandom", "readrandom",
                          "what was read differs"}),
    [](const auto& test) { return "n" + std::to_string(test.index); });

// One of all that were written is enough.
TEST_F(TheStub, is_found_out_by_one_lost_put_in_a_hundred_thousand) {
  const RunResult run = RunStub("fillrandom", {"--num=100000", "--stub.lose_every=100000"});
  EXPECT_EQ(run.outcome, Outcome::kWrong);
  EXPECT_EQ(CounterOf(PhaseOf(run, "fillrandom"), "stub.lost_puts"), 1u);
}

TEST_F(TheStub, takes_the_service_time_that_it_is_told) {
  const RunResult run = RunStub("fillrandom,readrandom", {"--reads=300", "--stub.service_us=200"});
  ASSERT_EQ(run.outcome, Outcome::kOk) << run.message;
  const PhaseResult& phase = PhaseOf(run, "readrandom");
  EXPECT_GE(LatencyOf(phase).Min(), 200'000u);
  EXPECT_LE(*LatencyOf(phase).Percentile(0.5), 20'000'000u);
  EXPECT_GE(phase.roles[0].seconds, 300 * 200e-6);
}

TEST_F(TheStub, shows_a_stall_in_the_latency_of_the_call_that_had_it) {
  const RunResult run =
      RunStub("fillrandom,readrandom",
              {"--stub.service_us=100", "--stub.stall_every_ms=40", "--stub.stall_ms=30"});
  ASSERT_EQ(run.outcome, Outcome::kOk) << run.message;
  const PhaseResult& phase = PhaseOf(run, "readrandom");
  EXPECT_GE(CounterOf(phase, "stub.stalls"), 1u);
  EXPECT_GE(LatencyOf(phase).Max(), 30'000'000u);
  EXPECT_LE(*LatencyOf(phase).Percentile(0.5), 20'000'000u);
}

TEST_F(TheStub, that_opens_slowly_is_no_slower_in_its_operations) {
  const RunResult run = RunStub("fillseq", {"--stub.open_ms=500"});
  ASSERT_EQ(run.outcome, Outcome::kOk) << run.message;
  const PhaseResult& phase = PhaseOf(run, "fillseq");
  EXPECT_GE(phase.open_seconds, 0.5);
  EXPECT_GE(phase.reopen_seconds, 0.5);
  EXPECT_LT(phase.roles[0].seconds, 0.3) << "a thousand writes to memory";
  EXPECT_LT(phase.run_seconds, 0.3);
}

TEST_F(TheStub, that_hands_out_pages_that_are_not_mapped_has_their_faults_in_its_phase) {
  const std::vector<std::string> further = {"--reads=5000"};
  const RunResult plain = RunStub("fillrandom,readrandom", further, "plain");
  const RunResult lazy =
      RunStub("fillrandom,readrandom", {further[0], "--stub.lazy_pages=1"}, "lazy");
  ASSERT_EQ(lazy.outcome, Outcome::kOk) << lazy.message;
  const PhaseResult& phase = PhaseOf(lazy, "readrandom");
  EXPECT_GE(phase.resources->minor_faults, 5000u);
  EXPECT_LE(phase.resources->minor_faults, 7500u);
  EXPECT_LE(PhaseOf(plain, "readrandom").resources->minor_faults, 2500u);
  EXPECT_EQ(phase.roles[0].lanes[0].bytes, PhaseOf(plain, "readrandom").roles[0].lanes[0].bytes);
  EXPECT_THAT(phase.checked, HasSubstr("replayed"));
}

TEST_F(TheStub, is_as_large_as_its_blocks_however_long_its_files_are) {
  const RunResult run = RunStub("fillrandom", {"--stub.sparse_bytes=1T", "--keep"});
  ASSERT_EQ(run.outcome, Outcome::kOk) << run.message;
  EXPECT_EQ(fs::file_size(directory_ + "/stores/stub/db/stub.sparse"), uint64_t{1} << 40);
  EXPECT_GE(run.phases.at(0).disk_bytes, 1000u * 116);
  EXPECT_LE(run.phases.at(0).disk_bytes, 4u << 20);
}

// Shares of the processor, not times: whoever else runs here takes from both alike.
TEST_F(TheStub, that_burns_a_processor_in_the_background_is_charged_for_it) {
  const std::vector<std::string> words = {"--reads=300000", "--histogram=0"};
  const RunResult plain = RunStub("fillrandom,readrandom", words, "plain");
  const RunResult burning = RunStub("fillrandom,readrandom",
                                    {words[0], words[1], "--stub.background_threads=2"}, "burning");
  ASSERT_EQ(burning.outcome, Outcome::kOk) << burning.message;
  EXPECT_GE(CpuSecondsOf(PhaseOf(burning, "readrandom")),
            1.3 * CpuSecondsOf(PhaseOf(plain, "readrandom")));
}

TEST_F(TheStub, that_never_syncs_has_no_figure_in_a_class_that_survives_power_cuts) {
  const PhaseResult phase =
      RunStub("fillseq", {"--num=50", "--durability=synced", "--stub.no_sync=1", "--price=0"})
          .phases.at(0);
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, HasSubstr("called neither fsync"));
  const PhaseResult honest =
      RunStub("fillseq", {"--num=50", "--durability=synced", "--price=0"}, "honest").phases.at(0);
  EXPECT_EQ(honest.outcome, Outcome::kOk) << honest.message;
  EXPECT_GE(honest.resources->syncs->calls, 50u);
}

TEST_F(TheStub, with_a_map_has_it_resident_in_files_and_not_in_its_heap) {
  const PhaseResult phase =
      RunStub("fillseq,readseq", {"--stub.map_bytes=256M", "--price=0"}).phases.at(1);
  ASSERT_TRUE(phase.resources->memory.has_value());
  EXPECT_GT(phase.resources->memory->file_bytes, uint64_t{256} << 20);
  EXPECT_LT(phase.resources->memory->anonymous_bytes, uint64_t{64} << 20);
}

}  // namespace
}  // namespace levelfield
