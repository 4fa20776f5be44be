// A report needs memory for the figures of all phases and for the whole of one of them at a time.
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "end_to_end.h"

namespace levelfield {
namespace {

class ManyPhases : public EndToEnd {
 protected:
  // The lines of a real result, repeated as further rounds of it until there are so many phases.
  void MakeRounds(size_t phases) {
    MakeLines([&](const std::vector<std::string>& real, std::ofstream& file) {
      for (uint64_t copy = 0, written = 0; written < phases; ++copy) {
        for (const std::string& line : real) {
          const uint64_t run = NumberIn(line, "run");
          file << With(With(line, "run", run + copy * kRuns), "round",
                       NumberIn(line, "round") + copy * kRounds)
               << '\n';
          written += line.starts_with("{\"type\":\"phase\"") ? 1 : 0;
        }
      }
    });
  }

  // Those of its first run, repeated as further workloads of that one.
  void MakeWorkloads(size_t phases) {
    MakeLines([&](const std::vector<std::string>& real, std::ofstream& file) {
      for (uint64_t copy = 0, written = 0; written < phases; ++copy) {
        for (const std::string& line : real) {
          if (!line.starts_with("{\"type\":\"phase\"") || NumberIn(line, "run") != 0) continue;
          const size_t name = line.find("\"workload\":\"") + 12;
          file << line.substr(0, name) << "copy" << copy << '_' << line.substr(name) << '\n';
          ++written;
        }
      }
      for (const std::string& line : real) {
        const bool is_run = line.starts_with("{\"type\":\"run\"");
        if (is_run && NumberIn(line, "run") == 0) file << line << '\n';
      }
    });
  }

  static inline const std::vector<std::vector<std::string>> kReports = {
      {"report", "many"},
      {"report", "many", "--format=csv"},
      {"report", "many", "--format=markdown"},
      {"report", "many", "--format=tsv"},
      {"report", "many", "--format=google_benchmark"},
      {"diagnose", "many"}};
  // Its text has a histogram for each, the longer the more the latencies differ: how much memory
  // that is, is the machine's doing.
  static inline const std::vector<std::vector<std::string>> kOfLongText = {
      {"report", "many", "--format=db_bench"}};
  // The page has as much for a workload as for all its rounds.
  static inline const std::vector<std::vector<std::string>> kOfRounds = {
      {"compare", "many"}, {"history", "."}, {"report", "many", "--format=html"}};

  void ExpectAtMost(uint64_t bytes, const std::vector<std::vector<std::string>>& verbs) {
    for (const std::vector<std::string>& words : verbs) {
      options_.shell = "\"$@\" >reported.txt";
      const Ending ending = Run(words);
      SCOPED_TRACE(words.front() + (words.size() > 2 ? words.back() : ""));
      EXPECT_NE(ending.exit_code, -1) << ending.signal;
      EXPECT_GT(fs::file_size(path() + "/reported.txt"), 0u) << ending.err;
      RecordProperty(words.front() + (words.size() > 2 ? words.back() : ""),
                     std::to_string(ending.most_rss_bytes >> 20) + " MiB");
      // Under a sanitizer it is that one's own memory, of which nothing is expected.
      if (!LEVELFIELD_SANITIZED) {
        EXPECT_LT(ending.most_rss_bytes, bytes);
      }
    }
    options_.shell.clear();
  }

 private:
  static constexpr uint64_t kRuns = 4;
  static constexpr uint64_t kRounds = 2;

  static size_t PlaceOf(const std::string& line, const std::string& member) {
    const size_t at = line.find("\"" + member + "\":");
    EXPECT_NE(at, std::string::npos) << member << ": " << line;
    return at + member.size() + 3;
  }
  static uint64_t NumberIn(const std::string& line, const std::string& member) {
    return std::stoull(line.substr(PlaceOf(line, member)));
  }
  static std::string With(const std::string& line, const std::string& member, uint64_t number) {
    const size_t at = PlaceOf(line, member);
    return line.substr(0, at) + std::to_string(number) +
           line.substr(line.find_first_not_of("0123456789", at));
  }

  void MakeLines(
      const std::function<void(const std::vector<std::string>&, std::ofstream&)>& write) {
    ASSERT_EQ(Run({"run", "--engine=leveldb,lmdb", "--num=1000", "--price=0", "--repeat=2",
                   "--benchmarks=fillrandom,readrandom,overwrite,readwhilewriting,seekrandom"})
                  .exit_code,
              0);
    const std::string name = "results/" + fs::path(ResultPath()).filename().string();
    std::vector<std::string> real;
    std::istringstream lines(ReadFile(name + "/results.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const bool is_wanted =
          line.starts_with("{\"type\":\"phase\"") || line.starts_with("{\"type\":\"run\"");
      const size_t seal = line.rfind(",\"crc32\"");
      ASSERT_NE(seal, std::string::npos);
      if (is_wanted) real.push_back(line.substr(0, seal) + "}");
    }
    fs::create_directory(path() + "/many");
    fs::copy_file(path() + "/" + name + "/manifest.json", path() + "/many/manifest.json");
    std::ofstream file(path() + "/many/results.jsonl");
    write(real, file);
    fs::remove_all(path() + "/results");
  }
};

// What the program itself takes, and for each phase.
constexpr uint64_t kBase = 40'000'000;
constexpr uint64_t kOfAll = 260'000'000;

// A tenth of what the nightly list has.
TEST_F(ManyPhases, of_a_thousand_rounds_are_reported_in_little_memory) {
  MakeRounds(6'000);
  ExpectAtMost(kBase + kOfAll / 10, kReports);
  ExpectAtMost(kBase + kOfAll / 10, kOfLongText);
  ExpectAtMost(kBase + kOfAll / 10, kOfRounds);
}

TEST_F(ManyPhases, of_one_run_are_reported_in_little_memory) {
  MakeWorkloads(6'000);
  ExpectAtMost(kBase + kOfAll / 10, kReports);
  ExpectAtMost(kBase + kOfAll / 10, kOfLongText);
}

TEST_F(ManyPhases, sixty_thousand_of_rounds_are_reported_in_300_MB) {
  MakeRounds(60'000);
  ExpectAtMost(kBase + kOfAll, kReports);
  ExpectAtMost(kBase + kOfAll, kOfRounds);
}

TEST_F(ManyPhases, sixty_thousand_of_one_run_are_reported_in_300_MB) {
  MakeWorkloads(60'000);
  ExpectAtMost(kBase + kOfAll, kReports);
}

}  // namespace
}  // namespace levelfield
