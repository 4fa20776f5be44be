// Names are bytes: files, directories and texts that are no UTF-8, that have quotes, newlines and
// commands for a terminal in them, or that are as long as a file system takes, work like others,
// come back from the result, and command nobody's terminal.
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/result_files.h"
#include "base/quote.h"
#include "end_to_end.h"
#include "result/run_settings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOddDirectory = "d\xfc \x1b[31m'\"\n\xc2\x9b$(x)";

void ExpectPlain(const Ending& ending) {
  EXPECT_EQ(PrintableLines(ending.out), ending.out);
  EXPECT_EQ(PrintableLines(ending.err), ending.err);
}

class OddNames : public EndToEnd, public ::testing::WithParamInterface<const char*> {};

TEST_P(OddNames, of_directories_work_on_every_engine_and_come_back_exactly) {
  const std::string engine = GetParam();
  const std::string db = kOddDirectory;
  const std::string results = "r\xfe\x1b]0;t\x07";
  const Ending ran =
      Run({"run", "--engine=" + engine, "--num=200", "--price=0", "--keep",
           "--benchmarks=fillrandom,readrandom", "--db=" + db, "--results=" + results});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  ExpectPlain(ran);
  const fs::path made = fs::directory_iterator(path() + "/" + results)->path();
  const StatusOr<Result> result = ReadResultDirectory(made);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(SettingOf(*result, "db"), db);
  EXPECT_EQ(SettingOf(*result, "results"), results);
  EXPECT_THAT(result->command, HasSubstr("--db=" + db + " --results=" + results));
  EXPECT_NE(PhaseOf(RunOf(*result, engine), "readrandom").checked, "");

  // The store is the one that was filled, whatever the results' directory is called.
  const Ending checked = Run({"verify", "store", db + "/" + engine, "--results=st\xfc/r"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("\nsound\n"));
  const Ending again = Run({"run", "--engine=" + engine, "--num=200", "--price=0",
                            "--use_existing_db", "--benchmarks=readrandom", "--db=" + db});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr(" all\n")) << "every key is found again";
}

INSTANTIATE_TEST_SUITE_P(All, OddNames,
                         ::testing::Values("leveldb", "rocksdb", "sqlite3", "treedb", "lmdb",
                                           "berkeleydb"),
                         [](const auto& test) { return std::string(test.param); });

class ByteNames : public EndToEnd {
 protected:
  void WriteWorkload(const std::string& name, const std::string& summary) {
    WriteFile(name, "summary = " + summary +
                        "\nfamily = reads\nneeds = loaded store\n[reader]\nop = get\n"
                        "keys = uniform\nstop = after 10 operations\n");
  }
};

TEST_F(ByteNames, of_a_workload_come_back_and_are_escaped_in_every_format) {
  const std::string name = "w\xfc\x1b[31m\"|<b>\n\t`\xc2\x9b";
  WriteWorkload(name + ".workload", "s\xff \x1b[2J");
  const Ending ran = Run({"run", "--engine=memory", "--num=10", "--price=0",
                          "--benchmarks=fillseq," + name + ".workload"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  ExpectPlain(ran);
  const Result result = ReadResult();
  EXPECT_EQ(result.runs[0].phases.back().workload, name);
  EXPECT_THAT(result.workload_texts.back().second, HasSubstr("s\xff \x1b[2J"));
  for (const char* const format : {"table", "db_bench", "tsv", "cost", "csv", "intervals",
                                   "google_benchmark", "markdown", "corrected", "html"}) {
    SCOPED_TRACE(format);
    const Ending told = Run({"report", "--format=" + std::string(format), ResultPath()});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    ExpectPlain(told);
  }
  const Ending csv = Run({"report", "--format=csv", ResultPath()});
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3) << "a header and two phases";
  const Ending json = Run({"report", "--format=google_benchmark", ResultPath()});
  EXPECT_THAT(Json::parse(json.out)["benchmarks"].dump(), HasSubstr("w\ueffc"));
  const std::string page = ReadFile(ResultPath().substr(path().size() + 1) + "/report.html");
  EXPECT_NO_THROW((void)Json(page).dump()) << "UTF-8, all of it";
}

TEST_F(ByteNames, of_a_store_that_is_kept_as_evidence_are_told_harmlessly) {
  const Ending ran = Run({"run", "--engine=misbehaving@lose_puts", "--num=2000", "--price=0",
                          "--benchmarks=fillrandom", std::string("--db=") + kOddDirectory});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("/d? ?[31m'\"??$(x)/"));
  ExpectPlain(ran);
}

