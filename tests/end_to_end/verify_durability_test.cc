// Kills and power cuts with few of each, on all engines; and what must be found where an engine, or
// the disk below it, does not keep what it claims. Power cuts need root and loop devices; where
// they cannot be had the tests are skipped, and say so.
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "end_to_end.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ContainsRegex;
using ::testing::StartsWith;

constexpr const char* kEngines = "--engine=leveldb,rocksdb,sqlite3,lmdb,berkeleydb,treedb";

class VerifyDurability : public EndToEnd {
 protected:
  Ending Verify(const std::vector<std::string>& further) {
    std::vector<std::string> words = {"verify", "durability"};
    words.insert(words.end(), further.begin(), further.end());
    return Run(words);
  }

  // The result directory has the states that were tried, one a line.
  std::vector<Json> States() const {
    std::vector<Json> states;
    std::istringstream lines(
        ReadFile(ResultPath().substr(path().size() + 1) + "/durability.jsonl"));
    for (std::string line; std::getline(lines, line);) states.push_back(Json::parse(line));
    return states;
  }

  static std::string WhyNoPower() {
    if (geteuid() != 0) return "power cuts need root: nothing was tested here";
    if (access("/dev/loop-control", R_OK | W_OK) != 0) {
      return "power cuts need loop devices: nothing was tested here";
    }
    return "";
  }
};

class VerifyDurabilityByPower : public VerifyDurability {
 protected:
  void SetUp() override {
    if (!WhyNoPower().empty()) GTEST_SKIP() << WhyNoPower();
  }
};

class VerifyDurabilityOnAVolatileDisk : public VerifyDurabilityByPower {
 protected:
  void SetUp() override {
    VerifyDurabilityByPower::SetUp();
    if (!IsSkipped() && access("/dev/fuse", R_OK | W_OK) != 0) {
      GTEST_SKIP() << "a disk with a volatile cache needs /dev/fuse: nothing was tested here";
    }
  }
};

