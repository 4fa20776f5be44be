#include "base/units.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace levelfield {
namespace {

constexpr std::string_view kWithNul("1\0", 2);

void ExpectRefused(const Status& status, std::string_view accepted, std::string_view text) {
  EXPECT_EQ(status.kind(), ErrorKind::kUsage) << text;
  EXPECT_NE(status.message().find(accepted), std::string::npos)
      << text << " gave: " << status.message();
}

TEST(ParseBytes, UnitsArePowersOf1024) {
  const std::vector<std::pair<std::string, uint64_t>> cases = {
      {"0", 0},
      {"100", 100},
      {"100B", 100},
      {"4k", 4096},
      {"4K", 4096},
      {"1KiB", 1024},
      {"64M", 64 << 20},
      {"1G", 1ull << 30},
      {"1.5G", 3ull << 29},
      {"2T", 2ull << 40},
      {"1P", 1ull << 50},
      {"0.5k", 512},
      {"1e6", 1000000},
      {"16383P", 16383ull << 50},
      {"18446744073709551615", UINT64_MAX}};
  for (const auto& [text, bytes] : cases) {
    const auto parsed = ParseBytes(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status().message();
    EXPECT_EQ(*parsed, bytes) << text;
  }
}

TEST(ParseBytes, RefusesWhatItCannotTakeWhole) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("-1"), std::string_view("64MB"),
        std::string_view("k"), std::string_view("1kk"), std::string_view("1 k"),
        std::string_view(" 1"), std::string_view("0x10"), std::string_view("16384P"),
        std::string_view("18446744073709551616"), std::string_view("1.3"), std::string_view("nan"),
        std::string_view("+1"), std::string_view("1k\n"), kWithNul}) {
    ExpectRefused(ParseBytes(text).status(), "powers of 1024", text);
  }
}

TEST(ParseCount, UnitsArePowersOf1000) {
  const std::vector<std::pair<std::string, uint64_t>> cases = {
      {"10k", 10000},   {"1M", 1000000},
      {"1e6", 1000000}, {"2.5M", 2500000},
      {"1E+3", 1000},   {"1.5e1", 15},
      {"15e-1k", 1500}, {".5k", 500},
      {"0e99", 0},      {"1e19", 10000000000000000000ull},
      {"00012", 12}};
  for (const auto& [text, count] : cases) {
    const auto parsed = ParseCount(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status().message();
    EXPECT_EQ(*parsed, count) << text;
  }
}

TEST(ParseCount, RefusesTrailingJunkOverflowAndFractions) {
  for (const std::string_view text :
       {std::string_view("10k5"), std::string_view(""), std::string_view("-5"),
        std::string_view("1KiB"), std::string_view("1e"), std::string_view("1e+"),
        std::string_view("1e20"), std::string_view("1e999999999999"), std::string_view("1.5"),
        std::string_view("1e-1"), std::string_view("."), std::string_view("inf"),
        std::string_view("99999999999999999999999999"), std::string_view("20000P"), kWithNul}) {
    ExpectRefused(ParseCount(text).status(), "powers of 1000", text);
  }
}

TEST(ParseCount, SaysWhatIsWrongAndNotOnlyWhatIsRight) {
  EXPECT_NE(ParseCount("-1").status().message().find("negative"), std::string::npos);
  EXPECT_NE(ParseCount("1.5").status().message().find("whole"), std::string::npos);
  EXPECT_NE(ParseCount("1e30").status().message().find("18446744073709551615"), std::string::npos);
}

TEST(ParseSeconds, TakesUnitsFromNanosecondsToDays) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"30", 30},    {"30s", 30}, {"5m", 300},    {"500ms", 0.5}, {"1.5h", 5400},
      {"1d", 86400}, {"0", 0},    {"20us", 2e-5}, {"5ns", 5e-9},  {"1e-3", 1e-3}};
  for (const auto& [text, seconds] : cases) {
    const auto parsed = ParseSeconds(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status().message();
    EXPECT_DOUBLE_EQ(*parsed, seconds) << text;
  }
}

TEST(ParseSeconds, RefusesWhatIsNoTime) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("-1s"), std::string_view("nan"),
        std::string_view("inf"), std::string_view("1e400"), std::string_view("2e9"),
        std::string_view("5m3"), std::string_view("5 m"), std::string_view("s"),
        std::string_view("."), std::string_view("5M"), kWithNul}) {
    ExpectRefused(ParseSeconds(text).status(), "500ms", text);
  }
}

TEST(ParseFlag, TakesTheFourWaysToSayYesAndNo) {
  for (const char* text : {"1", "true", "yes", "on", "YES", "True"}) {
    ASSERT_TRUE(ParseFlag(text).ok()) << text;
    EXPECT_TRUE(*ParseFlag(text)) << text;
  }
  for (const char* text : {"0", "false", "no", "off", "Off"}) {
    ASSERT_TRUE(ParseFlag(text).ok()) << text;
    EXPECT_FALSE(*ParseFlag(text)) << text;
  }
  for (const std::string_view text : {std::string_view(""), std::string_view("2"),
                                      std::string_view("y"), std::string_view("yes "), kWithNul}) {
    ExpectRefused(ParseFlag(text).status(), "yes", text);
  }
}

}  // namespace
}  // namespace levelfield
