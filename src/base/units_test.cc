#include "base/units.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/matchers_for_test.h"

namespace levelfield::units_test {

constexpr std::string_view kWithNul("1\0", 2);
using Texts = std::initializer_list<std::string_view>;

void ExpectRefused(const Status& status, std::string_view accepted, std::string_view text) {
  EXPECT_EQ(status.kind(), ErrorKind::kUsage) << text;
  EXPECT_NE(status.message().find(accepted), std::string::npos)
      << text << " gave: " << status.message();
}

template <class Number>
void ExpectNumbers(StatusOr<Number> (*parse)(std::string_view),
                   const std::vector<std::pair<std::string, Number>>& cases) {
  for (const auto& [text, number] : cases) {
    const auto parsed = parse(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status().message();
    if constexpr (std::is_integral_v<Number>) {
      EXPECT_EQ(*parsed, number) << text;
    } else {
      EXPECT_DOUBLE_EQ(*parsed, number) << text;
    }
  }
}

TEST(ParseBytes, UnitsArePowersOf1024) {
  ExpectNumbers<uint64_t>(ParseBytes, {{"0", 0},
                                       {"100", 100},
                                       {"100B", 100},
                                       {"4k", 4096},
                                       {"4K", 4096},
                                       {"1KiB", 1024},
                                       {"2mib", 2 << 20},
                                       {"64M", 64 << 20},
                                       {"1G", 1ull << 30},
                                       {"1.5G", 3ull << 29},
                                       {"2T", 2ull << 40},
                                       {"1P", 1ull << 50},
                                       {"0.5k", 512},
                                       {"1e6", 1000000},
                                       {"16383P", 16383ull << 50},
                                       {"18446744073709551615", UINT64_MAX}});
}

TEST(ParseBytes, RefusesWhatMeansThousandsToSome) {
  for (const std::string_view text : Texts{"1KB", "1kb", "64MB"}) {
    EXPECT_THAT(ParseBytes(text).status().message(), HasSubstr("may mean 1000 or 1024")) << text;
  }
  EXPECT_THAT(ParseBytes("64MB").status().message(), HasSubstr("say M or MiB"));
}

TEST(ParseBytes, RefusesWhatItCannotTakeWhole) {
  for (const std::string_view text :
       Texts{"", "-1", "64MX", "64MBB", "64iB", "64Mi", "k", "1kk", "1 k", " 1", "0x10", "16384P", "18446744073709551616",
             "1.3", "nan", "+1", "1k\n", kWithNul}) {
    ExpectRefused(ParseBytes(text).status(), "powers of 1024", text);
  }
}

TEST(ParseCount, UnitsArePowersOf1000) {
  ExpectNumbers<uint64_t>(ParseCount, {{"10k", 10000},
                                       {"1M", 1000000},
                                       {"1e6", 1000000},
                                       {"2.5M", 2500000},
                                       {"1E+3", 1000},
                                       {"1.5e1", 15},
                                       {"15e-1k", 1500},
                                       {".5k", 500},
                                       {"0e99", 0},
                                       {"1e19", 10000000000000000000ull},
                                       {"00012", 12}});
}

TEST(ParseCount, RefusesTrailingJunkOverflowAndFractions) {
  for (const std::string_view text :
       Texts{"10k5", "", "-5", "1KiB", "1e", "1e+", "1e20", "1e999999999999", "1.5", "1e-1", ".",
             "inf", "99999999999999999999999999", "20000P", kWithNul}) {
    ExpectRefused(ParseCount(text).status(), "powers of 1000", text);
  }
}

TEST(ParseCount, SaysWhatIsWrongAndNotOnlyWhatIsRight) {
  EXPECT_NE(ParseCount("-1").status().message().find("negative"), std::string::npos);
  EXPECT_NE(ParseCount("1.5").status().message().find("whole"), std::string::npos);
  EXPECT_NE(ParseCount("1e30").status().message().find("18446744073709551615"), std::string::npos);
}

TEST(ParseSeconds, TakesUnitsFromNanosecondsToDays) {
  ExpectNumbers<double>(ParseSeconds, {{"30", 30},
                                       {"30s", 30},
                                       {"5m", 300},
                                       {"500ms", 0.5},
                                       {"1.5h", 5400},
                                       {"1d", 86400},
                                       {"0", 0},
                                       {"20us", 2e-5},
                                       {"5ns", 5e-9},
                                       {"1e-3", 1e-3}});
}

TEST(ParseSeconds, RefusesWhatIsNoTime) {
  for (const std::string_view text :
       Texts{"", "-1s", "nan", "inf", "1e400", "2e9", "5m3", "5 m", "s", ".", "5M", kWithNul}) {
    ExpectRefused(ParseSeconds(text).status(), "500ms", text);
  }
}

TEST(ParseFlag, TakesTheWaysToSayYesAndNoThoseOfGflagsToo) {
  for (const char* text : {"1", "true", "yes", "on", "YES", "True", "t", "T", "y", "Y"}) {
    ASSERT_TRUE(ParseFlag(text).ok()) << text;
    EXPECT_TRUE(*ParseFlag(text)) << text;
  }
  for (const char* text : {"0", "false", "no", "off", "Off", "f", "F", "n", "N"}) {
    ASSERT_TRUE(ParseFlag(text).ok()) << text;
    EXPECT_FALSE(*ParseFlag(text)) << text;
  }
  for (const std::string_view text : Texts{"", "2", "ye", "yes ", "tr", kWithNul}) {
    ExpectRefused(ParseFlag(text).status(), "yes", text);
  }
}

TEST(TypedBytes, UsesTheLargestUnitThatDividesThem) {
  for (const char* text : {"0", "1000", "1k", "3M", "1025k", "2G", "1T"}) {
    EXPECT_EQ(TypedBytes(*ParseBytes(text)), text);
  }
}

}  // namespace levelfield::units_test
