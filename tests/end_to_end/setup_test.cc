// What a result says of what its engines really ran as and on.
#include <cstdlib>

#include "end_to_end.h"
#include "probe/processors.h"

namespace levelfield {
namespace {

const std::string kStores = "leveldb,rocksdb,sqlite3,lmdb,berkeleydb,treedb";

// The text that the engine told of a store that was opened in that class.
std::string ConfigurationIn(const RunResult& run, const std::string& durability) {
  for (const auto& [name, text] : run.configuration) {
    if (name == durability) return text;
  }
  return "";
}

class ProcessorsOfARun : public EndToEnd {};

// The last one that there is, so that it is another than the first by chance.
TEST_F(ProcessorsOfARun, AreThoseThatWereAskedForAndStandInTheTable) {
  const std::vector<int> usable = ProcessorsInForce();
  const std::string last = std::to_string(usable.back());
  const Ending ending = Run({"run", "--engine=" + kStores, "--num=100", "--price=0",
                             "--benchmarks=fillseq", "--cpus=" + last});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("on the processors " + last + " alone"));
  for (const RunResult& run : ReadResult().runs) EXPECT_EQ(run.cpus, last) << run.engine;
  fs::remove_all(path() + "/results");
  ASSERT_EQ(
      Run({"run", "--engine=lmdb", "--num=100", "--price=0", "--benchmarks=fillseq"}).exit_code, 0);
  EXPECT_EQ(ReadResult().runs[0].cpus, ProcessorsText(usable));
}

class Configurations : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "--num=100", "--price=0"});
    fs::remove_all(path() + "/results");
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 0) << ending.err << ending.out;
    out_ = ending.out;
    return ReadResult();
  }
  std::string out_;
};

TEST_F(Configurations, AreToldByEveryEngineItself) {
  const Result result =
      ResultOf({"--engine=" + kStores + ",memory,null,stub", "--benchmarks=fillseq"});
  ASSERT_EQ(result.runs.size(), 9u);
  for (const RunResult& run : result.runs) {
    ASSERT_EQ(run.configuration.size(), 1u) << run.engine;
    const std::string& text = run.configuration[0].second;
    EXPECT_FALSE(text.empty() || text.starts_with("unknown")) << run.engine << ": " << text;
    EXPECT_THAT(text, Not(HasSubstr(path()))) << run.engine << " is the same elsewhere";
  }
  EXPECT_THAT(out_, HasSubstr("; configuration "));
}

// Of the flags that are the same for all, in the words of each engine.
TEST_F(Configurations, AreThoseThatWereAskedFor) {
  const std::vector<std::string> words = {"--engine=" + kStores, "--benchmarks=fillseq",
                                          "--price=0"};
  const auto texts = [&](const std::string& cache) {
    std::map<std::string, std::string> told;
    for (const RunResult& run : ResultOf({words[0], words[1], "--cache_size=" + cache}).runs) {
      told[run.engine] = ConfigurationIn(run, "process");
    }
    return told;
  };
  std::map<std::string, std::string> small = texts("8M");
  std::map<std::string, std::string> large = texts("16M");
  EXPECT_THAT(small["leveldb"], HasSubstr("block_cache=8388608\n"));
  EXPECT_THAT(large["leveldb"], HasSubstr("block_cache=16777216\n"));
  EXPECT_THAT(small["treedb"], HasSubstr("pccap=8388608\n"));
  EXPECT_THAT(large["treedb"], HasSubstr("pccap=16777216\n"));
  EXPECT_NE(small["sqlite3"], large["sqlite3"]);
  EXPECT_NE(small["berkeleydb"], large["berkeleydb"]);
  EXPECT_EQ(small["lmdb"], large["lmdb"]) << "it has no cache of its own";
  EXPECT_THAT(small["lmdb"], HasSubstr("nosync=1\n"));
  EXPECT_THAT(small["rocksdb"], HasSubstr("[DBOptions]"));
}

