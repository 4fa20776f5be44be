#include "run/planned_content.h"

#include <gtest/gtest.h>

#include "workload/value_source.h"

namespace levelfield {
namespace {

StoreContent OfValues(uint64_t smallest, bool describes_itself) {
  StoreContent content;
  content.smallest_value = smallest;
  content.largest_value = 100;
  content.describes_itself = describes_itself;
  content.opened = 2;
  return content;
}

TEST(PlannedContent, OfAStoreWithoutPhasesHasNoValues) {
  Alternative alternative;
  alternative.engines.resize(1);
  const Turn turn = {.what = {&alternative, &alternative.engines.front()}, .results = "/results"};
  const StoreContent content = PlannedContent(turn);
  EXPECT_EQ(content.smallest_value, 0u);
  EXPECT_EQ(content.largest_value, 0u);
}

TEST(PlannedContent, LetsValuesBeCheckedOnlyWhereAllOfThemCanNameTheirVersion) {
  constexpr uint64_t kEnough = ValueSource::kHeaderBytes;
  EXPECT_TRUE(OriginOf(OfValues(kEnough, true)).knows_values);
  EXPECT_FALSE(OriginOf(OfValues(kEnough - 1, true)).knows_values);
  EXPECT_FALSE(OriginOf(OfValues(kEnough, false)).knows_values);
}

TEST(PlannedContent, GivesEachOpeningVersionsOfItsOwn) {
  StoreContent content = OfValues(100, true);
  const uint32_t second = OriginOf(content).first_version;
  ++content.opened;
  EXPECT_GT(OriginOf(content).first_version, second + 1'000'000);
}

}  // namespace
}  // namespace levelfield
