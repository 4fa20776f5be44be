#include "report/heading.h"

#include <algorithm>

#include "base/matchers_for_test.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::heading_test {

Result TwoEngines() {
  Result result;
  for (const char* engine : {"a", "b"}) {
    result.runs.push_back(RoundOf(engine, 1, 1000));
    result.runs.back().phases[0].family = "reads";
    result.runs.back().library_path = std::string("/lib/") + engine;
    result.runs.back().allocator = "glibc 2.36";
  }
  return result;
}

TEST(DeviceWords, AreOfTheDiskBelowTheStores) {
  Result result;
  EXPECT_EQ(DeviceWords(result), "device: unknown");
  result.conditions = {{"filesystem_type", "\"ext4\""},
                       {"block_transport", "\"nvme\""},
                       {"block_model", "\"Samsung SSD 990  \""}};
  EXPECT_EQ(DeviceWords(result), "device: Samsung SSD 990 (nvme), ext4");
  result.conditions[2].second = "unknown";
  EXPECT_EQ(DeviceWords(result), "device: unknown (nvme), ext4");
}

TEST(FileSystemLines, HaveOneForEachDifferentFileSystem) {
  Result result = TwoEngines();
  EXPECT_THAT(FileSystemLines(result), IsEmpty());
  FileSystem made{.kind = "ext4",
                  .mounted_as = "ext4",
                  .mount_options = "rw,relatime",
                  .mkfs = "mkfs.ext4 DEVICE",
                  .mkfs_version = "mke2fs 1.47.0",
                  .journal = "internal",
                  .bytes = uint64_t{512} << 20,
                  .image_on = "xfs",
                  .direct_io = true,
                  .medium = {}};
  for (RunResult& run : result.runs) run.file_system = made;
  EXPECT_THAT(FileSystemLines(result),
              ElementsAre("a fresh file system for each run of a, b: ext4 of 512 MiB, mounted "
                          "rw,relatime, journal internal; made by `mkfs.ext4 DEVICE` (mke2fs "
                          "1.47.0), on an image on xfs, past its page cache"));
  made = {.kind = "ntfs", .mounted_as = "fuseblk", .journal = "none"};
  result.runs[1].file_system = made;
  EXPECT_THAT(FileSystemLines(result),
              ElementsAre(HasSubstr("run of a: ext4"),
                          AllOf(HasSubstr("run of b: ntfs as fuseblk"),
                                HasSubstr("without a journal"), HasSubstr("nothing on it is"))));
}

TEST(StateWords, SayHowWarmAndHowSettledAStoreIs) {
  Result result;
  EXPECT_EQ(StateWords(result), "");
  result.settings = {{"cache", "warm"}, {"carry_debt", "0"}};
  EXPECT_THAT(StateWords(result), AllOf(HasSubstr("warm"), HasSubstr("deferred work settled")));
  result.settings = {{"cache", "cold"}, {"warmup", "5s"}, {"carry_debt", "1"}};
  EXPECT_THAT(StateWords(result),
              AllOf(HasSubstr("cold"), HasSubstr("a warm-up of 5s"),
                    HasSubstr("deferred work is carried over"), Not(HasSubstr("warm:"))));
}

TEST(SettingsWords, SayWhetherEnginesHaveTheSameOrTheirOwn) {
  Result result;
  result.settings = {{"compression", "none"}};
  EXPECT_EQ(SettingsWords(result), "compression: none") << "of caches";
  result.settings = {{"settings", "equal"}, {"compression", "none"}};
  EXPECT_EQ(SettingsWords(result), "settings: equal; compression: none");
  result.settings = {{"settings", "default"}, {"compression", ""}};
  EXPECT_EQ(SettingsWords(result), "settings: default, each engine's own");
  result.settings = {{"settings", "default"}, {"compression", "snappy"}};
  EXPECT_EQ(SettingsWords(result), "settings: default, each engine's own; compression: snappy");
}

TEST(Configuration, IsShownByItsHash) {
  RunResult run;
  EXPECT_EQ(ConfigurationWords(run), "");
  run.configuration = {{"process", "foobar"}};
  EXPECT_EQ(ConfigurationWords(run), "configuration 85944171f73967e8");
  run.configuration.emplace_back("synced", "foobar");
  EXPECT_EQ(ConfigurationWords(run), "configuration 85944171f73967e8") << "the same in both";
  run.configuration.pop_back();
  run.configuration.emplace_back("synced", "unknown: it does not tell");
  EXPECT_EQ(ConfigurationWords(run),
            "configuration process 85944171f73967e8, synced unknown: it does not tell");
  Result result = TwoEngines();
  EXPECT_THAT(WriteTerminal(ResultReport(result)), Not(HasSubstr("configuration")));
  result.runs[0].configuration = {{"process", "foobar"}};
  EXPECT_THAT(WriteTerminal(ResultReport(result), 200),
              HasSubstr("configuration 85944171f73967e8"));
}

