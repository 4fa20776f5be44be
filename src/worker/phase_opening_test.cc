#include "worker/phase_opening.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

TEST(PhaseOpening, KnowsWhatTheOperatorPutMakesOfMergesAndNoOther) {
  EXPECT_TRUE(MergesAsPuts({}));
  EXPECT_TRUE(MergesAsPuts({{"block_size", "4096"}, {"merge_operator", "put"}}));
  EXPECT_FALSE(MergesAsPuts({{"block_size", "4096"}, {"merge_operator", "uint64add"}}));
}

}  // namespace
}  // namespace levelfield
