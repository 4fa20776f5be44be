// A result of less than was planned, and how every report says so: a driver that is killed, Ctrl-C,
// a disk of the results that fills up while it runs.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <regex>
#include <sstream>

#include "end_to_end.h"

namespace levelfield {
namespace {

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

class ACutOffRun : public EndToEnd {
 protected:
  static constexpr uint64_t kEngines = 2;

  std::string Lines() const {
    return ReadFile("results/" + fs::path(ResultPath()).filename().string() + "/results.jsonl");
  }

  // Thirty rounds of two engines, of which so many are over.
  std::unique_ptr<LevelfieldProcess> StartAndAwaitRounds(uint64_t rounds) {
    auto process = Start({"run", "--engine=leveldb,lmdb", "--num=200", "--price=0", "--repeat=30",
                          "--benchmarks=fillseq,readrandom"});
    for (int i = 0; i < 6000; ++i, usleep(10'000)) {
      if (!fs::exists(path() + "/results")) continue;
      const fs::directory_iterator result(path() + "/results");
      if (result == fs::directory_iterator() ||
          !fs::exists(result->path() / "results.jsonl")) {
        continue;
      }
      if (CountOf(Lines(), "{\"type\":\"run\"") >= kEngines * rounds) return process;
    }
    ADD_FAILURE() << "no " << rounds << " rounds in a minute";
    return process;
  }

  // As its lines have it, "3 of 30 rounds; cut off".
  std::string ExpectedWords() const {
    const size_t runs = CountOf(Lines(), "{\"type\":\"run\"") -
                        CountOf(Lines(), "\"outcome\":\"interrupted\",\"message\":\"\",\"stderr");
    return fmt::format("{} of 30 rounds; cut off", runs / kEngines);
  }
};

TEST_F(ACutOffRun, by_kill_9_says_so_in_every_report) {
  const auto process = StartAndAwaitRounds(3);
  const Ending meanwhile = Run({"report", ResultPath()});
  EXPECT_THAT(InOneLine(meanwhile.out), HasSubstr("of 30 rounds; still running"));
  EXPECT_THAT(meanwhile.out, Not(HasSubstr("cut off")));
  process->Signal(SIGKILL);
  EXPECT_EQ(process->Finish().signal, SIGKILL);
  EXPECT_TRUE(NobodyIsLeft(5));
  const std::string words = ExpectedWords() + ": the program ended before the rest";
  for (const char* const format : {"table", "db_bench", "cost", "corrected", "markdown", "csv",
                                   "tsv", "google_benchmark", "intervals"}) {
    const Ending report = Run({"report", ResultPath(), "--format=" + std::string(format)});
    EXPECT_THAT(InOneLine(report.out + report.err), HasSubstr(words)) << format;
    EXPECT_EQ(report.exit_code, 3) << format;
  }
  EXPECT_THAT(Run({"report", ResultPath(), "--format=csv"}).out, HasSubstr(words))
      << "where programs read it";
  EXPECT_THAT(Run({"compare", ResultPath()}).out, HasSubstr(words));
  EXPECT_THAT(Run({"history"}).out, HasSubstr(words));
  EXPECT_THAT(Run({"diagnose", ResultPath()}).out, HasSubstr(words));
  ASSERT_EQ(Run({"report", ResultPath(), "--format=html", "--to=page.html"}).exit_code, 0);
  EXPECT_NE(ReadFile("page.html").find(": " + words + "<br>"), std::string::npos);
}

TEST_F(ACutOffRun, by_ctrl_c_keeps_the_figures_of_its_rounds) {
  const auto process = StartAndAwaitRounds(2);
  process->Signal(SIGINT);
  const Ending interrupted = process->Finish();
  EXPECT_EQ(interrupted.exit_code, 130);
  const std::string words = ExpectedWords() + ": interrupted";
  EXPECT_THAT(InOneLine(interrupted.out), HasSubstr(words));
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 3);
  EXPECT_THAT(InOneLine(report.out), HasSubstr(words));
  for (const char* const workload : {"fillseq", "readrandom"}) {
    const std::vector<std::string> cells = CellsOf(report.out, workload);
    EXPECT_THAT(cells, ::testing::SizeIs(::testing::Ge(2u))) << report.out;
    EXPECT_THAT(cells, ::testing::Each(Not(HasSubstr("interrupted")))) << report.out;
  }
}

TEST_F(ACutOffRun, is_told_by_a_comparison_with_another) {
  const auto process = StartAndAwaitRounds(1);
  process->Signal(SIGKILL);
  (void)process->Finish();
  const std::string cut = ResultPath();
  const std::string words = ExpectedWords();
  ASSERT_EQ(Run({"run", "--engine=leveldb,lmdb", "--num=200", "--price=0", "--results=whole",
                 "--benchmarks=fillseq,readrandom"})
                .exit_code,
            0);
  const std::string whole = fs::directory_iterator(path() + "/whole")->path();
  EXPECT_THAT(Run({"compare", cut, whole}).out, HasSubstr("note: baseline: " + words));
  EXPECT_THAT(Run({"compare", whole, cut}).out, HasSubstr("note: candidate: " + words));
  EXPECT_THAT(Run({"compare", whole, whole}).out, Not(HasSubstr("cut off")));
}

TEST_F(ACutOffRun, is_none_that_came_to_its_end_and_none_of_an_older_result) {
  ASSERT_EQ(Run({"run", "--engine=leveldb,lmdb", "--num=200", "--price=0", "--repeat=2",
                 "--benchmarks=fillseq,readrandom"})
                .exit_code,
            0);
  const std::string name = "results/" + fs::path(ResultPath()).filename().string();
  const std::vector<std::vector<std::string>> all = {{"report", name},
                                                     {"report", name, "--format=csv"},
                                                     {"compare", name},
                                                     {"history"},
                                                     {"diagnose", name}};
  const auto expect_whole = [&](const char* what) {
    for (const std::vector<std::string>& words : all) {
      const Ending ending = Run(words);
      EXPECT_THAT(ending.out + ending.err, Not(HasSubstr("; cut off"))) << what << words.front();
      EXPECT_TRUE(ending.exit_code == 0 || words.front() == "compare") << what << words.front();
    }
  };
  expect_whole("whole: ");
  // Those of older programs say nothing of what was planned, nor of an end.
  const auto rewrite = [&](const std::string& file, const std::vector<const char*>& without) {
    std::string text = ReadFile(name + file);
    for (const char* const part : without) text = std::regex_replace(text, std::regex(part), "");
    WriteFile(name + file, text);
  };
  const char* const seal = ",\\s*\"crc32\": ?\"[0-9a-f]{8}\"";
  rewrite("/results.jsonl", {"\\{\"type\":\"end\".*\n", seal});
  const Ending cut = Run({"report", name});
  EXPECT_THAT(cut.out, Not(HasSubstr("; cut off"))) << "no round is missing";
  const std::string manifest = ReadFile(name + "/manifest.json");
  const std::string bare = std::regex_replace(manifest, std::regex(seal), "");
  WriteFile(name + "/manifest.json",
            std::regex_replace(bare, std::regex("rounds\": 2"), "rounds\": 3"));
  EXPECT_THAT(Run({"report", name}).out, HasSubstr("2 of 3 rounds; cut off")) << "the control";
  rewrite("/manifest.json", {"\"planned\": \\{[^}]*\\},", seal});
  expect_whole("older: ");
}

class AFullResultsDisk : public EndToEnd {
 protected:
  void SetUp() override {
    fs::create_directory(path() + "/disk");
    if (mount("tmpfs", (path() + "/disk").c_str(), "tmpfs", 0, "size=4m") != 0) {
      GTEST_SKIP() << "a disk that fills up needs root";
    }
    is_mounted_ = true;
  }
  void TearDown() override {
    if (!is_mounted_) return;
    EXPECT_EQ(umount((path() + "/disk").c_str()), 0);
  }

