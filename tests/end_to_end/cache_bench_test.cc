// cache_bench as people type it, in the flags of its three generations.
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/atomic_file.h"
#include "base/sealed_json.h"
#include "end_to_end.h"

namespace levelfield {
namespace {

using ::testing::Gt;
using ::testing::StartsWith;
using Json = nlohmann::json;

class CacheBench : public EndToEnd {
 protected:
  CacheBench() { fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/cache_bench"); }

  Ending Type(const std::string& words) {
    options_.shell = "./cache_bench " + words;
    Ending ending = Run({});
    options_.shell.clear();
    return ending;
  }

  std::string Succeeds(const std::string& words) {
    const Ending ending = Type(words);
    EXPECT_EQ(ending.exit_code, 0) << words << "\n" << ending.out << ending.err;
    return ending.out;
  }

  std::vector<Json> Lines() const {
    std::vector<Json> lines;
    std::ifstream file(ResultPath() + "/results.jsonl");
    for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  void UseBrokenCaches() { options_.environment["LEVELFIELD_CACHES"] = LEVELFIELD_BROKEN_CACHES; }
};

// Every flag of the notes of 2014, and the shape of their program's lines.
TEST_F(CacheBench, RunsTheFlagsOfTheFirstGeneration) {
  const std::string out = Succeeds(
      "--cache_size=5000 --insert_percent=40 --lookup_percent=50 --erase_percent=10 "
      "--max_key=10000 --num_shard_bits=4 --ops_per_thread=20000 --populate_cache=true "
      "--threads=4 --use_clock_cache=false");
  EXPECT_THAT(out, HasSubstr("Generation          : 2014"));
  EXPECT_TRUE(std::regex_search(
      out, std::regex("Complete in [0-9]+\\.[0-9]{3} s; Rough parallel ops/sec = [0-9]+\n"
                      "Thread ops/sec = [0-9]+\n")))
      << out;
  EXPECT_THAT(out, AllOf(HasSubstr("erase hit"), HasSubstr("Lookup hit ratio: ")));
  EXPECT_THAT(out, HasSubstr("  cache and payload "));
  for (const Json& line : Lines()) {
    if (line["type"] != "cache_phase") continue;
    EXPECT_EQ(line["outcome"], "ok");
    uint64_t operations = 0;
    for (const auto& [name, count] : line["operations"].items())
      operations += count.get<uint64_t>();
    EXPECT_EQ(operations, 80'000u);
    EXPECT_NEAR(line["operations"]["erase"].get<double>(), 8000, 500);
    // A tenth of 5000 of 10000 keys that are there.
    EXPECT_GT(line["calls"]["erase_hit"]["count"], 1000);
    EXPECT_GT(line["calls"]["lookup_hit"]["count"], 10'000);
    EXPECT_EQ(line["wrong"], 0);
  }
}

TEST_F(CacheBench, ReadsGflagsOtherSpellingsAndTakesHyperClockForTheOldClockCache) {
  const std::string out =
      Succeeds("-threads 1 -ops_per_thread 1000 -max_key=100 -cache_size 1000 -use_clock_cache");
  EXPECT_THAT(out, HasSubstr("rocksdb_hyper_clock"));
  EXPECT_THAT(out, HasSubstr("takes keys of 16 bytes, in place of 8"));
}

TEST_F(CacheBench, RunsTheFlagsOfTheSecondGenerationOnAllCaches) {
  const std::string out = Succeeds(
      "-threads=2 -cache_size=4194304 -ops_per_thread=5000 -resident_ratio=0.25 "
      "-value_bytes=8192 -skew=5 -populate_cache=true -lookup_insert_percent=87 -insert_percent=2 "
      "-lookup_percent=10 -erase_percent=1 -gather_stats=false -cache_type=all -scaling");
  EXPECT_THAT(out, HasSubstr("Generation          : 2020"));
  EXPECT_THAT(out, HasSubstr("Max key             : 2048 keys, the least of 6 draws"));
  EXPECT_THAT(out, HasSubstr("Scaling:   threads"));
  EXPECT_THAT(out, HasSubstr("cache                  version"));
  std::map<std::string, int> phases;
  for (const Json& line : Lines()) {
    if (line["type"] == "cache_phase") ++phases[line["cache"]];
    EXPECT_EQ(line["outcome"], "ok") << line.dump();
  }
  EXPECT_THAT(phases,
              ElementsAre(std::pair("leveldb_lru", 4), std::pair("rocksdb_auto_hyper_clock", 4),
                          std::pair("rocksdb_hyper_clock", 4), std::pair("rocksdb_lru", 4),
                          std::pair("sharded_map", 4)));
  EXPECT_THAT(out, Not(HasSubstr("WARNING"))) << "the caches by default are release builds";
}

TEST_F(CacheBench, RunsTheFlagsOfTheCurrentGenerationLean) {
  const std::string out = Succeeds(
      "-threads=2 -cache_size=4M -ops_per_thread=5000 -blind_insert_percent=5 -pinned_ratio=0.25 "
      "-lean -cache_type=lru_cache,sharded_map -histograms=false -seed=3");
  EXPECT_THAT(out, HasSubstr("Generation          : current"));
  EXPECT_THAT(out, HasSubstr("Pinned handles      : 64 a thread"));
  EXPECT_THAT(out, Not(HasSubstr("With the payload")));
  EXPECT_THAT(out, Not(HasSubstr("p99.9")));
  for (const Json& line : Lines()) {
    if (line["type"] != "cache_phase") continue;
    EXPECT_THAT(line["operations"]["blind_insert"], Gt(300));
    EXPECT_EQ(line["payload"], false);
  }
}

// Two versions of one cache beside each other, and the assert build says on its row what it is.
TEST_F(CacheBench, TheDistributionsCachesRunByTheirNameWithAWarning) {
  const std::string out = Succeeds(
      "-threads=1 -ops_per_thread=3000 -cache_size=1M -lean "
      "-cache_type=lru_cache,lru_cache@system,hyper_clock_cache@system,auto_hyper_clock_cache");
  EXPECT_THAT(out, HasSubstr("rocksdb_lru@system !"));
  EXPECT_THAT(out, HasSubstr("! rocksdb_lru@system: this RocksDB is compiled with assertions"));
  EXPECT_THAT(out, HasSubstr("rocksdb_hyper_clock@system !"));
  EXPECT_THAT(out, Not(HasSubstr("rocksdb_lru !")));
  EXPECT_THAT(out, HasSubstr("rocksdb_auto_hyper_clock "));
}

TEST_F(CacheBench, ItsTablesArePrintedAgainFromItsResult) {
  const std::string out = Succeeds(
      "-threads=2 -ops_per_thread=3000 -cache_size=1M -skew=2 -scaling -nohistograms "
      "-generation=current -cache_type=all");
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_EQ(report.out, out);
}

TEST_F(CacheBench, AResultThatIsNotWholeIsRefusedByTheReport) {
  (void)Succeeds("-threads=1 -ops_per_thread=1000 -max_key=100 -cache_size=1000");
  const std::string lines = ResultPath() + "/results.jsonl";
  StatusOr<AppendOnlyFile> file = AppendOnlyFile::Open(lines, 1 << 20);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->AppendLine(SealedText({{"type", "cache"}, {"schema", 1}, {"run", 0}})).ok());
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_THAT(report.err, HasSubstr("is no whole result of cache_bench"));
}

TEST_F(CacheBench, ACacheThatHangsIsKilledAndStopsNoOther) {
  UseBrokenCaches();
  const Ending ending = Type(
      "--cache_type=hanging,keeping --stall=1 --max_key=100 -cache_size=50 -threads=2 "
      "-ops_per_thread=5000");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.out, HasSubstr("hanging: it hangs: no operation was done in 1 s (--stall)"));
  EXPECT_THAT(ending.out, HasSubstr("Thread ops/sec")) << "of the other";
  EXPECT_TRUE(NobodyIsLeft(2));
}

// Whoever reads runs is not led astray by a result that is none.
TEST_F(CacheBench, LeavesAResultThatOtherReadersSkip) {
  (void)Succeeds("-threads=1 -ops_per_thread=1000 -max_key=100 -cache_size=1000");
  EXPECT_TRUE(ReadResult().runs.empty());
  std::ifstream file(ResultPath() + "/manifest.json");
  const Json manifest = Json::parse(file);
  EXPECT_EQ(manifest["settings"]["generation"], "2014");
  EXPECT_THAT(manifest["command"].get<std::string>(), StartsWith("cache_bench -threads=1"));
  EXPECT_THAT(manifest["caches"][0]["facts"][0][1].get<std::string>(), Not(IsEmpty()));
}

TEST_F(CacheBench, AnInterruptEndsItAndItsWorker) {
  options_.shell = "exec ./cache_bench -threads=1 -ops_per_thread=1G -max_key=100 -cache_size=100";
  const auto process = Start({});
  ASSERT_TRUE(process->SaysOnError("measuring rocksdb_lru", 20));
  process->Signal(SIGTERM);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 130);
  EXPECT_THAT(ending.err, HasSubstr("cache_bench: interrupted\n"));
  EXPECT_TRUE(NobodyIsLeft(2));
}

TEST_F(CacheBench, HelpListsTheFlagsInGflagsStyle) {
  const std::string out = Succeeds("--help");
  EXPECT_THAT(out, HasSubstr("    -threads (Number of concurrent threads to run.) type: int32 "
                             "default: 16\n"));
  for (const char* const name : {"cache_size", "erase_percent", "max_key", "use_clock_cache",
                                 "resident_ratio", "blind_insert_percent", "cache_type"}) {
    EXPECT_THAT(out, HasSubstr("    -" + std::string(name) + " ("));
  }
}

struct CacheMistake {
  const char* name;
  const char* words;
  const char* says;
};
void PrintTo(const CacheMistake& mistake, std::ostream* out) { *out << mistake.name; }

class ACacheMistake : public CacheBench, public ::testing::WithParamInterface<CacheMistake> {};

TEST_P(ACacheMistake, is_told_before_anything_is_created) {
  const std::vector<std::string> before = Listing();
  const Ending ending = Type(GetParam().words);
  EXPECT_EQ(ending.exit_code, 2) << ending.err;
  EXPECT_THAT(ending.out, IsEmpty());
  EXPECT_THAT(ending.err, AllOf(StartsWith("cache_bench: "), HasSubstr(GetParam().says)));
  EXPECT_EQ(std::count(ending.err.begin(), ending.err.end(), '\n'), 1) << "one line";
  EXPECT_EQ(Listing(), before);
}

INSTANTIATE_TEST_SUITE_P(
    All, ACacheMistake,
    ::testing::Values(
        CacheMistake{"flag", "--thread=1", "did you mean --threads?"},
        CacheMistake{"word", "all", "is no flag"},
        CacheMistake{"percent", "--erase_percent=20", "is 110"},
        CacheMistake{"generations", "--max_key=5 --skew=1", "different generations"},
        CacheMistake{"refused", "--secondary_cache_uri=x://", "no secondary cache"},
        CacheMistake{"number", "--ops_per_thread=1x", "--ops_per_thread=1x"},
        CacheMistake{"cache", "--cache_type=lru", "there is no such cache"},
        CacheMistake{"shards", "--cache_type=leveldb_lru --num_shard_bits=6", "2^4 shards"},
        CacheMistake{"memory",
                     "--cache_size=60T --ops_per_thread=1T -populate_cache --max_key=1000T",
                     "smaller --cache_size"},
        CacheMistake{"results", "--results=/proc/none -ops_per_thread=10", "--results=/proc/none"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(CacheBench, AWrongValueVoidsTheFigures) {
  UseBrokenCaches();
  const Ending ending =
      Type("--cache_type=swapping --max_key=100 -cache_size=1000 -threads=2 -ops_per_thread=5000");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.out, HasSubstr("a value that was not inserted for the key"));
  EXPECT_THAT(ending.out, Not(HasSubstr("ops/sec")));
  EXPECT_THAT(ending.err, HasSubstr("the figures are void: swapping"));
}

TEST_F(CacheBench, AValueThatIsNeverLetGoVoidsTheFigures) {
  UseBrokenCaches();
  const Ending ending =
      Type("--cache_type=leaking --max_key=100 -cache_size=50 -threads=1 -ops_per_thread=1000");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.out, HasSubstr("values went in"));
}

TEST_F(CacheBench, ACacheThatCrashesStopsNoOther) {
  UseBrokenCaches();
  const Ending ending = Type(
      "--cache_type=crashing,keeping --max_key=100 -cache_size=50 -threads=1 -ops_per_thread=5000");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.out, HasSubstr("its process ended by SIGABRT"));
  EXPECT_THAT(ending.out, HasSubstr("Thread ops/sec"));
  EXPECT_THAT(ending.err, HasSubstr("void: crashing\n"));
}

}  // namespace
}  // namespace levelfield
