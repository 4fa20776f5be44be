#include "driver/space_recorder.h"

#include <algorithm>

#include "base/matchers_for_test.h"

namespace levelfield::space_recorder_test {

constexpr uint64_t kMs = 1'000'000;

TEST(SpaceRecorder, KeepsWhatIsSeenWhileThreadsRunAndNothingElse) {
  SpaceRecorder recorder;
  recorder.BeginStage(Stage::kOpen, 1000 * kMs);
  recorder.Add(1500 * kMs, 1);
  recorder.BeginStage(Stage::kRun, 2000 * kMs);
  recorder.Add(2100 * kMs, 2);
  recorder.BeginStage(Stage::kProbe, 2200 * kMs);
  recorder.BeginStage(Stage::kRun, 3000 * kMs);
  recorder.Add(3700 * kMs, 4096);
  recorder.Add(4701 * kMs, 8192);
  recorder.BeginStage(Stage::kSettle, 5000 * kMs);
  recorder.Add(5702 * kMs, 3);
  recorder.BeginStage(Stage::kRun, 6000 * kMs);  // Another step.
  recorder.Add(6703 * kMs, 4);
  const SpaceSeries series = recorder.Take();
  EXPECT_THAT(series.at_ms, ElementsAre(700, 1701));
  EXPECT_THAT(series.allocated_bytes, ElementsAre(4096, 8192));

  recorder.Add(7000 * kMs, 5);
  recorder.BeginStage(Stage::kRun, 8000 * kMs);
  recorder.Add(8900 * kMs, 6);
  EXPECT_THAT(recorder.Take().at_ms, ElementsAre(900));
  EXPECT_THAT(recorder.Take().at_ms, IsEmpty());
}

TEST(SpaceRecorder, OfALongPhaseKeepsLooksFartherApart) {
  SpaceRecorder recorder;
  recorder.BeginStage(Stage::kRun, 0);
  const uint64_t seconds = 5 * SpaceRecorder::kMostLooks;
  for (uint64_t s = 1; s <= seconds; ++s) recorder.Add(s * 1000 * kMs, s);
  const SpaceSeries series = recorder.Take();
  ASSERT_EQ(series.at_ms.size(), series.allocated_bytes.size());
  EXPECT_LT(series.at_ms.size(), SpaceRecorder::kMostLooks);
  EXPECT_GT(series.at_ms.size(), SpaceRecorder::kMostLooks / 2);
  uint64_t least_ms = UINT64_MAX;
  uint64_t greatest_ms = 0;
  for (size_t i = 0; i < series.at_ms.size(); ++i) {
    EXPECT_EQ(series.at_ms[i], 1000 * series.allocated_bytes[i]);
    if (i == 0) continue;
    const uint64_t apart_ms = series.at_ms[i] - series.at_ms[i - 1];
    least_ms = std::min(least_ms, apart_ms);
    greatest_ms = std::max(greatest_ms, apart_ms);
  }
  EXPECT_EQ(least_ms, greatest_ms) << "all of them are as far apart";
  EXPECT_LE(series.at_ms.front(), greatest_ms);
  EXPECT_GE(series.at_ms.back() + greatest_ms, 1000 * seconds);
}

}  // namespace levelfield::space_recorder_test
