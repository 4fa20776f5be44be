#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "result/rounds_for_test.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

std::string FieldOf(const std::string& row, const std::string& name) {
  std::string header = CsvHeader();
  header.pop_back();
  const std::vector<std::string> names = Split(header);
  const auto at = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  const std::vector<std::string> fields = Split(row);
  EXPECT_LT(at, names.size()) << name;
  return at < fields.size() ? fields[at] : "";
}

TEST(PhasesCsv, HasARowForEachWorkloadOfEachRoundWithItsNumbers) {
  Result result;
  result.name = "bench";
  result.runs = {RoundOf("leveldb", 1, 5000, 1200), RoundOf("leveldb", 2, 6000, 1300)};
  const std::string rows = *CsvRowsOf(result, "", Settings());
  EXPECT_EQ(std::ranges::count(rows, '\n'), 2);
  const std::string second = rows.substr(rows.find('\n') + 1);
  EXPECT_EQ(FieldOf(second, "result"), "bench");
  EXPECT_EQ(FieldOf(second, "round"), "2");
  EXPECT_EQ(FieldOf(second, "outcome"), "ok");
  EXPECT_EQ(FieldOf(second, "operations"), "6000");
  EXPECT_EQ(FieldOf(second, "operations_per_second"), "6000");
  EXPECT_EQ(FieldOf(second, "max_ns"), "1300");
}

TEST(PhasesCsv, HasNoNumbersOfWhatFailed) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  result.runs[0].phases[0].outcome = Outcome::kFailed;
  result.runs[0].phases[0].message = "disk full";
  const std::string row = *CsvRowsOf(result, "", Settings());
  EXPECT_EQ(FieldOf(row, "outcome"), "failed");
  EXPECT_EQ(FieldOf(row, "message"), "disk full");
  EXPECT_EQ(FieldOf(row, "operations_per_second"), "");
}

TEST(PhasesCsv, EveryRowHasTheColumnsOfTheHeader) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  EXPECT_EQ(std::ranges::count(*CsvRowsOf(result, "", Settings()), ','),
            std::ranges::count(CsvHeader(), ','));
}

}  // namespace
}  // namespace levelfield
