// `levelfield history`, over result directories that were made up and over real ones; and that no
// verb ever touches a result that is there.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "end_to_end.h"
#include "result/result_json.h"
#include "result/rounds_for_test.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

class HistoryTest : public EndToEnd {
 protected:
  // Results with the manifest of a real one: of a `lmdb` that reads so many entries a second.
  void SetUp() override {
    ASSERT_EQ(Run({"run", "--engine=lmdb", "--num=300", "--benchmarks=readrandom"}).exit_code, 0);
    const fs::path real = ResultPath();
    manifest_ = Json::parse(ReadFile("results/" + real.filename().string() + "/manifest.json"));
    manifest_.erase("crc32");  // Of what it was.
    manifest_.erase("planned");  // As older ones, which have no end of their lines.
    fs::remove_all(real);
  }

  void Make(int day, uint64_t gets, const std::string& version,
            const std::string& started = "2026-01-{:02}T00:00:00Z") {
    Json manifest = manifest_;
    manifest["started"] = fmt::format(fmt::runtime(started), day);
    Write(fmt::format("day{:02}", day), manifest, gets, version);
  }

  void Write(const std::string& name, const Json& manifest, uint64_t gets,
             const std::string& version) {
    fs::create_directories(path() + "/results/" + name);
    WriteFile("results/" + name + "/manifest.json", manifest.dump() + "\n");
    std::string lines;
    for (uint64_t round = 1; round <= 6; ++round) {
      RunResult run = RoundOf("lmdb", round, gets + round % 3 * gets / 200);
      run.version = version;
      run.phases[0].roles[0].lanes[0].latency_ns.reset();
      Json phase = {{"type", "phase"}, {"schema", 1}, {"run", round - 1}, {"engine", "lmdb"}};
      phase.update(ToJson(run.phases[0]));
      Json whole = {{"type", "run"}, {"schema", 1}, {"run", round - 1}};
      whole.update(ToJson(run));
      lines += phase.dump() + "\n" + whole.dump() + "\n";
    }
    WriteFile("results/" + name + "/results.jsonl", lines);
  }

