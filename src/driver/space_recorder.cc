#include "driver/space_recorder.h"

#include <algorithm>
#include <utility>

namespace levelfield {
namespace {

void ForgetEverySecond(std::vector<uint64_t>& values) {
  for (size_t i = 0; i < values.size(); i += 2) values[i / 2] = values[i];
  values.resize((values.size() + 1) / 2);
}

}  // namespace

void SpaceRecorder::BeginStage(Stage stage, uint64_t now_ns) {
  if (stage == Stage::kRun && state_ != State::kOver) {
    (void)Take();
    state_ = State::kRuns;
    begun_ns_ = now_ns;
  } else if ((stage == Stage::kSettle || stage == Stage::kCheck) && state_ == State::kRuns) {
    state_ = State::kOver;
  }
}

void SpaceRecorder::Add(uint64_t now_ns, uint64_t allocated_bytes) {
  if (state_ != State::kRuns) return;
  const uint64_t ms = (now_ns - std::min(now_ns, begun_ns_)) / 1'000'000;
  if (!series_.at_ms.empty() && ms < series_.at_ms.back() + spacing_ms_) return;
  series_.at_ms.push_back(ms);
  series_.allocated_bytes.push_back(allocated_bytes);
  if (series_.at_ms.size() < kMostLooks) return;
  spacing_ms_ = 2 * (series_.at_ms.back() - series_.at_ms.front()) / (kMostLooks - 1);
  ForgetEverySecond(series_.at_ms);
  ForgetEverySecond(series_.allocated_bytes);
}

SpaceSeries SpaceRecorder::Take() {
  state_ = State::kBefore;
  spacing_ms_ = 0;
  return std::exchange(series_, SpaceSeries());
}

}  // namespace levelfield
