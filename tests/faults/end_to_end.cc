#include "end_to_end.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "analysis/result_files.h"

namespace levelfield {

EndToEnd::EndToEnd() {
  char name[] = "/tmp/levelfield_end_to_end_XXXXXX";
  directory_ = mkdtemp(name);
  marker_ = "LEVELFIELD_TEST_MARKER=" + directory_;
  fs::create_directory(directory_ + "/engines");
  for (const char* const from : {LEVELFIELD_ENGINE_DIRECTORY, LEVELFIELD_TEST_ENGINE_DIRECTORY}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
      fs::create_symlink(entry.path(), directory_ + "/engines/" + entry.path().filename().string());
    }
  }
  options_.directory = directory_;
  options_.environment["LEVELFIELD_ENGINES"] = directory_ + "/engines";
  options_.environment["LEVELFIELD_TEST_MARKER"] = directory_;
}

EndToEnd::~EndToEnd() {
  EXPECT_TRUE(NobodyIsLeft(1)) << "a process of this test is still there";
  for (const pid_t pid : ProcessesWith(marker_)) kill(pid, SIGKILL);
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

std::unique_ptr<LevelfieldProcess> EndToEnd::Start(const std::vector<std::string>& words) {
  return std::make_unique<LevelfieldProcess>(words, options_);
}

Ending EndToEnd::Run(const std::vector<std::string>& words) { return Start(words)->Finish(); }

std::string EndToEnd::ResultPath() const {
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_ + "/results")) {
    paths.push_back(entry.path().string());
  }
  EXPECT_EQ(paths.size(), 1u);
  return paths.empty() ? "" : paths.front();
}

Result EndToEnd::ReadResult() const {
  const StatusOr<Result> result = ReadResultDirectory(ResultPath());
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : Result();
}

const RunResult& EndToEnd::RunOf(const Result& result, const std::string& engine) {
  static const RunResult kNone;
  const auto it = std::ranges::find(result.runs, engine, &RunResult::engine);
  EXPECT_NE(it, result.runs.end()) << "no run of " << engine;
  return it == result.runs.end() ? kNone : *it;
}

const PhaseResult& EndToEnd::PhaseOf(const RunResult& run, const std::string& workload) {
  static const PhaseResult kNone;
  const auto it = std::ranges::find(run.phases, workload, &PhaseResult::workload);
  EXPECT_NE(it, run.phases.end()) << "no " << workload << " of " << run.engine;
  return it == run.phases.end() ? kNone : *it;
}

void EndToEnd::WriteFile(const std::string& name, const std::string& text) const {
  std::ofstream(directory_ + "/" + name, std::ios::binary) << text;
}

std::string EndToEnd::ReadFile(const std::string& name) const {
  std::ifstream file(directory_ + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> EndToEnd::Listing() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory_)) {
    const std::string name = entry.path().lexically_relative(directory_).string();
    if (!name.starts_with("engines")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

bool EndToEnd::NobodyIsLeft(double seconds) const {
  for (int tenths = 0;; ++tenths) {
    if (ProcessesWith(marker_).empty()) return true;
    if (tenths >= seconds * 10) return false;
    usleep(100'000);
  }
}

std::string InOneLine(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::vector<std::string> CellsOf(const std::string& tables, const std::string& title) {
  std::istringstream lines(tables);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first != title) continue;
    return {std::istream_iterator<std::string>(words), {}};
  }
  ADD_FAILURE() << "no row " << title << " in\n" << tables;
  return {};
}

}  // namespace levelfield
