#include "operations/cache_values.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

TEST(PayloadValue, KnowsItsKeyByBothEnds) {
  for (const size_t bytes : {8u, 10u, 16u, 100u, 8192u}) {
    CacheBenchSettings settings;
    settings.value_bytes = bytes;
    settings.compressible_to_ratio = 0.5;
    PayloadValue values(settings, 1);
    char* const value = static_cast<char*>(values.Make(5));
    EXPECT_TRUE(values.IsOf(value, 5)) << bytes;
    EXPECT_FALSE(values.IsOf(value, 6)) << bytes;
    value[bytes >= 16 ? bytes - 1 : 7] ^= 1;
    EXPECT_FALSE(values.IsOf(value, 5)) << bytes;
    PayloadValue::Discard(value);
  }
}

}  // namespace
}  // namespace levelfield
