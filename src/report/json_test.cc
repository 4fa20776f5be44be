// What a format with a row only needs besides: that its text is what it claims to be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/model.h"
#include "settings/report_formats.h"

namespace levelfield::json_test {

nlohmann::json Blocks(const Report& report) {
  const std::string text = WriteJson(report, 0);
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "a report is one line";
  return nlohmann::json::parse(text);
}

TEST(JsonReport, HasEachFigureAsANumberWithItsUnitAndInterval) {
  Cell rate = RateCell(1234567);
  rate.interval = {1e6, 1.5e6};
  Report report;
  report.Add(Table{.title = "reads, ops/s",
                   .columns = {{"leveldb"}, {"lmdb"}},
                   .rows = {{"readrandom", {rate, "unsupported[1]"}}}});
  const auto cells = Blocks(report).at(0).at("rows").at(0).at("cells");
  EXPECT_EQ(cells[0], nlohmann::json({{"text", "1.23 M"},
                                      {"unit", "per_second"},
                                      {"value", 1234567},
                                      {"low", 1e6},
                                      {"high", 1.5e6}}));
  EXPECT_EQ(cells[1], nlohmann::json({{"text", "unsupported[1]"}}));
}

TEST(JsonReport, NamesTheWorkloadAndTheFigureOfARowWithoutItsMarks) {
  Report report;
  report.Add(
      Table{.title = "reads, ops/s",
            .rows = {{.title = "readseq?", .workload = "readseq", .figure = "rate"}, {"answers"}}});
  const nlohmann::json rows = Blocks(report).at(0).at("rows");
  EXPECT_EQ(rows.at(0).at("workload"), "readseq");
  EXPECT_EQ(rows.at(0).at("figure"), "rate");
  EXPECT_FALSE(rows.at(1).contains("figure"));
}

TEST(JsonReport, HasAllThatPeopleReadInTheirOrderAndNoGaps) {
  Report report;
  report.Add(Heading{"bench", "2026"});
  report.Add(Gap{});
  report.AddNote("[1] lmdb: \x1b and \xff");
  report.Add(Verbatim{"stats", "a\nb\n"});
  const nlohmann::json blocks = Blocks(report);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].at("heading"), "bench");
  EXPECT_TRUE(blocks[1].contains("text"));
  EXPECT_EQ(blocks[2].at("lines"), "a\nb\n");
}

TEST(JsonReport, HasTheFieldsOfAComparisonBesideItsCells) {
  const ComparedFigure whole{.workload = "get",
                             .figure = "CPU/op",
                             .baseline = "a",
                             .candidate = "b",
                             .verdict = "slower",
                             .ratio = {.ratio = 0.5, .interval = Interval{0.4, 0.6}},
                             .rounds = 6,
                             .in_slices = true,
                             .noise = 0.18};
  ComparedFigure none = whole;
  none.verdict = "invalid";
  none.reason = "b: disk full";
  none.ratio = {};
  Report report;
  report.Add(Table{.title = "b against a",
                   .rows = {{"CPU/op", {"slower"}, true, "", whole}, {"put", {}, false, "", none}},
                   .margin = 0.02});
  const nlohmann::json table = Blocks(report).at(0);
  EXPECT_EQ(table.at("margin"), 0.02);
  EXPECT_EQ(table.at("rows").at(0), nlohmann::json({{"title", "CPU/op"},
                                                    {"is_detail", true},
                                                    {"cells", {{{"text", "slower"}}}},
                                                    {"workload", "get"},
                                                    {"figure", "CPU/op"},
                                                    {"baseline", "a"},
                                                    {"candidate", "b"},
                                                    {"verdict", "slower"},
                                                    {"ratio", 0.5},
                                                    {"low", 0.4},
                                                    {"high", 0.6},
                                                    {"rounds", 6},
                                                    {"in_slices", true},
                                                    {"is_disturbed", false},
                                                    {"noise", 0.18}}));
  EXPECT_EQ(table.at("rows").at(1).at("reason"), "b: disk full");
  EXPECT_FALSE(table.at("rows").at(1).contains("ratio"));
}

}  // namespace levelfield::json_test
