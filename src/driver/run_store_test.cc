#include "driver/run_store.h"

#include <gtest/gtest.h>

#include "store/stores_for_test.h"

namespace levelfield::run_store_test {

class StoreEnding : public TestOfStores {
 protected:
  // The marker of a new store after such an end of its worker.
  StoreMarker MarkerAfter(const RunEnd& end, Outcome outcome) {
    const StoreContent content{.engine = "x", .keys = KeyShape(16, KeyKind::kDecimal, 0)};
    auto store = StoreDirectory::Create(At("s"), {.salt = 1, .fresh = true, .content = content});
    EXPECT_TRUE(store.ok());
    const Status status = MarkAtTheEnd(end, outcome, *store);
    EXPECT_TRUE(status.ok()) << status.message();
    return MarkerAt("s").value_or(StoreMarker());
  }

  static RunEnd Closed() {
    RunEnd end;
    end.closed = true;
    end.entries = 7;
    return end;
  }
};

TEST_F(StoreEnding, IsCleanWithItsEntriesOnceTheWorkerHasClosedTheStore) {
  for (const Outcome outcome : {Outcome::kOk, Outcome::kInvalid, Outcome::kInterrupted,
                                Outcome::kStopped, Outcome::kUnsupported}) {
    const StoreMarker marker = MarkerAfter(Closed(), outcome);
    EXPECT_EQ(marker.state, StoreState::kClean);
    EXPECT_EQ(marker.content.entries, 7u);
  }
}

TEST_F(StoreEnding, IsDirtyWhereTheWorkerDidNotCloseItWhateverElseIsSaid) {
  RunEnd killed = Closed();
  killed.closed = false;
  for (const Outcome outcome : {Outcome::kOk, Outcome::kInterrupted, Outcome::kFailed}) {
    const StoreMarker marker = MarkerAfter(killed, outcome);
    EXPECT_EQ(marker.state, StoreState::kDirty);
    EXPECT_EQ(marker.content.entries, 0u);
  }
}

TEST_F(StoreEnding, IsNeverCleanWhereTheEngineFailedOrAnAnswerWasWrong) {
  EXPECT_EQ(MarkerAfter(Closed(), Outcome::kFailed).state, StoreState::kDirty);
  EXPECT_EQ(MarkerAfter(Closed(), Outcome::kWrong).state, StoreState::kTainted);
}

}  // namespace levelfield::run_store_test
