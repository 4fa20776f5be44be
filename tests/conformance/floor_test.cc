// An engine without answers (null) promises only that every call comes back, with as many bytes as
// a real one would have given.

#include "conformance.h"

namespace levelfield {
namespace {

class FloorConformance : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!Has(LF_NO_ANSWERS)) GTEST_SKIP() << "has answers";
  }
};

CONFORMANCE_SUITE(Floor, FloorConformance);

TEST_P(Floor, TakesEveryCallInEveryClass) {
  for (const char* name : {"none", "process", "synced"}) {
    StoreSession session(Open(name, {}));
    EXPECT_EQ(session.Put("k", "v"), LF_OK);
    EXPECT_EQ(session.Erase("k"), LF_OK);
    EXPECT_EQ(session.Write({PutEntry("k", "v"), EraseEntry("k")}), LF_OK);
    (void)WorksOrSaysWhyNot(engine().table().sync(session.store().get()), "sync");
    (void)WorksOrSaysWhyNot(engine().table().compact(session.store().get()), "compact");
  }
}

TEST_P(Floor, GivesValuesOfTheExpectedSize) {
  StoreSession session(Open());  // expected_value_bytes = 100
  const Answer got = session.Get("k");
  EXPECT_EQ(got.code, LF_OK);
  EXPECT_EQ(got.value.size(), 100u);
  for (const lf_seek how : {LF_FIRST, LF_LAST, LF_AT_OR_AFTER, LF_AT_OR_BEFORE}) {
    const Answer found = session.Seek(how, "k");
    EXPECT_EQ(found.code, LF_OK);
    EXPECT_EQ(found.value.size(), 100u);
    EXPECT_FALSE(found.key.empty());
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(session.Next().value.size(), 100u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(session.Prev().value.size(), 100u);
  }
}

TEST_P(Floor, IsAFloorAndSaysSo) {
  EXPECT_TRUE(Has(LF_FLOOR));
  EXPECT_TRUE(Has(LF_VOLATILE));
}

}  // namespace
}  // namespace levelfield
