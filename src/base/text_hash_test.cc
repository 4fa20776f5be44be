#include "base/text_hash.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

// The vectors of the function's authors (draft-eastlake-fnv).
TEST(TextHash, IsFnv1a) {
  EXPECT_EQ(TextHash(""), "cbf29ce484222325");
  EXPECT_EQ(TextHash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(TextHash("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace levelfield
