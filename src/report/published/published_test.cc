#include "report/published/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "settings/suite.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Quoted, SaysBetweenWhichBoundsItsDigitsLie) {
  const auto expect = [](const std::string& text, double low, double high) {
    const StatusOr<Quoted> quoted = ParseQuoted(text);
    ASSERT_TRUE(quoted.ok()) << text;
    EXPECT_EQ(quoted->text, text);
    EXPECT_NEAR(quoted->low, low, 1e-9) << text;
    EXPECT_NEAR(quoted->high, high, 1e-9) << text;
  };
  expect("4030000", 4025000, 4035000);
  expect("9.740", 9.7395, 9.7405);
  expect("7", 6.5, 7.5);
  expect("100", 50, 150);
  expect("0.003", 0.0025, 0.0035);
  for (const char* const bad : {"", "1,000", "-1", "1e6", "1.2.3", "x"}) {
    EXPECT_FALSE(ParseQuoted(bad).ok()) << bad;
  }
}

TEST(Published, MistakesOfAFileAreToldWithItsName) {
  const auto error = [](const std::string& text) {
    const StatusOr<Published> published = ParsePublished("x", text);
    EXPECT_FALSE(published.ok()) << text;
    return published.status().message();
  };
  EXPECT_THAT(error("{"), HasSubstr("x.json"));
  EXPECT_THAT(error("{}"), HasSubstr("title is missing"));
  const std::string head =
      R"({"title": "t", "introduction": "i", "units": ["ops/s"], "columns": [{"id": "a", "name": )"
      R"("A", "engine": "a"}], "sections": [{"title": "s", "job": "j", "rows": [)";
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "figures": {"b": "1"}}]}]})"),
              HasSubstr("b is no column"));
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "figures": {"a": 1}}]}]})"),
              HasSubstr("a figure is a text of digits"));
  EXPECT_THAT(error(head + R"({"name": "n", "workload": "w", "nth": 0}]}]})"), HasSubstr("nth"));
}

TEST(Claims, AreComputedAndNameWhatTheyDoNotKnow) {
  const std::map<std::string, double> numbers = {{"job.fill.a", 3}, {"n", 4096}};
  EXPECT_EQ(*Evaluate("job.fill.a * n + 1", numbers), 12289);
  EXPECT_EQ(*Filled("{n:grouped} and {job.fill.a/2:.2f}", numbers), "4,096 and 1.50");
  EXPECT_THAT(Evaluate("job.fill.b", numbers).status().message(), HasSubstr("job.fill.b"));
  EXPECT_FALSE(Evaluate("n/0", numbers).ok());
  EXPECT_FALSE(Filled("{n}", numbers).ok());
  EXPECT_FALSE(Filled("{n:.1f", numbers).ok());
  EXPECT_FALSE(Filled("{n:s}", numbers).ok());
}

TEST(Claims, ATimeAndARateOfTheSameOperationsAreItsBytes) {
  const std::string text =
      R"({"title": "t", "introduction": "i", "units": ["us/op", "MB/s"], "columns": [{"id": "a", )"
      R"("name": "A", "engine": "a"}], "sections": [{"title": "s", "job": "j", "bytes": 116, )"
      R"("rows": [{"name": "n", "workload": "w", "figures": {"a": ["1.281", "86.4"]}}, )"
      R"({"name": "m", "workload": "v", "figures": {"a": ["1.281", "84.6"]}}]}]})";
  const StatusOr<Published> published = ParsePublished("x", text);
  ASSERT_TRUE(published.ok()) << published.status().message();
  const StatusOr<Consistency> consistency = ConsistencyOf(*published);
  ASSERT_TRUE(consistency.ok());
  EXPECT_EQ(consistency->rates_compared, 2u);
  ASSERT_EQ(consistency->contradictions.size(), 1u);
  EXPECT_EQ(consistency->contradictions[0].said, "s, m, A: 1.281 us/op at 84.6 MB/s");
  EXPECT_EQ(consistency->contradictions[0].follows,
            "that is 114 bytes an operation, and it has 116");
}

std::string FollowsOf(const std::string& name, Consistency* all = nullptr) {
  const StatusOr<Published> published = FindPublished(name);
  EXPECT_TRUE(published.ok()) << published.status().message();
  if (!published.ok()) return "";
  const StatusOr<Consistency> consistency = ConsistencyOf(*published);
  EXPECT_TRUE(consistency.ok()) << consistency.status().message();
  if (!consistency.ok()) return "";
  if (all != nullptr) *all = *consistency;
  std::string text;
  for (const Contradiction& one : consistency->contradictions) {
    text += one.said + " | " + one.follows + "\n";
  }
  return text;
}

