// What every end-to-end test has: a directory of its own to run in, the engines of the build and
// the misbehaving one beside them, and the certainty that no process of it is left when it ends.
#ifndef LEVELFIELD_TESTS_FAULTS_END_TO_END_H_
#define LEVELFIELD_TESTS_FAULTS_END_TO_END_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "levelfield_process.h"
#include "result/result.h"

namespace levelfield {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class EndToEnd : public ::testing::Test {
 protected:
  EndToEnd();
  ~EndToEnd() override;

  // Runs the program to its end.
  Ending Run(const std::vector<std::string>& words);
  std::unique_ptr<LevelfieldProcess> Start(const std::vector<std::string>& words);

  // The one result directory that is in results/, and what is in it.
  std::string ResultPath() const;
  Result ReadResult() const;
  static const RunResult& RunOf(const Result& result, const std::string& engine);
  static const PhaseResult& PhaseOf(const RunResult& run, const std::string& workload);

  void WriteFile(const std::string& name, const std::string& text) const;
  std::string ReadFile(const std::string& name) const;
  // Every path below the directory, sorted, but what the test itself has put there.
  std::vector<std::string> Listing() const;
  // No process of this test is alive, or is not any more after so many seconds.
  bool NobodyIsLeft(double seconds) const;

  std::string path() const { return directory_; }

  ProcessOptions options_;

 private:
  std::string directory_;
  std::string marker_;
};

// A text without its line breaks, which the width of a terminal has put anywhere.
std::string InOneLine(const std::string& text);

// The part of a table's row behind its title: its cells.
std::vector<std::string> CellsOf(const std::string& tables, const std::string& title);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_FAULTS_END_TO_END_H_
