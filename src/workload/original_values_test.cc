#include "workload/original_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "workload/key_sequence.h"

namespace levelfield::original_values_test {

// The check value of the paper, and the seeds that would only repeat themselves.
TEST(ParkMiller, IsTheMinimalStandard) {
  ParkMiller generator(1);
  for (int i = 0; i < 9999; ++i) generator.Next();
  EXPECT_EQ(generator.Next(), 1043618065u);
  EXPECT_EQ(ParkMiller(0).state(), 1u);
  EXPECT_EQ(ParkMiller(2147483647).state(), 1u);
  EXPECT_EQ(ParkMiller(uint64_t{1} << 31).state(), 1u);
  EXPECT_EQ(ParkMiller((uint64_t{1} << 31) + 301).state(), 301u);
}

RC_GTEST_PROP(ParkMiller, SkipsAsIfItHadDrawn, (uint32_t seed)) {
  const auto draws = *rc::gen::inRange<uint64_t>(0, 3000);
  ParkMiller drawn(seed);
  for (uint64_t i = 0; i < draws; ++i) drawn.Next();
  ParkMiller skipped(seed);
  skipped.Skip(draws);
  RC_ASSERT(skipped.state() == drawn.state());
  ParkMiller goes_on(drawn.state());
  RC_ASSERT(goes_on.Next() == drawn.Next());
}

TEST(OriginalValues, AreMadeOfPiecesThatRepeatTheirRandomBytes) {
  const std::string buffer = OriginalValues(0.5).buffer();
  EXPECT_EQ(buffer.size(), 1048600u);
  for (size_t at = 0; at < buffer.size(); at += 100) {
    ASSERT_EQ(buffer.substr(at, 50), buffer.substr(at + 50, 50)) << at;
  }
  EXPECT_NE(buffer.substr(0, 50), buffer.substr(100, 50));
  EXPECT_TRUE(std::ranges::all_of(buffer, [](char c) { return c >= ' ' && c <= '~'; }));
  const std::string of_thirds = OriginalValues(0.33).buffer();
  EXPECT_EQ(of_thirds.substr(0, 33), of_thirds.substr(33, 33));
  EXPECT_EQ(of_thirds[0], of_thirds[99]);
  const std::string of_nothing = OriginalValues(0.001).buffer();
  EXPECT_EQ(of_nothing.substr(0, 100), std::string(100, of_nothing[0])) << "one byte at least";
}

RC_GTEST_PROP(OriginalValues, ASeriesKnowsWhereEveryValueOfItsCursorLies, ()) {
  static const OriginalValues values(0.5);
  const auto size = *rc::gen::weightedOneOf<uint64_t>(
      {{4, rc::gen::inRange<uint64_t>(5000, 400'000)},
       {1, rc::gen::element<uint64_t>(1048575, 1048576, 524300, 524288)}});
  const auto first = *rc::gen::inRange<uint64_t>(0, 1048601);
  const WindowSeries series = values.Series(size, first);
  WindowCursor cursor(values, size, first);
  std::string written(size, '\0');
  for (uint64_t n = 0; n < 500; ++n) {
    const lf_bytes value = cursor.Next();
    RC_ASSERT(value.data == values.buffer().data() + series.OffsetOf(n));
    RC_ASSERT(value.size == size && series.OffsetOf(n) + size <= values.buffer().size());
    if (n % 97 != 0) continue;
    values.Write(n, series.VersionOf(n), size, written.data());
    RC_ASSERT(written == std::string(value.data, value.size));
    // Another writer that continues from here.
    RC_ASSERT(values.Series(size, series.OffsetBehind(n)).OffsetOf(0) == series.OffsetOf(n));
  }
}

}  // namespace levelfield::original_values_test
