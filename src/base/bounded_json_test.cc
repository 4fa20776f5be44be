#include "base/bounded_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace levelfield {
namespace {

std::string Nested(int levels) {
  return std::string(static_cast<size_t>(levels), '[') +
         std::string(static_cast<size_t>(levels), ']');
}

std::string WithMembers(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += fmt::format("{}\"m{}\":0", i == 0 ? "" : ",", i);
  return text + "}";
}

TEST(BoundedJson, TakesThirtyTwoLevelsAndNotOneMore) {
  EXPECT_TRUE(ParseBoundedJson(Nested(32)).ok());
  EXPECT_EQ(ParseBoundedJson(Nested(34)).status().message(), "nested deeper than 32 levels");
  EXPECT_FALSE(ParseBoundedJson(Nested(5'000'000)).ok());
}

TEST(BoundedJson, TakesAThousandAndTwentyFourMembersAndNotOneMore) {
  EXPECT_TRUE(ParseBoundedJson(WithMembers(1024)).ok());
  EXPECT_TRUE(ParseBoundedJson("[" + WithMembers(1024) + "," + WithMembers(1024) + "]").ok());
  EXPECT_EQ(ParseBoundedJson(WithMembers(1025)).status().message(),
            "an object with more than 1024 members");
}

TEST(BoundedJson, SaysWhereATextIsNoJson) {
  for (const std::string text : {"", "{", "nul", "{\"a\":1}}", "[1e999]", "\"\xff\"", "NaN"}) {
    const StatusOr<nlohmann::ordered_json> json = ParseBoundedJson(text);
    ASSERT_FALSE(json.ok()) << text;
    EXPECT_NE(json.status().message(), "") << text;
  }
}

}  // namespace
}  // namespace levelfield
