// Suites of published experiments as a person runs them, with few keys: their jobs, and the page
// that puts what was published beside what they came to.
#include <regex>

#include "suites.h"

namespace levelfield {
namespace {

class PublishedSuites : public Suites {
 protected:
  Ending RunSmall(const std::string& suite, std::vector<std::string> words) {
    words.insert(words.begin(), {"suite", suite, "--preset=small", "--repeat=1", "--audit=2"});
    return Run(words);
  }
};

TEST_F(PublishedSuites, WriteTheirPage) {
  const Ending ending =
      RunSmall("leveldb_2011", {"--engine=leveldb,lmdb", "--num=2000", "--job=baseline,synced"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  EXPECT_THAT(ending.out, HasSubstr("page: results/leveldb_2011.md"));
  const std::string page = ReadFile("results/leveldb_2011.md");
  const auto has = [&](const std::string& pattern) {
    EXPECT_TRUE(std::regex_search(page, std::regex(pattern))) << pattern << "\n" << page;
  };
  has("\\| Sequential reads \\| LevelDB \\| 4,030,000 \\| [0-9,.]+ ?~? \\| none: 1 of 6 rounds");
  has("\\|  \\| SQLite3 \\| 383,000 \\| missing: baseline was run without sqlite3 \\|");
  has("\\|  \\| lmdb \\| not published \\| [0-9,.]+ ?~? \\|");
  has("\\| Random writes \\| LevelDB \\| 480 \\| missing: no result of large_values \\|");
  has("are indicative");
  EXPECT_THAT(page, HasSubstr("levelfield suite leveldb_2011 --preset=small --repeat=1"));
}

TEST_F(PublishedSuites, AreMadeAgainFromTheirResults) {
  const Ending suite =
      RunSmall("leveldb_2011", {"--engine=leveldb", "--num=2000", "--job=batches"});
  ASSERT_EQ(suite.exit_code, 0) << suite.err;
  std::smatch path;
  ASSERT_TRUE(std::regex_search(suite.out, path, std::regex("\nresults: ([^\n]+)"))) << suite.out;
  const Ending page = Run({"docs", "leveldb_2011", path[1]});
  EXPECT_EQ(page.exit_code, 1) << "most of it is missing";
  EXPECT_EQ(page.out, ReadFile("results/leveldb_2011.md"));
  EXPECT_THAT(page.out, HasSubstr("missing: no result of baseline"));
  EXPECT_EQ(Run({"docs", "leveldb_2011"}).exit_code, 2);
}

TEST_F(PublishedSuites, MistakesAreToldBeforeAnythingRuns) {
  const auto expect = [&](const std::vector<std::string>& words, const std::string& why) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << why << ending.out;
    EXPECT_THAT(InOneLine(ending.err), HasSubstr(why));
  };
  expect({"suite", "leveldb_2011", "--preset=tiny"}, "leveldb_2011 has full, small");
  expect({"suite", "rocksdb_flash", "--preset=small"}, "rocksdb_flash has no presets");
  expect({"suite", "leveldb_2011", "--preset=small", "--nun=5"}, "--num");
  EXPECT_THAT(Listing(), IsEmpty());
}

// Each of its commands is one that `plan` takes, and all of them are there.
class PublishedSuite : public PublishedSuites, public ::testing::WithParamInterface<const char*> {};

TEST_P(PublishedSuite, IsCommandsThatCanBePlanned) {
  const Ending dry = Run({"suite", GetParam(), "--preset=full", "--dry=1"});
  ASSERT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_THAT(Listing(), IsEmpty());
  const std::vector<std::string> commands = Split(dry.out, '\n');
  ASSERT_FALSE(commands.empty());
  for (const std::string& command : commands) {
    std::vector<std::string> words = Split(command, ' ');
    ASSERT_GT(words.size(), 3u) << command;
    words.erase(words.begin());
    ASSERT_EQ(words[0], "run");
    words[0] = "plan";
    const Ending plan = Run(words);
    EXPECT_EQ(plan.exit_code, 0) << command << plan.err;
    EXPECT_THAT(plan.out, testing::Not(HasSubstr("will not run"))) << command;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedSuite,
                         ::testing::Values("leveldb_2011", "db_bench_2016", "lmdb_2012"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace levelfield