  // Twenty days, of which the last five are slower by a tenth, with a new version.
  void MakeTwentyDays() {
    for (int day = 1; day <= 20; ++day) {
      const uint64_t wobble = day * 7 % 5 * 1000;  // Up to 0.4 %.
      Make(day, (day <= 15 ? 1'000'000 : 900'000) + wobble, day <= 15 ? "0.9.24" : "0.9.31");
    }
  }

  Json manifest_;
};

TEST_F(HistoryTest, ShowsTheResultsOfABenchmarkAndWhereItBecameSlower) {
  MakeTwentyDays();
  const Ending ending = Run({"history"});
  EXPECT_EQ(ending.exit_code, 1) << "slower of late\n" << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("machine " + manifest_["fingerprint"].get<std::string>()));
  EXPECT_THAT(ending.out, HasSubstr("\nreadrandom, lmdb --num=300\n"));
  EXPECT_THAT(ending.out, HasSubstr("2026-01-15T00:00:00Z  0.9.24"));
  const size_t before = ending.out.find("2026-01-15");
  const size_t change = ending.out.find("% from here on");
  const size_t behind = ending.out.find("2026-01-16");
  ASSERT_NE(change, std::string::npos);
  EXPECT_LT(before, change);
  EXPECT_LT(change, behind);
  EXPECT_EQ(ending.out.find("% from here on", change + 1), std::string::npos) << "there is one";
  EXPECT_THAT(ending.out, HasSubstr("-10."));
  EXPECT_THAT(ending.out, HasSubstr("version 0.9.24 -> 0.9.31"));
  const Ending named = Run({"history", "results", "--engine=lmdb", "--benchmarks=readrandom"});
  EXPECT_EQ(named.out, ending.out);
  // What nobody minds is no change.
  const Ending minds_nothing = Run({"history", "--margin=0.2"});
  EXPECT_EQ(minds_nothing.exit_code, 0);
  EXPECT_THAT(minds_nothing.out, Not(HasSubstr("from here on")));
}

TEST_F(HistoryTest, NeverMixesMachinesNorSettings) {
  MakeTwentyDays();
  Json manifest = manifest_;
  manifest["fingerprint"] = "feedfacefeedface";
  manifest["started"] = "2026-02-01T00:00:00Z";
  Write("elsewhere", manifest, 5'000'000, "0.9.31");
  manifest = manifest_;
  manifest["settings"]["num"] = "1000000";
  manifest["started"] = "2026-02-02T00:00:00Z";
  Write("larger", manifest, 100'000, "0.9.31");
  const Ending ending = Run({"history"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("\nmachine feedfacefeedface: "));
  // The default of --num, so there is nothing to name.
  EXPECT_THAT(ending.out, HasSubstr("\nreadrandom, lmdb\n"));
  EXPECT_THAT(ending.out, HasSubstr("\nreadrandom, lmdb --num=300\n"));
  EXPECT_THAT(ending.out, HasSubstr("Of fewer than 9 results no change can be told."));
}

// Results that are older than the fingerprint in the manifest are of the machine that their
// environment describes.
TEST_F(HistoryTest, KnowsTheMachineOfOlderResults) {
  Make(1, 1'000'000, "0.9.24");
  Json manifest = manifest_;
  manifest.erase("fingerprint");
  manifest["started"] = "2026-01-02T00:00:00Z";
  Write("older", manifest, 1'000'000, "0.9.24");
  const Ending ending = Run({"history"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const size_t machine = ending.out.find("machine ");
  EXPECT_EQ(ending.out.find("machine ", machine + 1), std::string::npos) << ending.out;
  EXPECT_EQ(ending.out.find("readrandom, lmdb"), ending.out.rfind("readrandom, lmdb"));
}

TEST_F(HistoryTest, TellsWhatCannotBeReadAndShowsTheRest) {
  MakeTwentyDays();
  WriteFile("results/day03/manifest.json", "{ torn\n");
  WriteFile("results/day04/results.jsonl", "[]\n[]\n");
  fs::create_directory(path() + "/results/of somebody else");
  WriteFile("results/report.tsv", "a file beside the results\n");
  const Ending ending = Run({"history"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("left out: results/day03/manifest.json: "));
  EXPECT_THAT(ending.out, HasSubstr("left out: results/day04/results.jsonl, line 1"));
  EXPECT_THAT(ending.out, HasSubstr("left out: results/of somebody else: not a result directory"));
  EXPECT_THAT(ending.out, Not(HasSubstr("report.tsv")));
  EXPECT_THAT(ending.out, HasSubstr("2026-01-05"));
  EXPECT_THAT(ending.out, Not(HasSubstr("2026-01-03")));
}

TEST_F(HistoryTest, RefusesWhatItCannotDo) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << why;
    EXPECT_THAT(ending.err, HasSubstr(why));
    EXPECT_THAT(ending.out, IsEmpty());
  };
  refused({"history"}, "there is no result in it");  // Only the empty results/.
  refused({"history", "nowhere"}, "nowhere: cannot be read: No such file or directory");
  refused({"history", "one", "two"}, "takes one directory");
  refused({"history", "--num=5"}, "--num: history takes");
  Make(1, 1'000'000, "0.9.24");
  refused({"history", "--engine=lmbd"}, "no result has \"lmbd\"; did you mean 'lmdb'?");
  refused({"history", "--benchmarks=readrandm"}, "did you mean 'readrandom'?");
  WriteFile("results/day01/manifest.json", "");
  refused({"history"}, "results/day01/manifest.json");
}

TEST_F(HistoryTest, ShowsRealResultsOfTwoEnginesAndTheLoadBeforeAsPartOfTheBenchmark) {
  for (const char* const benchmarks : {"fillseq,readrandom", "readrandom"}) {
    ASSERT_EQ(
        Run({"run", "--engine=lmdb,memory", "--num=300", std::string("--benchmarks=") + benchmarks})
            .exit_code,
        0);
  }
  const Ending ending = Run({"history"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("\nfillseq, lmdb --num=300\n"));
  EXPECT_THAT(ending.out, HasSubstr("\nreadrandom, memory --num=300\n"));
  EXPECT_THAT(ending.out, HasSubstr("\n  after: fillseq\n"));
  EXPECT_THAT(ending.out, Not(HasSubstr("left out")));
}

// Results are added, and never changed nor taken away, whatever is done afterwards.
TEST_F(HistoryTest, NoVerbTouchesAResultThatIsThere) {
  ASSERT_EQ(Run({"run", "--engine=lmdb,memory", "--num=300", "--benchmarks=readrandom",
                 "--repeat=2", "--name=kept"})
                .exit_code,
            0);
  const std::string kept = ResultPath();
  const auto snapshot = [&] {
    std::map<std::string, std::string> files;
    const std::string root = fs::path(kept).lexically_relative(path()).string();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kept)) {
      const std::string name = entry.path().lexically_relative(kept).string();
      files[name] =
          fmt::format("{} {}", fs::last_write_time(entry.path()).time_since_epoch().count(),
                      entry.is_regular_file() ? ReadFile(root + "/" + name) : "");
    }
    return files;
  };
  const auto before = snapshot();
  ASSERT_GE(before.size(), 2);
  const std::vector<std::vector<std::string>> all = {
      {"run", "--engine=memory", "--num=300", "--benchmarks=readrandom", "--name=kept"},
      {"noise", "--engine=memory", "--num=300", "--benchmarks=readrandom", "--repeat=2"},
      {"report", kept},
      {"report", kept, "--format=tsv"},
      {"compare", kept},
      {"compare", kept, kept},
      {"history"},
      {"run", "--results=" + kept, "--engine=memory", "--num=300", "--benchmarks=readrandom"},
      {"run", "--db=" + kept, "--engine=memory,lmdb", "--num=300", "--benchmarks=readrandom"}};
  for (const std::vector<std::string>& words : all) {
    (void)Run(words);
    const auto after = snapshot();
    for (const auto& [name, content] : before) {
      const auto it = after.find(name);
      ASSERT_NE(it, after.end()) << words[0] << " removed " << name;
      EXPECT_EQ(it->second, content) << words[0] << " changed " << name;
    }
  }
}

}  // namespace
}  // namespace levelfield
