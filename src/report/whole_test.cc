#include "report/whole.h"

#include <gtest/gtest.h>

#include <cmath>

namespace levelfield {
namespace {

TEST(Whole, IsTheNearestThat64BitsHold) {
  EXPECT_EQ(Whole(2.75), 2u);
  EXPECT_EQ(Whole(0x1p63), uint64_t{1} << 63);
  EXPECT_EQ(Whole(1e300), UINT64_MAX);
  EXPECT_EQ(Whole(HUGE_VAL), UINT64_MAX);
  EXPECT_EQ(Whole(-1), 0u);
  EXPECT_EQ(Whole(NAN), 0u);
}

}  // namespace
}  // namespace levelfield
