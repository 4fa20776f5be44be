#include <gtest/gtest.h>

#include "base/text.h"

namespace levelfield {
namespace {

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

}  // namespace
}  // namespace levelfield