TEST(TheHeadOfATable, WarnsOfWhatConcernsAllOfTheResult) {
  Result result = TwoEngines();
  EXPECT_THAT(WriteTerminal(ResultReport(result)), Not(HasSubstr("warning: ")));
  result.warnings = {"the file system of the stores was 93.0 % full before the run"};
  const std::string table = WriteTerminal(ResultReport(result), 200);
  const size_t at = table.find("warning: the file system of the stores was 93.0 % full");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(at, table.find("readrandom")) << "over the figures";
}

TEST(Heading, NamesTheWorkloadsWhoseValuesHaveAnotherSize) {
  Result result;
  result.settings = {
      {"num", "10"}, {"key_size", "16"}, {"value_size", "100"}, {"threads", "1"}, {"memory", "0"}};
  RunResult& run = result.runs.emplace_back();
  for (const auto& [workload, entry_bytes] :
       {std::pair("readrandom", uint64_t{116}), std::pair("ycsb-c", uint64_t{1016}),
        std::pair("small", uint64_t{516})}) {
    PhaseResult phase;
    phase.workload = workload;
    phase.outcome = Outcome::kOk;
    OperationStatistics& gets = phase.roles.emplace_back().statistics.emplace_back();
    gets.operation = "get";
    gets.effects = Effect::kReads;
    gets.lookup = Lookup::kKey;
    gets.hits = 3;
    gets.bytes = 3 * entry_bytes;
    run.phases.push_back(phase);
    if (run.phases.size() == 1) {
      EXPECT_THAT(ConditionsLine(result), HasSubstr("values of 100; 1 thread"));
    }
  }
  EXPECT_THAT(ConditionsLine(result),
              HasSubstr("values of 100 (500 in small, 1000 in ycsb-c); 1 thread"));
}

TEST(TheHeadOfATable, NamesTheWorkloadsThatHaveOtherThreadsAndAnotherClass) {
  Result result = TwoEngines();
  result.settings = {{"num", "1000"}, {"threads", "2"}, {"durability", "process"}};
  PhaseResult& phase = result.runs[0].phases[0];
  phase.workload = "beside";
  phase.durability = "synced";
  phase.outcome = Outcome::kOk;
  phase.roles.resize(2);
  phase.roles[0].threads = 2;
  phase.roles[1].threads = 1;
  OperationStatistics& puts = phase.roles[0].statistics.emplace_back();
  puts.operation = "put";
  puts.effects = kPuts;
  puts.operations = 5;
  std::string table = WriteTerminal(ResultReport(result), 300);
  std::ranges::replace(table, '\n', ' ');
  EXPECT_THAT(table, AllOf(HasSubstr("2 threads (3 in beside)"),
                           HasSubstr("durability: process (synced in beside)")));
  phase.roles.pop_back();
  EXPECT_THAT(ConditionsLine(result), HasSubstr("2 threads;"));
}

TEST(Heading, SaysHowLongKeysAreIfTheyVary) {
  Result result;
  result.settings = {{"num", "10"},         {"key_size", "16"}, {"key_size_max", "64"},
                     {"value_size", "100"}, {"threads", "1"},   {"memory", "0"}};
  EXPECT_THAT(ConditionsLine(result),
              HasSubstr("10 keys of 16 to 64 bytes, values of 100; 1 thread"));
  result.settings[2].second = "0";
  EXPECT_THAT(ConditionsLine(result), HasSubstr("10 keys of 16 bytes"));
}

TEST(Heading, APrefixOfKeysIsNoPartOfValues) {
  Result result;
  result.settings = {{"num", "10"},         {"key_size", "16"}, {"key_prefix", "8"},
                     {"value_size", "100"}, {"threads", "1"},   {"memory", "0"}};
  PhaseResult phase;
  phase.workload = "fillrandom";
  phase.outcome = Outcome::kOk;
  OperationStatistics& puts = phase.roles.emplace_back().statistics.emplace_back();
  puts.effects = kPuts;
  puts.hits = 3;
  puts.bytes = 3 * 124;
  result.runs.emplace_back().phases.push_back(phase);
  EXPECT_THAT(ConditionsLine(result), HasSubstr("values of 100; 1 thread"));
}

// Whoever sees a figure has to be able to say of it all that decides it.
TEST(TheHeadOfATable, SaysAllThatAFigureDependsOn) {
  Result result = TwoEngines();
  result.settings = {{"num", "1000"},         {"threads", "2"},       {"durability", "process"},
                     {"compression", "none"}, {"memory", "67108864"}, {"cache", "warm"},
                     {"carry_debt", "0"},     {"value_size", "100"},  {"key_size", "16"}};
  result.conditions = {{"block_model", "\"Disk 7\""}};
  result.overheads = {
      {.engine = "null", .keys = 1000, .clock_ns = 18, .workload_ns = {{"readrandom", 50}}}};
  std::string table = WriteTerminal(ResultReport(result), 300);
  std::ranges::replace(table, '\n', ' ');
  for (const char* const what :
       {"closed loop", "2 threads", "durability: process", "compression: none", "memory 64M",
        "warm", "deferred work settled", "one run of each engine", "device: Disk 7", "1,000 keys",
        "values of 100 bytes", "overhead of the harness"}) {
    EXPECT_THAT(table, HasSubstr(what));
  }
}

}  // namespace levelfield::heading_test