TEST_F(ByteNames, as_long_as_a_file_system_takes_are_taken) {
  const std::string longest = std::string(246, 'w') + ".workload";
  ASSERT_EQ(longest.size(), 255u);
  WriteWorkload(longest, "of a long name");
  const Ending ran =
      Run({"run", "--engine=memory", "--num=10", "--price=0", "--benchmarks=" + longest});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(std::string(246, 'w')));
  const Ending too_long = Run({"plan", "--engine=memory", "--benchmarks=w" + longest});
  EXPECT_EQ(too_long.exit_code, 2);
  EXPECT_THAT(too_long.err, HasSubstr("cannot read the workload file"));
}

TEST_F(ByteNames, that_are_too_long_or_empty_are_mistakes_and_nothing_more) {
  const std::string endless(100'000, '/');
  const std::string deep = std::string(5'000, 'x') + endless + "y";
  for (const std::string& path : {std::string(), deep, std::string(300, '\xff')}) {
    for (const char* const flag : {"--db=", "--results=", "--benchmarks=", "--trace="}) {
      const Ending ending =
          Run({"run", "--engine=stub", "--num=10", "--benchmarks=fillseq", flag + path});
      EXPECT_THAT(ending.exit_code, ::testing::AnyOf(0, 2)) << flag << path.size() << ending.err;
      ExpectPlain(ending);
    }
    for (const char* const verb : {"report", "compare", "history", "diagnose"}) {
      EXPECT_EQ(Run({verb, path}).exit_code, 2) << verb << " " << path.size();
    }
    EXPECT_EQ(Run({"verify", "store", path}).exit_code, 2) << path.size();
  }
}

TEST_F(ByteNames, of_the_working_directory_and_of_the_one_for_scratch_are_no_matter) {
  const std::string name = std::string(30, '\xfc') + "\n\x1b[31m";
  fs::create_directory(path() + "/" + name);
  options_.directory = path() + "/" + name;
  options_.environment["TMPDIR"] = path() + "/" + name;
  const Ending ran =
      Run({"run", "--engine=leveldb", "--num=10", "--price=0", "--db=s", "--benchmarks=fillseq"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  ExpectPlain(ran);
  const Ending conformance = Run({"verify", "conformance", "--engine=memory"});
  EXPECT_EQ(conformance.exit_code, 0) << conformance.out << conformance.err;
  const Ending kills = Run({"verify", "durability", "--engine=lmdb", "--faults=kill", "--kills=1",
                            "--durability=process"});
  EXPECT_EQ(kills.exit_code, 0) << kills.out << kills.err;
  ExpectPlain(kills);
}

TEST_F(ByteNames, of_the_directory_of_plug_ins_come_back_exactly) {
  const std::string name = path() + "/e\xfc\xff";
  fs::create_directory(name);
  fs::copy(fs::path(LEVELFIELD_ENGINE_DIRECTORY) / "levelfield_stub.so", name);
  options_.environment["LEVELFIELD_ENGINES"] = name;
  const Ending ran = Run({"run", "--engine=stub", "--num=10", "--price=0", "--benchmarks=fillseq"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ReadResult().runs[0].library_path, name + "/levelfield_stub.so");
}

// What cannot be done is said; the program is not ended by a signal.
TEST_F(ByteNames, in_a_working_directory_that_is_gone_are_refused) {
  options_.shell = "mkdir gone && cd gone && rmdir ../gone && exec \"$@\"";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "--engine=stub", "--num=10", "--benchmarks=fillseq"},
           {"run", "--engine=stub", "--num=10", "--benchmarks=fillseq", "--db=x",
            "--results=" + path() + "/r"},
           {"verify", "durability", "--engine=leveldb"},
           {"verify", "store", "x"},
           {"history"}}) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << words[0] << ending.err;
    EXPECT_THAT(ending.err, HasSubstr("No such file or directory"));
  }
}

TEST_F(ByteNames, or_anything_else_without_memory_end_in_a_message) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "a sanitizer reserves more memory than is left here";
  fs::create_directory(path() + "/r");
  WriteFile("r/manifest.json", "{\"schema\":1,\"name\":\"" + std::string(15 << 20, 'n') + "\"}\n");
  options_.shell = "ulimit -v 70000; exec \"$@\"";
  const Ending ending = Run({"report", "r"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.err, HasSubstr("levelfield: there is not enough memory for this"));
}

}  // namespace
}  // namespace levelfield
