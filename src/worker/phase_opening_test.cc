#include "worker/phase_opening.h"

#include <gtest/gtest.h>

namespace levelfield::phase_opening_test {

TEST(PhaseOpening, KnowsWhatTheOperatorPutMakesOfMergesAndNoOther) {
  EXPECT_TRUE(MergesAsPuts({}));
  EXPECT_TRUE(MergesAsPuts({{"block_size", "4096"}, {"merge_operator", "put"}}));
  EXPECT_FALSE(MergesAsPuts({{"block_size", "4096"}, {"merge_operator", "uint64add"}}));
}

}  // namespace levelfield::phase_opening_test