  // Runs three workloads, of which each takes half a second and more, and fills the disk up while
  // the second one runs.
  Ending RunAndFill(const std::string& repeat) {
    const auto process =
        Start({"run", "--engine=misbehaving@slow_put", "--num=500", "--price=0",
               "--interval_seconds=0", "--benchmarks=fillseq,overwrite,readseq",
               "--results=disk/results", "--db=stores", "--repeat=" + repeat});
    EXPECT_TRUE(process->SaysOnError(" 1/", 60));
    const int fd = open((path() + "/disk/filler").c_str(), O_WRONLY | O_CREAT, 0666);
    const std::string page(4096, 'x');
    while (write(fd, page.data(), page.size()) > 0) {
    }
    close(fd);
    return process->Finish();
  }

  // Every workload that was printed with a rate is in the results, with that rate.
  size_t ExpectPrintedAreKept(const Ending& ending) {
    const std::string result = fs::directory_iterator(path() + "/disk/results")->path();
    const std::string csv = Run({"report", result, "--format=csv"}).out;
    size_t printed = 0;
    std::istringstream lines(ending.err);
    const std::regex told("^ *([0-9]+)/[0-9]+ .*  (fillseq|overwrite|readseq) +([0-9]+) ops/s.*");
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, told)) continue;
      ++printed;
      const double rate = std::stod(match[3]);
      const std::string name = "," + match[2].str() + ",";
      bool is_kept = false;
      std::istringstream rows(csv);
      for (std::string row; std::getline(rows, row);) {
        if (row.find(name) == std::string::npos) continue;
        std::vector<std::string> fields;
        std::istringstream cells(row);
        for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
        is_kept = is_kept || std::abs(std::stod(fields.at(16)) - rate) <= 1e-3 * rate + 1;
      }
      EXPECT_TRUE(is_kept) << line << "\n" << csv;
    }
    return printed;
  }

 private:
  bool is_mounted_ = false;
};

TEST_F(AFullResultsDisk, loses_no_phase_that_was_printed) {
  const Ending ending = RunAndFill("1");
  EXPECT_EQ(ending.exit_code, 0) << "all that was planned is there: " << ending.err;
  EXPECT_EQ(ExpectPrintedAreKept(ending), 3u) << ending.err;
}

TEST_F(AFullResultsDisk, ends_it_before_a_run_that_there_is_no_room_for) {
  const Ending ending = RunAndFill("3");
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(InOneLine(ending.err),
              AllOf(HasSubstr("results.jsonl: setting"), HasSubstr("No space left on device"),
                    HasSubstr("free some space on that disk")));
  EXPECT_GE(ExpectPrintedAreKept(ending), 3u) << ending.err;
  EXPECT_TRUE(NobodyIsLeft(1));
  const std::string result = fs::directory_iterator(path() + "/disk/results")->path();
  const Ending report = Run({"report", result});
  EXPECT_EQ(report.exit_code, 3);
  EXPECT_THAT(InOneLine(report.out), HasSubstr("1 of 3 rounds; cut off: cannot write"));
}

}  // namespace
}  // namespace levelfield
