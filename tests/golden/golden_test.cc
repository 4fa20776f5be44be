// The reports of fixed results, byte for byte as somebody has approved them. After a change that is
// wanted, UPDATE_GOLDEN=1 rewrites the approved texts; the difference is then for git and its
// reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/result_files.h"
#include "report/comparison_report.h"
#include "report/db_bench/db_bench_text.h"
#include "report/first_screen.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(GOLDEN_DIRECTORY)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// With the comparison of its engines, where it has rounds of several.
Report WholeReport(const Result& result) {
  const auto comparisons = CompareWithin(result, "", {});
  Report report = ResultReport(result);
  if (comparisons.ok()) report.Append(ComparisonReport(*comparisons, 0.02));
  AddDetails(result, report);
  return report;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, TablesAreAsApproved) {
  const std::string directory = GOLDEN_DIRECTORY "/" + GetParam();
  const StatusOr<Result> result = ReadResultDirectory(directory);
  ASSERT_TRUE(result.ok()) << result.status().message();
  const Report tables = ResultReport(*result);
  std::vector<std::pair<std::string, std::string>> texts = {
      {"tables_120", WriteTerminal(tables, 120)},
      {"tables_80", WriteTerminal(tables, 80)},
      {"screen_100", WriteTerminal(ScreenReport(*result, {}, "results/golden"), 100)},
      {"screen_80", WriteTerminal(ScreenReport(*result, {}, "results/golden"), 80)},
      {"db_bench", RenderDbBench(*result)}};
  for (const ReportFormat& format : kReportFormats) {
    if (format.report == nullptr || format.report == WriteTerminal) continue;
    texts.emplace_back(format.name, format.report(WholeReport(*result), 120));
  }
  for (const auto& [name, text] : texts) {
    const std::string path = directory + "/" + name + ".txt";
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << text;
      continue;
    }
    std::ifstream file(path, std::ios::binary);
    EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {})) << path;
  }
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    EXPECT_NE(end, std::string::npos) << "the last line has no end";
    if (end == std::string::npos) break;
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

void ExpectNothingMovesTheCursor(const std::string& line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    EXPECT_TRUE(byte >= 0x20 && byte != 0x7f) << line;
    const bool is_c1 = byte == 0xc2 && static_cast<unsigned char>(line[i + 1]) < 0xa0;
    EXPECT_FALSE(is_c1) << line;
  }
}

TEST_P(Golden, NoTableMovesTheCursorOrIsWiderThanWasAsked) {
  const StatusOr<Result> result = ReadResultDirectory(GOLDEN_DIRECTORY "/" + GetParam());
  ASSERT_TRUE(result.ok()) << result.status().message();
  for (const size_t columns : {size_t{120}, size_t{80}, size_t{60}}) {
    for (const std::string& line :
         Lines(WriteTerminal(ResultReport(*result), columns) +
               WriteTerminal(ScreenReport(*result, {}, "results/golden"), columns))) {
      ExpectNothingMovesTheCursor(line);
      // Names of somebody else's choosing may be wider than any terminal.
      if (GetParam() != "hostile") {
        EXPECT_LE(line.size(), columns) << line;
      }
      EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
    }
  }
}

TEST_P(Golden, NoLineOfDbBenchMovesTheCursor) {
  const StatusOr<Result> result = ReadResultDirectory(GOLDEN_DIRECTORY "/" + GetParam());
  ASSERT_TRUE(result.ok()) << result.status().message();
  for (const std::string& line : Lines(RenderDbBench(*result))) ExpectNothingMovesTheCursor(line);
}

INSTANTIATE_TEST_SUITE_P(All, Golden, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace levelfield
