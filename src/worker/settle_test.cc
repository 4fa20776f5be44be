// The stub engine leaves a known amount of deferred work.
#include "worker/settle.h"

#include <string>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "engine/loader.h"

namespace levelfield::settle_test {

class Settling : public ::testing::Test {
 protected:
  Store Open(const std::string& name, SettingList settings) {
    const Engine engine = Must(LoadEngine(*ParseEngineSpec(name), EnginePlaces()));
    settings.emplace_back("durability", "none");
    settings.emplace_back("expected_keys", "100");
    settings.emplace_back("expected_value_bytes", "100");
    return Must(Store::Open(engine, directory_.path(), settings));
  }

  static void Put(Store& store, int puts) {
    Session session = Must(store.BeginSession());
    for (int i = 0; i < puts; ++i) {
      const std::string key = std::to_string(i);
      const lf_bytes bytes = {key.data(), key.size()};
      ASSERT_EQ(store.engine().table().put(session.get(), bytes, bytes), LF_OK);
    }
  }

  Settle SettleAll(Store& store) {
    return Must(
        SettleStore(store, PhaseResult(), rule_, [&](uint64_t, uint64_t) { return goes_on_; }));
  }

  SettleRule rule_;
  bool goes_on_ = true;
  const TemporaryDirectory directory_;
};

constexpr int kPuts = 100;
const SettingList kDebt = {{"debt_us_per_put", "6000"}};  // 0.6 s.

TEST_F(Settling, WaitsForAnEngineThatCanBeAsked) {
  Store store = Open("stub", kDebt);
  Put(store, kPuts);
  const Settle settle = SettleAll(store);
  EXPECT_EQ(settle.how, "flush, wait_for_background");
  EXPECT_TRUE(settle.complete);
  EXPECT_GE(settle.seconds, 0.4);
  const Settle again = SettleAll(store);
  EXPECT_LT(again.seconds, 0.4) << "nothing is left";
}

TEST_F(Settling, WatchesAnEngineThatCannot) {
  SettingList settings = kDebt;
  settings.emplace_back("tells_debt", "0");
  Store store = Open("stub", settings);
  Put(store, kPuts);
  const Settle settle = SettleAll(store);
  EXPECT_EQ(settle.how, "flush, watched until its threads rest");
  EXPECT_TRUE(settle.complete);
  EXPECT_GE(settle.seconds, 0.4);
  for (const auto& [name, count] : store.Counters()) {
    if (name == "stub.debt_paid_us") {
      EXPECT_EQ(count, kPuts * 6000u);
    }
  }
}

TEST_F(Settling, DoesNotChargeForTheRestThatItWaitsFor) {
  Store store = Open("stub", {{"tells_debt", "0"}, {"debt_us_per_put", "1"}});
  rule_.window_seconds = 1;
  const Settle settle = SettleAll(store);
  EXPECT_EQ(settle.how, "flush, watched until its threads rest");
  EXPECT_LT(settle.seconds, 0.9);
}

TEST_F(Settling, GivesUpAnEngineThatNeverRests) {
  Store store = Open("stub", {{"tells_debt", "0"}, {"background_threads", "1"}});
  rule_ = {.window_seconds = 0.02, .most_seconds = 0.2};
  const Settle settle = SettleAll(store);
  EXPECT_FALSE(settle.complete);
  EXPECT_GE(settle.seconds, 0.2);
}

TEST_F(Settling, EndsWhereNobodyWantsItAnyMore) {
  Store store = Open("stub", {{"tells_debt", "0"}, {"background_threads", "1"}});
  goes_on_ = false;
  const Settle settle = SettleAll(store);
  EXPECT_FALSE(settle.complete);
  EXPECT_LT(settle.seconds, rule_.most_seconds / 2);
}

TEST_F(Settling, TakesNoTimeWithAnEngineThatHasNoThreads) {
  Store store = Open("memory", {});
  Put(store, kPuts);
  rule_.window_seconds = 30;  // It is not waited for.
  const Settle settle = SettleAll(store);
  EXPECT_TRUE(settle.complete);
  EXPECT_LT(settle.seconds, 10);
#if !defined(__SANITIZE_THREAD__)  // It has its own thread.
  EXPECT_EQ(settle.how, "it has no threads to wait for");
#endif
}

TEST_F(Settling, EndsInTheErrorOfAnEngineThatCannotFlush) {
  Store store = Open("stub", {});
  static lf_engine table = store.engine().table();
  table.flush = [](lf_store*) { return LF_FAILED; };
  table.last_error = [] { return "the disk is full"; };
  const Engine failing(store.engine().spec(), store.engine().plugin_path(), table);
  ASSERT_TRUE(store.Close().ok());
  Store opened = Must(
      Store::Open(failing, directory_.path(),
                  {{"durability", "none"}, {"expected_keys", "1"}, {"expected_value_bytes", "1"}}));
  EXPECT_THAT(
      ErrorOf(SettleStore(opened, PhaseResult(), rule_, [](uint64_t, uint64_t) { return true; })),
      HasSubstr("the disk is full"));
}

}  // namespace levelfield::settle_test
