// What `diagnose` says of results that were really made.

#include "end_to_end.h"

namespace levelfield {
namespace {

using ::testing::StartsWith;

class Diagnosed : public EndToEnd {};

TEST_F(Diagnosed, AFailureIsSaidFirstOfAll) {
  const Ending ran = Run({"run", "--engine=lmdb,misbehaving@flip_bit",
                          "--benchmarks=fillseq,readrandom", "--num=2000", "--price=0", "--audit=0"});
  ASSERT_EQ(ran.exit_code, 1) << ran.err;
  const Ending diagnosed = Run({"diagnose", ResultPath()});
  ASSERT_EQ(diagnosed.exit_code, 0) << diagnosed.err;
  EXPECT_THAT(diagnosed.out, StartsWith("misbehaving@flip_bit, "));
  EXPECT_THAT(diagnosed.out, HasSubstr("the engine gave wrong answers"));
  EXPECT_THAT(diagnosed.out, HasSubstr("(confidence: high)"));
  EXPECT_THAT(diagnosed.out, HasSubstr("levelfield verify store"));
}

TEST_F(Diagnosed, ACacheOf64KiBIsNamedAsTheCause) {
  const Ending ran =
      Run({"run", "--engine=rocksdb", "--benchmarks=fillrandom,compact,readrandom", "--num=20000",
           "--value_size=1000", "--cache_size=64K", "--bloom_bits=10", "--price=0", "--audit=0"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ending diagnosed = Run({"diagnose", ResultPath()});
  EXPECT_THAT(diagnosed.out, HasSubstr("cache_size is a small part of the data"));
  EXPECT_THAT(diagnosed.out, HasSubstr("(now 64k); `diagnose --try` does"));
}

}  // namespace
}  // namespace levelfield