TEST_F(Configurations, AreTheEnginesOwnWhereNothingIsToBeGiven) {
  const std::vector<std::string> words = {"--engine=leveldb,treedb,sqlite3", "--benchmarks=fillseq",
                                          "--audit=0"};
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    std::map<std::string, std::string> texts;
    for (const RunResult& run : ResultOf(all).runs) {
      texts[run.engine] = ConfigurationIn(run, "process");
    }
    return texts;
  };
  std::map<std::string, std::string> equal = told({});
  EXPECT_THAT(out_, HasSubstr("settings: equal; compression: none"));
  EXPECT_THAT(equal["leveldb"],
              AllOf(HasSubstr("block_cache=67108864\n"), HasSubstr("compression=none\n")));

  std::map<std::string, std::string> own = told({"--settings=default"});
  EXPECT_THAT(InOneLine(out_), AllOf(HasSubstr("settings: default, each engine's own; seed"),
                                     Not(HasSubstr("compression:"))));
  EXPECT_THAT(own["leveldb"], AllOf(HasSubstr("block_cache=LevelDB's own of 8388608\n"),
                                    HasSubstr("compression=snappy\n")));
  EXPECT_NE(own["sqlite3"], equal["sqlite3"]);
  EXPECT_EQ(own["treedb"], equal["treedb"]) << "its own cache happens to be as large";

  std::map<std::string, std::string> named =
      told({"--settings=default", "--cache_size=16M", "--leveldb.compression=none"});
  EXPECT_THAT(named["leveldb"],
              AllOf(HasSubstr("block_cache=16777216\n"), HasSubstr("compression=none\n")));
  EXPECT_THAT(named["treedb"], HasSubstr("pccap=16777216\n"));
}

TEST_F(Configurations, AreWhatItsAuthorsRecommendWhereThatIsAskedFor) {
  const auto rocksdb = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"--engine=rocksdb,lmdb", "--benchmarks=fillseq", "--audit=0", "--settings=tuned"});
    return ConfigurationIn(RunOf(ResultOf(more), "rocksdb"), "process");
  };
  EXPECT_THAT(rocksdb({}), HasSubstr("block_size=16384"));
  EXPECT_THAT(InOneLine(out_), AllOf(HasSubstr("settings: tuned, equal but for what"),
                                     HasSubstr("tuned as the RocksDB team say: block_size=16K"),
                                     HasSubstr("say: nothing more for this load; http")));
  // What is given by name is what is meant.
  EXPECT_THAT(rocksdb({"--block_size=8K"}), HasSubstr("block_size=8192"));
  EXPECT_THAT(rocksdb({"--rocksdb.block_size=2K"}), HasSubstr("block_size=2048"));
}

TEST_F(Configurations, ThatNobodyStandsForAreRefused) {
  const Ending tuned = Run({"run", "--engine=misbehaving", "--num=100", "--settings=tuned"});
  EXPECT_EQ(tuned.exit_code, 2);
  EXPECT_THAT(InOneLine(tuned.err),
              HasSubstr("nobody stands for tuned settings of \"misbehaving\""));
  const Ending unknown = Run({"run", "--engine=memory", "--num=100", "--settings=mine"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr(": equal, default or tuned is accepted"));
}

TEST_F(Configurations, OfEachDurabilityClassAreApart) {
  const Result result = ResultOf({"--engine=" + kStores, "--benchmarks=fillseq,fillsync"});
  for (const RunResult& run : result.runs) {
    ASSERT_EQ(run.configuration.size(), 2u) << run.engine;
    EXPECT_NE(ConfigurationIn(run, "process"), ConfigurationIn(run, "synced")) << run.engine;
  }
  EXPECT_THAT(ConfigurationIn(RunOf(result, "lmdb"), "synced"), HasSubstr("nosync=0\n"));
  EXPECT_THAT(InOneLine(out_), HasSubstr("configuration process "));
}

TEST_F(Configurations, AreTheSameInEveryRound) {
  const Result result = ResultOf({"--engine=" + kStores, "--benchmarks=fillseq", "--repeat=2"});
  std::map<std::string, std::string> first;
  for (const RunResult& run : result.runs) {
    const std::string text = ConfigurationIn(run, "process");
    EXPECT_EQ(first.try_emplace(run.engine, text).first->second, text);
  }
  EXPECT_THAT(out_, Not(HasSubstr("not configured alike")));
}

using Allocators = Configurations;

TEST_F(Allocators, AreThoseInForceInEachWorker) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "the sanitizer is the allocator";
  const std::vector<std::string> words = {"--engine=leveldb,rocksdb,lmdb", "--benchmarks=fillseq"};
  for (const RunResult& run : ResultOf(words).runs) {
    EXPECT_TRUE(run.allocator.starts_with("glibc ")) << run.engine << ": " << run.allocator;
  }
  options_.environment["LD_PRELOAD"] = "libjemalloc.so.2";
  for (const RunResult& run : ResultOf(words).runs) {
    EXPECT_TRUE(run.allocator.starts_with("jemalloc 5.")) << run.engine << ": " << run.allocator;
  }
  options_.environment["LD_PRELOAD"] = "libtcmalloc.so.4";
  for (const RunResult& run : ResultOf(words).runs) {
    EXPECT_TRUE(run.allocator.starts_with("tcmalloc 2.")) << run.engine << ": " << run.allocator;
  }
}

}  // namespace
}  // namespace levelfield