// Those of the reference: each follows from numbers on the published page itself.
TEST(PublishedFlash, ContradictsItself) {
  const std::string text = FollowsOf("rocksdb_flash");
  for (const char* const follows :
       {"CACHE_SIZE=17179869184, 16 GiB", "take 151.0 minutes",
        "1.00e+09 operations, 0.50 of what is said", "815 bytes an operation",
        "185 GB of the 1483 GB", "32 times as many", "takes 45 us"}) {
    EXPECT_THAT(text, HasSubstr(follows));
  }
  EXPECT_THAT(text, Not(HasSubstr("159.0 minutes"))) << "which its rate agrees with";
}

// Of 1.00x and more all follow but one; of the synced writes those of two engines do not.
TEST(PublishedLevelDb, HasFiveRatiosThatDoNotFollowFromItsFigures) {
  Consistency consistency;
  const std::string text = FollowsOf("leveldb_2011", &consistency);
  EXPECT_EQ(consistency.times_compared, 34u);
  EXPECT_EQ(consistency.times_wrong, 5u) << text;
  for (const char* const said : {"Sequential writes, LevelDB: 100 (0.003x baseline)",
                                 "Sequential writes, Kyoto TreeDB: 7 (0.0004x baseline)",
                                 "Random writes, LevelDB: 100 (0.015x baseline)",
                                 "Random writes, Kyoto TreeDB: 8 (0.001x baseline)",
                                 "Sequential reads, Kyoto TreeDB: 1230000 (3.60x baseline)"}) {
    EXPECT_THAT(text, HasSubstr(said));
  }
  EXPECT_THAT(text, HasSubstr("6 MB"));
  EXPECT_THAT(text, HasSubstr("632,121 keys are different"));
}

TEST(PublishedDbBench, HasARunThatIsNotWhatItIsSaidToBe) {
  Consistency consistency;
  const std::string text = FollowsOf("db_bench_2016", &consistency);
  EXPECT_GT(consistency.rates_compared, 20u);
  EXPECT_EQ(consistency.rates_wrong, 0u) << text;
  EXPECT_THAT(text, HasSubstr("fails after 3065 us as it did after 3108"));
  EXPECT_THAT(text, HasSubstr("they differ by 12 % and 20 %"));
  EXPECT_THAT(text, HasSubstr("that leaves 1.6 us for a write and its sync"));
  EXPECT_THAT(text, HasSubstr("864,665 different ones"));
}

TEST(PublishedLmdb, HasSyncsThatDidNotWaitAndReadsOfNothing) {
  Consistency consistency;
  const std::string text = FollowsOf("lmdb_2012", &consistency);
  EXPECT_GT(consistency.rates_compared, 30u);
  EXPECT_EQ(consistency.rates_wrong, 0u) << text;
  EXPECT_THAT(text, HasSubstr("took 0.84 times one without"));
  EXPECT_THAT(text, HasSubstr("readseq100K: 1,005,186 MB/s"));
  EXPECT_THAT(text, HasSubstr("LevelDB, values of 100,000 bytes, readseq: 25,354 MB/s"));
}

// A figure whose workload no job has could never be found.
TEST(Published, EveryRowIsRunByAJobOfItsSuite) {
  size_t rows = 0;
  for (const auto& [name, text] : BuiltinPublished()) {
    const Published published = *FindPublished(std::string(name));
    const Suite suite = *FindSuite(std::string(name));
    const std::vector<JobRun> runs = *PlanJobs(suite, JobsOf(suite), {}, {"--db=/x"});
    const auto has = [&](const std::string& job, const PublishedRow& row) {
      return std::ranges::any_of(runs, [&](const JobRun& run) {
        // `reads.2` is the second variant of a job that varies a setting.
        const bool varies = std::ranges::any_of(
            run.words, [](const std::string& word) { return word.starts_with("--vary="); });
        const bool is_variant = varies && job.substr(0, job.rfind('.')) == run.test;
        if (run.test != job && !run.test.starts_with(job + ".") && !is_variant) return false;
        const auto own = std::ranges::find(suite.jobs, run.job, &SuiteJob::name);
        return static_cast<uint64_t>(std::ranges::count(own->workloads, row.workload)) >= row.nth;
      });
    };
    for (const PublishedSection& section : published.sections) {
      for (const PublishedRow& row : section.rows) {
        for (const PublishedColumn& column : published.columns) {
          const std::string& job = column.job.empty() ? row.job : column.job;
          EXPECT_TRUE(has(job, row)) << name << ": " << job << ", " << row.name;
          ++rows;
        }
      }
    }
  }
  EXPECT_GT(rows, 100u);
}

}  // namespace
}  // namespace levelfield
