#include "plan/unused_flags.h"

#include "base/matchers_for_test.h"
#include "plan/plan_for_test.h"

namespace levelfield::unused_flags_test {

std::string Unused(const std::vector<std::string>& words) {
  const Settings settings = With(words);
  return CheckFlagsAreUsed(settings, Must(PlanPhases(settings)),
                           "--benchmarks=" + settings.benchmarks)
      .message();
}

TEST(UnusedFlags, OfTheLoadAreRefusedWithTheWorkloadsThatTheyAreFor) {
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--mix_seek_ratio=0.5"}),
              AllOf(HasSubstr("--mix_seek_ratio=0.5: changes nothing in --benchmarks=readrandom"),
                    HasSubstr("mixgraph")));
  EXPECT_THAT(Unused({"--benchmarks=readrandomwriterandom", "--key_distribution=zipf"}),
              AllOf(HasSubstr("--key_distribution"), HasSubstr("readhot")));
  // The load before it writes everything.
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--writes=10"}), HasSubstr("--writes=10"));
}

TEST(UnusedFlags, OfADistributionAreRefusedWhereNoKeysAreDrawnByIt) {
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--zipf_exponent=1.5"}),
              AllOf(HasSubstr("--zipf_exponent=1.5: changes nothing"), HasSubstr("it is for")));
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--contiguous_hot_keys"}),
              AllOf(HasSubstr("--contiguous_hot_keys"), HasSubstr("--key_distribution=hotspot")));
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--key_distribution=zipf", "--hot_requests=0.5"}),
              AllOf(HasSubstr("--hot_requests"), HasSubstr("--key_distribution=hotspot")));
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--key_distribution=zipf", "--zipf_exponent=1.5",
                      "--contiguous_hot_keys"}),
              IsEmpty());
}

TEST(UnusedFlags, OfReadersAreRefusedWhereNothingReadsALoadedStore) {
  EXPECT_THAT(Unused({"--benchmarks=fillrandom,overwrite", "--warmup=1s"}), HasSubstr("--warmup"));
  EXPECT_THAT(Unused({"--benchmarks=fillrandom", "--cache=cold"}), HasSubstr("--cache=cold"));
  EXPECT_THAT(Unused({"--benchmarks=fillrandom,readrandom", "--warmup=1s"}), IsEmpty());
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--cache=cold"}), IsEmpty());
}

TEST(UnusedFlags, AreNoneWhereOneOfTheWorkloadsUsesThem) {
  EXPECT_THAT(Unused({"--benchmarks=fillseq,readrandom", "--reads=10", "--key_distribution=zipf"}),
              IsEmpty());
  EXPECT_THAT(Unused({"--benchmarks=readrandom", "--value_size=50"}), IsEmpty());  // By its load.
}

TEST(UnusedFlags, AreNeitherThoseForEverythingNorThoseWithTheirDefaultValue) {
  EXPECT_THAT(Unused({"--benchmarks=fillseq", "--seed=9", "--duration=3", "--num=10",
                      "--histogram=0", "--cache_size=1M", "--mix_seek_ratio=0"}),
              IsEmpty());
}

}  // namespace levelfield::unused_flags_test
