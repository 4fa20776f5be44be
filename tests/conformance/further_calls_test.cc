// The calls that some engines have beyond reading and writing one entry: merges, gets of many keys,
// erasure of a range, and what is done with a store that is open. An engine may answer each with
// LF_UNSUPPORTED and a reason, or not have it at all.
#include <string>
#include <vector>

#include "conformance.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(FurtherCalls, AnswersConformance);

Model Fill(TestSession& session, int keys) {
  Model model;
  for (int i = 0; i < keys; ++i) {
    const std::string value = Noise(100, static_cast<uint64_t>(i));
    EXPECT_EQ(session.Put(Key(i), value), LF_OK);
    model[Key(i)] = value;
  }
  return model;
}

TEST_P(FurtherCalls, AMergeMakesTheOperandTheValueUnlessAskedOtherwise) {
  const auto merge = engine().table().merge;
  if (merge == nullptr) GTEST_SKIP() << "has no merge";
  StoreSession session(Open());
  ASSERT_EQ(session.Put("there", "old"), LF_OK);
  ASSERT_EQ(session.Put("untouched", "old"), LF_OK);
  if (!WorksOrSaysWhyNot(merge(session.get(), Bytes("there"), Bytes("new")), "merge")) return;
  EXPECT_EQ(merge(session.get(), Bytes("absent"), Bytes("one")), LF_OK) << Reason();
  EXPECT_EQ(merge(session.get(), Bytes("absent"), Bytes("two")), LF_OK) << Reason();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(session.Get("there"), Value("new"));
    EXPECT_EQ(session.Get("absent"), Value("two"));
    EXPECT_EQ(session.Everything(),
              (Model{{"there", "new"}, {"absent", "two"}, {"untouched", "old"}}));
    // And after it was merged on disk, where that can be asked for.
    (void)WorksOrSaysWhyNot(engine().table().compact(session.store().get()), "compact");
  }
}

TEST_P(FurtherCalls, AGetOfManyKeysIsAGetOfEach) {
  const auto multi_get = engine().table().multi_get;
  if (multi_get == nullptr) GTEST_SKIP() << "gets one key a call";
  StoreSession session(Open());
  Model model = Fill(session, 500);
  (void)engine().table().compact(
      session.store().get());  // Some of them on the disk, where that can be.
  ASSERT_EQ(session.Put(Key(7), ""), LF_OK);
  model[Key(7)] = "";
  for (const size_t count : {1u, 2u, 100u}) {
    std::vector<std::string> wanted;  // Neither sorted nor all there, and one of them twice.
    for (size_t i = 0; i < count; ++i) wanted.push_back(Key(static_cast<int>(i * 7919 % 600)));
    if (count > 2) {
      wanted[1] = wanted[0];
      wanted[2] = Key(7);
    }
    std::vector<lf_bytes> keys;
    for (const std::string& key : wanted) keys.push_back(Bytes(key));
    std::vector<lf_bytes> values(count);
    std::vector<lf_code> codes(count, LF_FAILED);
    const lf_code code = multi_get(session.get(), keys.data(), count, values.data(), codes.data());
    if (!WorksOrSaysWhyNot(code, "multi_get")) return;
    for (size_t i = 0; i < count; ++i) {
      const auto it = model.find(wanted[i]);
      ASSERT_EQ(codes[i], it != model.end() ? LF_OK : LF_NOT_FOUND) << wanted[i];
      if (it == model.end()) continue;
      EXPECT_EQ(std::string(values[i].data, values[i].size), it->second) << wanted[i];
    }
  }
}

TEST_P(FurtherCalls, ErasingARangeErasesItAndNothingElse) {
  const auto erase = engine().table().delete_range;
  if (erase == nullptr) GTEST_SKIP() << "erases no range";
  StoreSession session(Open());
  Model model = Fill(session, 300);
  const std::string from = Key(100);
  const std::string to = Key(200);
  if (!WorksOrSaysWhyNot(erase(session.get(), Bytes(from), Bytes(to)), "delete_range")) return;
  model.erase(model.find(from), model.find(to));
  EXPECT_EQ(session.Get(from), NotFound());
  EXPECT_EQ(session.Get(to), Value(model.at(to)));
  EXPECT_EQ(session.Everything(), model);
  ASSERT_EQ(session.Put(Key(150), "again"), LF_OK);
  model[Key(150)] = "again";
  EXPECT_EQ(session.Everything(), model);
  (void)WorksOrSaysWhyNot(engine().table().compact(session.store().get()), "compact");
  EXPECT_EQ(session.Everything(), model);
}

