#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WordList, HasNoBlanksAroundItsWordsAndNoEmptyOnes) {
  EXPECT_THAT(Split(" a ,,b c,\t", ','), ElementsAre("a", "b c"));
  EXPECT_THAT(Split(" , ", ','), IsEmpty());
}

TEST(WordList, IsJoinedAsItWasSplit) { EXPECT_EQ(Joined(Split("a, b", ',')), "a,b"); }

}  // namespace
}  // namespace levelfield
