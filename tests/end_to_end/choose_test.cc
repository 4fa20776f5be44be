// Which engine fits a stated workload: asked for real, of small stores.

#include "end_to_end.h"

namespace levelfield {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;

class Chosen : public EndToEnd {
 protected:
  Ending Choose(std::vector<std::string> words) {
    words.insert(words.begin(), "choose");
    words.insert(words.end(), {"--num=500", "--price=0", "--audit=0"});
    return Run(words);
  }
};

TEST_F(Chosen, AnswersWithTheMarginAndWhatWouldChangeIt) {
  const Ending ending =
      Choose({"--engine=leveldb,lmdb", "--mix=get:80,put:15,seek:5", "--repeat=2"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("80% get, 5% seek, 15% put of 500 keys"));
  EXPECT_THAT(ending.out, HasSubstr("is ahead"));
  EXPECT_THAT(ending.out,
              HasSubstr("2 rounds of 2 engines are indicative and rank nothing: --repeat=6 does"));
  for (const char* const question :
       {"four times the keys", "values of ten times the size", "no writes", "twice the writes",
        "every write synced", "four threads"}) {
    EXPECT_THAT(ending.out, HasSubstr(question));
  }
  EXPECT_THAT(ending.out, Not(HasSubstr("a quarter of the memory"))) << "memory is not capped";
}

// Three engines need seven rounds, and get them unasked. Who is best is the machine's to say.
TEST_F(Chosen, RanksByDefaultAndNamesTheWinnerOfEachWhatIf) {
  const Ending ending = Choose({"--engine=lmdb,sqlite3,leveldb", "--mix=get:100", "--duration=0.05",
                                "--results=" + path() + "/out"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, Not(HasSubstr("indicative and rank nothing")));
  EXPECT_THAT(ending.out,
              AnyOf(HasSubstr(" fits best: "), HasSubstr("not told apart by 7 rounds")));
  for (const char* const question : {"four times the keys", "values of ten times the size"}) {
    EXPECT_THAT(ending.out, ContainsRegex(std::string(question) + " +(lmdb|sqlite3|leveldb)"));
  }
}

TEST_F(Chosen, KeepsAnObjective) {
  const Ending ending =
      Choose({"--engine=lmdb", "--mix=get:100", "--slo=p99<100ms", "--repeat=1", "--duration=0.2"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  EXPECT_THAT(ending.out, HasSubstr("keeps p99<100ms up to"));
  EXPECT_THAT(ending.out, HasSubstr("lmdb is the only one that does it"));
  EXPECT_THAT(ending.out, HasSubstr("no objective: the rate alone"));
}

TEST_F(Chosen, SaysWhatIsWrongWithTheMix) {
  for (const auto& [mix, why] : std::vector<std::pair<std::string, std::string>>{
           {"get:80", "that is 80 %"},
           {"get:80,delete:20", "\"delete\" is not get, put or seek"},
           {"get:50,get:50", "get stands there twice"},
           {"get:many", "has no whole percentage"},
           {"get", "has no whole percentage"}}) {
    const Ending ending = Choose({"--mix=" + mix});
    EXPECT_EQ(ending.exit_code, 2) << mix;
    EXPECT_THAT(ending.err, HasSubstr(why)) << mix;
  }
  EXPECT_THAT(Choose({}).err, HasSubstr("choose needs the workload"));
  EXPECT_THAT(Choose({"--mix=get:100", "--benchmarks=readrandom"}).err,
              HasSubstr("makes its own plan"));
  EXPECT_FALSE(fs::exists(path() + "/results"));
}

}  // namespace
}  // namespace levelfield
