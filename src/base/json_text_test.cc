#include "base/json_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace levelfield::json_text_test {

using Json = nlohmann::ordered_json;

std::string ReadBack(const std::string& bytes) {
  const StatusOr<Json> json = ParseBoundedJson(JsonText(Json(bytes)));
  return json.ok() ? json->get<std::string>() : json.status().message();
}

TEST(JsonText, LeavesWhatIsUtf8AsItIs) {
  EXPECT_EQ(JsonText(Json{{"größe", "\U0001f600\n"}}), "{\"größe\":\"\U0001f600\\n\"}");
  EXPECT_EQ(JsonText(Json{{"b", 1}, {"a", {1.5, true, nullptr}}}, 1),
            "{\n \"b\": 1,\n \"a\": [\n  1.5,\n  true,\n  null\n ]\n}");
  EXPECT_EQ(JsonText(nlohmann::json{{"b", 1}, {"a", "\u00fc"}}, -1, Letters::kAscii),
            R"({"a":"\u00fc","b":1})");
}

TEST(JsonText, WritesAByteThatIsNoUtf8AsACharacterOfItsOwn) {
  EXPECT_EQ(JsonText(Json("d\xfc/r")), "\"d\ueffc/r\"");
  EXPECT_EQ(JsonText(Json("d\xfc/r"), -1, Letters::kAscii), R"("d\ueffc/r")");
  EXPECT_EQ(JsonText(Json{{"\x80", Json::array({"\xff"})}}), "{\"\uef80\":[\"\uefff\"]}");
}

TEST(JsonText, TellsItsOwnCharactersInATextFromBytes) {
  EXPECT_EQ(JsonText(Json("\uef80")), "\"\uefee\uefbe\uef80\"");
  EXPECT_EQ(ReadBack("\uef80"), "\uef80");
  EXPECT_EQ(ReadBack("\uefff\xff\uef7f\uf000"), "\uefff\xff\uef7f\uf000");
}

TEST(JsonText, EveryByteAndEveryPairOfBytesReadsBack) {
  for (int first = 0; first < 256; ++first) {
    ASSERT_EQ(ReadBack(std::string(1, static_cast<char>(first))),
              std::string(1, static_cast<char>(first)));
    for (int second = 0; second < 256; ++second) {
      const std::string pair = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(ReadBack(pair), pair) << first << " " << second;
    }
  }
}

RC_GTEST_PROP(JsonText, AnyBytesReadBackInAnyPlace,
              (const std::vector<std::string>& texts, const std::string& name)) {
  Json json = {{"texts", texts}, {"count", 17}};
  json[name] = {{name + "\xed\xa0\x80", texts.empty() ? "" : texts.front()}};
  for (const Letters letters : {Letters::kUtf8, Letters::kAscii}) {
    const StatusOr<Json> back = ParseBoundedJson(JsonText(json, 1, letters));
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == json);
  }
}

// As file names are made: characters of all lengths, bytes of none, and characters that stand for
// bytes, in any order.
RC_GTEST_PROP(JsonText, TextsOfCharactersAndBytesReadBack, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "\n", "\"", "ü", "\u20ac", "\U0001f600", "\uef80", "\uefff", "\xee", "\xbe", "\x80",
      "\xff", "\xf0\x9f", "\xed\xa0\x80"));
  std::string bytes;
  for (const std::string& part : parts) bytes += part;
  RC_ASSERT(ReadBack(bytes) == bytes);
  RC_ASSERT(BytesOfUtf8(Utf8OfBytes(bytes)) == bytes);
}

TEST(BytesOfUtf8, LeavesTextsThatNobodyEscapedAlone) {
  EXPECT_EQ(BytesOfUtf8("größe \U0001f600 \uef7f\uf000"), "größe \U0001f600 \uef7f\uf000");
}

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

}  // namespace levelfield::json_text_test
