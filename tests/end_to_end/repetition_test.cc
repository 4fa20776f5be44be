// Rounds of fresh processes, and what may be said of two engines after them.

#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class Repetition : public EndToEnd {
 protected:
  Ending RunSmall(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--num=300", "--benchmarks=fillseq,readrandom"});
    return Run(words);
  }
};

TEST_F(Repetition, RunsEveryEngineOnceARoundWithAnotherSeedAndAnotherStackEach) {
  const Ending ending = RunSmall({"--engine=lmdb,memory", "--repeat=3"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  ASSERT_EQ(result.runs.size(), 6);
  std::set<uint64_t> paddings;
  std::set<uint64_t> seeds;
  for (size_t i = 0; i < result.runs.size(); i += 2) {
    const RunResult& one = result.runs[i];
    const RunResult& other = result.runs[i + 1];
    EXPECT_EQ(one.round, i / 2 + 1);
    EXPECT_EQ(other.round, one.round);
    EXPECT_NE(one.engine, other.engine);
    EXPECT_EQ(one.seed, other.seed) << "both get the same operations";
    seeds.insert(one.seed);
    paddings.insert({one.padding_bytes, other.padding_bytes});
  }
  EXPECT_EQ(seeds.size(), 3);
  EXPECT_EQ(paddings.size(), 6);
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("fewer than 6 are indicative and rank nothing"));
  EXPECT_THAT(ending.out, HasSubstr("least .. greatest"));
  EXPECT_THAT(ending.out, Not(HasSubstr("95 %")));
}

TEST_F(Repetition, OfSixRoundsShowsAnInterval) {
  const Ending ending = RunSmall({"--engine=memory", "--repeat=6"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("95 % interval"));
  EXPECT_THAT(InOneLine(ending.out), Not(HasSubstr("indicative")));
}

TEST_F(Repetition, OneRoundIsAsItWasWithoutRounds) {
  const Ending ending = RunSmall({"--engine=memory"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("one run of each engine: indicative"));
  EXPECT_THAT(ending.out, Not(HasSubstr("least ..")));
  EXPECT_EQ(ReadResult().runs.front().seed, 1);
}

TEST_F(Repetition, DoesNotTryAgainWhatFailed) {
  const Ending ending = RunSmall({"--engine=misbehaving@flip_bit,memory", "--repeat=4"});
  EXPECT_EQ(ReadResult().runs.size(), 1 + 4) << ending.out << ending.err;
  EXPECT_EQ(ending.exit_code, 1);
}

TEST_F(Repetition, StopsWhenTheFiguresArePreciseOrItsRoundsAreOver) {
  const Ending precise = RunSmall({"--engine=memory", "--precision=1"});
  ASSERT_EQ(precise.exit_code, 0);
  EXPECT_THAT(precise.out, HasSubstr("stopped after 8 rounds: every median is known to 100 %"));
  EXPECT_EQ(ReadResult().runs.size(), 8) << "what has no interval of 99 % is not precise";
  fs::remove_all(path() + "/results");
  const Ending at_most = RunSmall({"--engine=memory", "--precision=0.000001", "--repeat_most=9"});
  ASSERT_EQ(at_most.exit_code, 0);
  EXPECT_EQ(ReadResult().runs.size(), 9);
  EXPECT_THAT(at_most.out, HasSubstr("stopped at --repeat_most, after 9 rounds"));
  EXPECT_THAT(Run({"report", ResultPath()}).out,
              HasSubstr("stopped at --repeat_most, after 9 rounds"))
      << "from what was kept";
}

TEST_F(Repetition, QuickIsThreeRoundsAndPublishAtLeastTen) {
  const Ending quick = RunSmall({"--engine=memory", "--quick"});
  ASSERT_EQ(quick.exit_code, 0) << quick.err;
  EXPECT_EQ(ReadResult().runs.size(), 3);
  EXPECT_THAT(InOneLine(quick.out), HasSubstr("indicative and rank nothing"));
  EXPECT_THAT(quick.out, Not(HasSubstr("95 %")));
  fs::remove_all(path() + "/results");
  ASSERT_EQ(RunSmall({"--engine=memory", "--publish"}).exit_code, 0);
  EXPECT_EQ(ReadResult().runs.size(), 10);
  EXPECT_THAT(Run({"plan", "--engine=memory", "--publish", "--repeat=11"}).err, IsEmpty());
}

TEST_F(Repetition, RefusesTwoNumbersOfRounds) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--quick", "--repeat=5"},
                                                {"--quick", "--publish"},
                                                {"--quick", "--precision=0.1"},
                                                {"--publish", "--repeat=9"},
                                                {"--quick", "--keep"}}) {
    std::vector<std::string> all = words;
    all.emplace_back("--engine=memory");
    EXPECT_EQ(RunSmall(all).exit_code, 2) << words[0] << " " << words[1];
  }
  EXPECT_FALSE(fs::exists(path() + "/results"));
}

class ComparingEngines : public EndToEnd {
 protected:
  // Reads of few keys: LMDB's are several times as fast as SQLite's, on any machine.
  Ending Compare(const std::string& engine, const std::string& against,
                 std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"run", "--engine=" + engine, "--against=" + against,
                                      "--num=3000", "--benchmarks=readrandom"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  }
};