TEST_F(VerifyDurability, finds_nothing_lost_by_kills_in_any_engine) {
  const Ending ending = Verify({kEngines, "--faults=kill", "--kills=4"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("48 states tried, 0 skipped; 12 rows, of which 0 deviate"));
  for (const Json& state : States()) EXPECT_GT(state["acked"].get<uint64_t>(), 0u) << state;
  EXPECT_TRUE(NobodyIsLeft(5));
}

TEST_F(VerifyDurability, finds_an_engine_that_keeps_commits_in_its_own_memory) {
  options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_BROKEN_ENGINE_DIRECTORY;
  const Ending ending = Verify({"--engine=buffered", "--faults=kill", "--kills=3"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("buffered process, kill -9: deviates, is D0: 3 of 3 states"));
}

TEST_F(VerifyDurability, finds_commits_that_were_acknowledged_and_not_stored) {
  const Ending ending = Verify({"--engine=stub", "--durability=process", "--faults=kill",
                                "--kills=4", "--stub.lose_every=10"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.out, ContainsRegex("deviates, is D0: .* missing ahead of later ones"));
}

TEST_F(VerifyDurability, finds_values_of_other_keys_and_scans_out_of_order) {
  const Ending values = Verify({"--engine=stub", "--durability=process", "--faults=kill",
                                "--kills=2", "--stub.wrong_value_every=10"});
  EXPECT_EQ(values.exit_code, 1) << values.err;
  EXPECT_THAT(values.out, HasSubstr("wrong values"));
  const Ending scans = Verify({"--engine=stub", "--durability=process", "--faults=kill",
                               "--kills=2", "--stub.reorder_every=10"});
  EXPECT_EQ(scans.exit_code, 1) << scans.err;
  EXPECT_THAT(scans.out, HasSubstr("a scan gives the key"));
}

// What a class does not promise is counted, and is no deviation.
TEST_F(VerifyDurability, counts_the_losses_of_a_class_that_promises_nothing) {
  const Ending ending =
      Verify({"--engine=stub", "--durability=none", "--faults=kill", "--kills=4"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, ContainsRegex("nothing promised; a tail only, in order: [1-4] of 4"));
}

TEST_F(VerifyDurability, skips_an_engine_whose_writer_does_not_begin_and_counts_that) {
  const Ending ending = Verify({"--engine=stub", "--durability=process", "--faults=kill",
                                "--kills=1", "--stub.open_ms=3000", "--stall=1"});
  EXPECT_EQ(ending.exit_code, 3) << ending.out;
  EXPECT_THAT(ending.out, HasSubstr("1 skipped: stub: the writer did not begin in 1 s"));
  EXPECT_TRUE(NobodyIsLeft(5));
}

// What the checker meets: one engine each that hangs, crashes, and fails after the fault alone.
TEST_F(VerifyDurability, outlives_an_engine_that_hangs_or_dies_in_the_check_and_says_so) {
  const Ending ending = Verify(
      {"--engine=misbehaving@hang_in_close,misbehaving@segfault_in_get,misbehaving@close_fails",
       "--durability=process", "--faults=kill", "--kills=1", "--stall=3"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(
      ending.out,
      AllOf(HasSubstr("cannot be read: reading and closing it took more than 3 s"),
            HasSubstr(LEVELFIELD_SANITIZED  // Which ends it itself, with a report.
                          ? "cannot be read: the process that read it ended"
                          : "cannot be read: the process that read it ended by SIGSEGV"),
            ContainsRegex("close_fails process, kill -9: deviates.* cannot be read: .*close")));
  EXPECT_TRUE(NobodyIsLeft(5));
}

TEST_F(VerifyDurability, makes_its_page_again_from_what_it_recorded) {
  const Ending ending = Verify({"--engine=leveldb", "--durability=process", "--faults=kill",
                                "--kills=2", "--format=markdown"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, StartsWith("# What an acknowledged write survives"));
  const Ending page = Run({"docs", "durability", ResultPath()});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_EQ(page.out, ending.out);
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("2 states tried, 0 skipped"));
}

TEST_F(VerifyDurability, refuses_mistakes_before_anything_is_created) {
  for (const auto& [word, says] :
       {std::pair("--kils=3", "--kils"), std::pair("--kills=0", "--kills=0"),
        std::pair("--faults=fire", "kill, power"), std::pair("--fs=ext5", "did you mean 'ext4'?"),
        std::pair("--cut_method=axe", "shutdown, volatile"), std::pair("--survives=2", "0 to 1"),
        std::pair("--durability=sync", "synced"), std::pair("--threads=0", "--threads=0"),
        std::pair("--benchmarks=fillseq", "means nothing here"), std::pair("kill", "is no flag"),
        std::pair("--format=xml", "table, json, markdown"), std::pair("--value_size=4", "16 to"),
        std::pair("--engine=levelbd", "leveldb"), std::pair("--lmdb.nosuch=1", "lmdb")}) {
    const Ending ending = Verify({word});
    EXPECT_EQ(ending.exit_code, 2) << word << ending.out << ending.err;
    EXPECT_THAT(ending.err, HasSubstr(says)) << word;
  }
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(VerifyDurability, leaves_what_it_had_when_it_is_interrupted) {
  const auto process = Start({"verify", "durability", "--engine=leveldb", "--durability=process",
                              "--faults=kill", "--kills=10000"});
  ASSERT_TRUE(process->SaysOnError("times kill", 30));
  sleep(2);
  process->Signal(SIGINT);
  const Ending ending = process->Finish(20);
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_FALSE(States().empty());
  EXPECT_FALSE(fs::exists(ResultPath() + "/durability-stores"));
  EXPECT_TRUE(NobodyIsLeft(5));
}

TEST_F(VerifyDurabilityByPower, finds_nothing_lost_in_any_engine_that_syncs) {
  const Ending ending = Verify({kEngines, "--durability=synced", "--faults=power", "--cuts=2",
                                "--fs=ext4", "--cut_method=shutdown"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("12 states tried, 0 skipped; 6 rows, of which 0 deviate"));
}

// Berkeley DB renames a new file without writing the rename down; our plug-in syncs the directory.
// Without that the 50th of these cuts, 5 commits after the store was made, took all 5.
TEST_F(VerifyDurabilityByPower, finds_nothing_lost_of_the_first_commits_to_a_new_berkeleydb) {
  const Ending ending = Verify({"--engine=berkeleydb", "--durability=synced", "--faults=power",
                                "--cuts=60", "--fs=ext4", "--cut_method=shutdown", "--threads=4"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("60 states tried, 0 skipped; 1 rows, of which 0 deviate"));
}

TEST_F(VerifyDurabilityByPower, finds_an_engine_that_says_it_has_synced_and_has_not) {
  const std::vector<std::string> words = {"--engine=stub",         "--durability=synced",
                                          "--faults=power",        "--cuts=3",
                                          "--cut_method=shutdown", "--fs=ext4"};
  const Ending honest = Verify(words);
  EXPECT_EQ(honest.exit_code, 0) << honest.out << honest.err;
  std::vector<std::string> lying = words;
  lying.emplace_back("--stub.no_sync=1");
  const Ending ending = Verify(lying);
  EXPECT_EQ(ending.exit_code, 1) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("deviates, is D"));
}

TEST_F(VerifyDurabilityOnAVolatileDisk, finds_nothing_lost_in_any_engine_that_syncs) {
  const Ending ending = Verify({kEngines, "--durability=synced", "--faults=power", "--cuts=3",
                                "--fs=ext4", "--cut_method=volatile"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("18 states tried, 0 skipped; 6 rows, of which 0 deviate"));
}

TEST_F(VerifyDurabilityOnAVolatileDisk, finds_nothing_lost_below_each_file_system) {
  // What a cut left is mounted beside what it left it of.
  if (access("/sys/fs/btrfs/features/temp_fsid", F_OK) != 0) {
    GTEST_SKIP() << "two of one btrfs need Linux 6.7, with btrfs loaded: nothing was tested here";
  }
  const Ending ending = Verify({"--engine=leveldb,lmdb", "--durability=synced", "--faults=power",
                                "--cuts=3", "--fs=ext4,xfs,btrfs", "--cut_method=volatile"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("6 states tried, 0 skipped; 6 rows, of which 0 deviate"));
}

// Else a cut would cut nothing.
TEST_F(VerifyDurabilityOnAVolatileDisk, takes_from_every_engine_what_was_not_synced) {
  const Ending ending = Verify({kEngines, "--durability=process", "--faults=power", "--cuts=2",
                                "--fs=ext4", "--cut_method=volatile", "--survives=0"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  std::map<std::string, uint64_t> harmed;
  for (const Json& state : States()) {
    const Json& finding = state["finding"];
    const bool is_harmed = finding["lost"] != 0 || finding["message"] != "" ||
                           finding["torn"] != 0 || finding["out_of_order"] != 0;
    harmed[state["cell"]["engine"]] += is_harmed ? 1 : 0;
  }
  EXPECT_EQ(harmed.size(), 6u);
  for (const auto& [engine, states] : harmed) EXPECT_GT(states, 0u) << engine;
}

TEST_F(VerifyDurabilityOnAVolatileDisk, finds_a_disk_that_eats_flushes) {
  const Ending ending = Verify({kEngines, "--durability=synced", "--faults=power", "--cuts=2",
                                "--fs=ext4", "--eat_flushes", "--survives=0"});
  EXPECT_EQ(ending.exit_code, 1) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("12 states tried, 0 skipped; 6 rows, of which 6 deviate"));
}

}  // namespace
}  // namespace levelfield