TEST_P(FurtherCalls, FlushingWaitingAndVerifyingLoseNothing) {
  const lf_engine& table = engine().table();
  StoreSession session(Open());
  const Model model = Fill(session, 1000);
  for (const auto& [call, name] : std::vector<std::pair<lf_code (*)(lf_store*), const char*>>{
           {table.flush, "flush"},
           {table.wait_for_background, "wait_for_background"},
           {table.verify_checksums, "verify_checksums"}}) {
    if (call == nullptr) continue;
    (void)WorksOrSaysWhyNot(call(session.store().get()), name);
    EXPECT_EQ(session.Everything(), model) << "after " << name;
  }
  for (uint32_t level = 0; table.compact_level != nullptr && level < 2; ++level) {
    (void)WorksOrSaysWhyNot(table.compact_level(session.store().get(), level), "compact_level");
    EXPECT_EQ(session.Everything(), model) << "after compact_level " << level;
  }
}

// While a session is open, and with what each class keeps in memory only.
TEST_P(FurtherCalls, ABackupIsTheStoreAsItWas) {
  const lf_engine& table = engine().table();
  if (table.backup == nullptr) GTEST_SKIP() << "has no backup";
  const TemporaryDirectory backup;
  const TemporaryDirectory restored;
  StoreSession session(Open());
  const Model model = Fill(session, 1000);
  if (!WorksOrSaysWhyNot(table.backup(session.store().get(), backup.path().c_str()), "backup"))
    return;
  ASSERT_EQ(session.Put(Key(3), "later"), LF_OK);
  ASSERT_EQ(session.Erase(Key(4)), LF_OK);
  ASSERT_EQ(session.Put("later", "later"), LF_OK);
  EXPECT_EQ(session.Everything().size(), 1000u) << "the store itself is what it was";
  if (!WorksOrSaysWhyNot(table.restore(backup.path().c_str(), restored.path().c_str()), "restore"))
    return;
  auto again = Store::Open(engine(), restored.path(), BaseSettings(WeakestClass()));
  ASSERT_TRUE(again.ok()) << again.status().message();
  TestSession other(*again);
  EXPECT_EQ(other.Everything(), model);
}

TEST_P(FurtherCalls, WhatIsNoBackupIsNotRestored) {
  const lf_engine& table = engine().table();
  if (table.restore == nullptr) GTEST_SKIP() << "has no backup";
  const TemporaryDirectory nothing;
  const TemporaryDirectory restored;
  const lf_code code = table.restore(nothing.path().c_str(), restored.path().c_str());
  EXPECT_TRUE(code == LF_FAILED || code == LF_UNSUPPORTED) << code;
  EXPECT_FALSE(Reason().empty());
}

// Each answer is what the call itself would have given, and they come in the order of the calls.
TEST_P(FurtherCalls, WhatIsInFlightIsAnsweredInItsOrder) {
  const lf_engine& table = engine().table();
  if (table.submit == nullptr) GTEST_SKIP() << "each call answers before it returns";
  constexpr uint64_t kForever = UINT64_MAX;
  StoreSession session(Open());
  const auto submit = [&](lf_call call, const std::string& key, const std::string& value = "") {
    // Both are gone when it returns.
    const std::string key_copy = key;
    const std::string value_copy = value;
    ASSERT_EQ(table.submit(session.get(), call, Bytes(key_copy), Bytes(value_copy)), LF_OK);
  };
  for (int i = 0; i < 100; ++i) {
    submit(LF_PUT, Key(i), "value " + std::to_string(i));
    submit(LF_GET, Key(i));
    if (i % 3 == 0) submit(LF_ERASE, Key(i));
    submit(LF_NOTHING, "");
    submit(LF_GET, Key(i));
  }
  lf_bytes value = {};
  const auto poll = [&] { return table.poll(session.get(), kForever, &value); };
  Model model;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(poll(), LF_OK);
    EXPECT_EQ(poll(), LF_OK);
    EXPECT_EQ(std::string(value.data, value.size), "value " + std::to_string(i));
    if (i % 3 == 0) {
      EXPECT_EQ(poll(), LF_OK);
    }
    EXPECT_EQ(poll(), LF_OK);
    EXPECT_EQ(poll(), i % 3 == 0 ? LF_NOT_FOUND : LF_OK);
    if (i % 3 != 0) model[Key(i)] = "value " + std::to_string(i);
  }
  EXPECT_EQ(session.Everything(), model);
}

}  // namespace
}  // namespace levelfield