TEST_F(ComparingEngines, FindsTheSlowerOneAndSaysSoWithItsExitCode) {
  const Ending slower = Compare("sqlite3", "lmdb");
  EXPECT_EQ(slower.exit_code, 1) << slower.out << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("sqlite3 against lmdb"));
  EXPECT_THAT(slower.out, HasSubstr(" slower"));
  const std::string result = ResultPath();
  const Ending again = Run({"compare", result, "--baseline=lmdb"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(slower.out, HasSubstr(again.out)) << "the same, from what was kept";
  const Ending faster = Run({"compare", result, "--baseline=sqlite3"});
  EXPECT_EQ(faster.exit_code, 0) << faster.out << faster.err;
  EXPECT_THAT(faster.out, HasSubstr(" faster"));
}

// Else rounds would end in no verdict, and in no word of why.
TEST_F(ComparingEngines, RefusesABaselineThatItCannotHonour) {
  using Case = std::pair<std::vector<std::string>, std::string>;
  const std::string run = "--engine=null,memory,lmdb,leveldb";
  for (const auto& [words, message] :
       {Case{{"run", run, "--repeat=6", "--baseline=levledb"},
             "--baseline=levledb: is no store of those that run: lmdb, leveldb"},
        {{"run", run, "--repeat=6", "--baseline=null"}, "is no store of those that run"},
        {{"run", run, "--baseline=lmdb"}, "one run of each engine ranks nothing; --repeat=6"},
        {{"run", "--engine=sqlite3", "--against=lmdb", "--baseline=lmdb"}, "leave one of them out"},
        {{"run", run, "--vary=value_size=1,2", "--repeat=6", "--baseline=lmdb"}, "--vary"}}) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << ending.out;
    EXPECT_THAT(ending.err, HasSubstr(message));
    EXPECT_FALSE(fs::exists(path() + "/results"));
  }
  ASSERT_EQ(Run({"run", "--engine=memory,lmdb", "--num=100", "--benchmarks=readrandom", "--price=0",
                 "--repeat=2"})
                .exit_code,
            0);
  for (const char* const format : {"markdown", "html"}) {
    const Ending ending = Run({"report", ResultPath(), "--baseline=levledb", "--to=new.html",
                               "--format=" + std::string(format)});
    EXPECT_EQ(ending.exit_code, 2) << format;
    EXPECT_THAT(ending.err, HasSubstr("no engine of this result is called \"levledb\""));
  }
  EXPECT_FALSE(fs::exists(path() + "/new.html"));
  const Ending tables = Run({"report", ResultPath(), "--baseline=lmdb"});
  EXPECT_EQ(tables.exit_code, 2);
  EXPECT_THAT(tables.err, HasSubstr("--format=table has no verdicts; levelfield compare"));
}

TEST_F(ComparingEngines, ClaimsNothingOnThreeRounds) {
  const Ending ending = Compare("sqlite3", "lmdb", {"--repeat=3"});
  EXPECT_EQ(ending.exit_code, 2) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("indicative"));
  EXPECT_THAT(ending.out, Not(HasSubstr("slower")));
  EXPECT_THAT(ending.out, Not(HasSubstr("[")));
}

// Two verdicts take 97.5 % of confidence each, which six rounds do not have.
TEST_F(ComparingEngines, OfSeveralTakesTheRoundsThatTheirVerdictsNeed) {
  const Ending ending = Run({"run", "--engine=memory,sqlite3,leveldb", "--against=lmdb",
                             "--num=300", "--benchmarks=readrandom"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_EQ(ReadResult().runs.size(), 4 * 7) << "the floor is not compared";
  EXPECT_THAT(ending.out, HasSubstr("sqlite3 against lmdb"));
  EXPECT_THAT(ending.out, HasSubstr("holds with 97.5 %"));
  EXPECT_THAT(ending.out, HasSubstr("Noise is not measured"));
}

TEST_F(ComparingEngines, NoiseIsTheSmallestDifferenceThatMayBeClaimed) {
  const Ending noise =
      Run({"noise", "--engine=lmdb", "--num=300", "--benchmarks=readrandom", "--repeat=6"});
  ASSERT_EQ(noise.exit_code, 0) << noise.err;
  EXPECT_THAT(noise.out, HasSubstr("lmdb against itself"));
  const std::string result = ResultPath();
  const Ending compared = Run({"compare", result, "--noise=" + result});
  EXPECT_THAT(compared.exit_code, ::testing::AnyOf(0, 2)) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("(noise: "));
  EXPECT_THAT(compared.out, Not(HasSubstr("er (noise")));  // Faster, slower.
}

TEST_F(ComparingEngines, TwoResultsAreComparedEngineByEngine) {
  ASSERT_EQ(Run({"run", "--engine=lmdb", "--num=300", "--benchmarks=readrandom"}).exit_code, 0);
  const std::string result = ResultPath();
  const Ending ending = Run({"compare", result, result});
  EXPECT_EQ(ending.exit_code, 2) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("lmdb against lmdb, not interleaved"));
  EXPECT_THAT(ending.out, HasSubstr("1.000"));
}

}  // namespace
}  // namespace levelfield
