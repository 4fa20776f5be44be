#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Base64, IsThatOfTheStandardsVectors) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, HasTheDigitsOfBytesBeyondAscii) { EXPECT_EQ(Base64("\xfb\xff\xbf"), "+/+/"); }

TEST(TextHash, IsFnv1a) {
  EXPECT_EQ(TextHash(""), "cbf29ce484222325");
  EXPECT_EQ(TextHash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(TextHash("foobar"), "85944171f73967e8");
}

TEST(WordList, HasNoBlanksAroundItsWordsAndNoEmptyOnes) {
  EXPECT_THAT(Split(" a ,,b c,\t", ','), ElementsAre("a", "b c"));
  EXPECT_THAT(Split(" , ", ','), IsEmpty());
}

TEST(WordList, IsJoinedAsItWasSplit) { EXPECT_EQ(Joined(Split("a, b", ',')), "a,b"); }

}  // namespace
}  // namespace levelfield
