// One key at a time: what was put is what is got, whatever the bytes.
#include <string>

#include "conformance.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(KeysAndValues, AnswersConformance);

TEST_P(KeysAndValues, AnEmptyStoreHasNoKey) {
  StoreSession session(Open());
  EXPECT_EQ(session.Get("absent"), NotFound());
  EXPECT_EQ(session.Everything(), Model());
  EXPECT_EQ(session.EverythingBackwards(), Model());
}

TEST_P(KeysAndValues, WhatIsPutIsGot) {
  StoreSession session(Open());
  ASSERT_EQ(session.Put("key", "value"), LF_OK);
  EXPECT_EQ(session.Get("key"), Value("value"));
  EXPECT_EQ(session.Get("ke"), NotFound());
  EXPECT_EQ(session.Get("key2"), NotFound());
  EXPECT_EQ(session.Get("kez"), NotFound());
}

TEST_P(KeysAndValues, TheLastPutOfAKeyIsTheOneThatStays) {
  StoreSession session(Open());
  for (const std::string& value : {std::string("first"), std::string("the second, longer"),
                                   std::string("3"), std::string(5000, 'x'), std::string("end")}) {
    ASSERT_EQ(session.Put("key", value), LF_OK);
    EXPECT_EQ(session.Get("key"), Value(value));
  }
  EXPECT_EQ(session.Everything(), (Model{{"key", "end"}}));
}

TEST_P(KeysAndValues, AnErasedKeyIsGoneAndCanComeBack) {
  StoreSession session(Open());
  ASSERT_EQ(session.Put("a", "1"), LF_OK);
  ASSERT_EQ(session.Put("b", "2"), LF_OK);
  ASSERT_EQ(session.Put("c", "3"), LF_OK);
  ASSERT_EQ(session.Erase("b"), LF_OK);
  EXPECT_EQ(session.Get("b"), NotFound());
  EXPECT_EQ(session.Everything(), (Model{{"a", "1"}, {"c", "3"}}));
  ASSERT_EQ(session.Put("b", "again"), LF_OK);
  EXPECT_EQ(session.Get("b"), Value("again"));
}

TEST_P(KeysAndValues, ErasingAnAbsentKeyIsNoError) {
  StoreSession session(Open());
  EXPECT_EQ(session.Erase("absent"), LF_OK);
  ASSERT_EQ(session.Put("b", "1"), LF_OK);
  EXPECT_EQ(session.Erase("a"), LF_OK);
  EXPECT_EQ(session.Erase("bb"), LF_OK);
  EXPECT_EQ(session.Everything(), (Model{{"b", "1"}}));
}

TEST_P(KeysAndValues, KeysAndValuesMayHoldAnyByte) {
  StoreSession session(Open());
  Model model;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    model[one] = one;
    model["a" + one + "b"] = one + std::string("\0", 1) + one;
  }
  model[std::string(3, '\0')] = std::string(7, '\0');
  for (const auto& [key, value] : model) ASSERT_EQ(session.Put(key, value), LF_OK);
  for (const auto& [key, value] : model) EXPECT_EQ(session.Get(key), Value(value));
  EXPECT_EQ(session.Everything(), model);
}

TEST_P(KeysAndValues, AnEmptyValueIsAValue) {
  StoreSession session(Open());
  // Both ways to write nothing: an engine that binds a null pointer may turn it into no value.
  if (!WorksOrSaysWhyNot(session.Put("empty", std::string_view("", 0)), "an empty value")) {
    EXPECT_EQ(session.Get("empty"), NotFound());
    return;
  }
  ASSERT_EQ(session.Put("null", std::string_view()), LF_OK);
  ASSERT_EQ(session.Put("shrunk", "something"), LF_OK);
  ASSERT_EQ(session.Put("shrunk", ""), LF_OK);
  EXPECT_EQ(session.Get("empty"), Value(""));
  EXPECT_EQ(session.Get("null"), Value(""));
  EXPECT_EQ(session.Get("shrunk"), Value(""));
  EXPECT_EQ(session.Everything(), (Model{{"empty", ""}, {"null", ""}, {"shrunk", ""}}));
}

TEST_P(KeysAndValues, AnEmptyKeyIsAKeyOrRefusedWithAReason) {
  StoreSession session(Open());
  ASSERT_EQ(session.Put("a", "1"), LF_OK);
  if (WorksOrSaysWhyNot(session.Put("", "of nothing"), "an empty key")) {
    EXPECT_EQ(session.Get(""), Value("of nothing"));
    EXPECT_EQ(session.Get({}), Value("of nothing"));
    EXPECT_EQ(session.Everything(), (Model{{"", "of nothing"}, {"a", "1"}}));
    EXPECT_EQ(session.Erase(""), LF_OK);
    EXPECT_EQ(session.Get(""), NotFound());
  } else {
    const Answer answer = session.Get("");
    if (answer.code != LF_NOT_FOUND) {
      EXPECT_FALSE(WorksOrSaysWhyNot(answer.code, "get of an empty key"));
    }
    (void)WorksOrSaysWhyNot(session.Erase(""), "erase of an empty key");
    EXPECT_EQ(session.Everything(), (Model{{"a", "1"}}));
  }
}

TEST_P(KeysAndValues, ALongKeyIsAKeyOrRefusedWithAReason) {
  StoreSession session(Open());
  Model model;
  for (const size_t bytes : {16u, 255u, 256u, 511u, 512u, 1000u, 2000u, 5000u, 65536u}) {
    const std::string key = std::string(bytes - 1, 'k') + "!";
    const std::string what = "a key of " + std::to_string(bytes) + " bytes";
    const std::string value = std::to_string(bytes);
    if (WorksOrSaysWhyNot(session.Put(key, value), what)) {
      model[key] = value;
      EXPECT_EQ(session.Get(key), Value(value)) << what;
      EXPECT_EQ(session.Seek(LF_AT_OR_AFTER, key), Entry(key, value)) << what;
    } else {
      EXPECT_EQ(session.Put("short", "1"), LF_OK) << "after " << what;
      model["short"] = "1";
      const Answer answer = session.Get(key);
      if (answer.code != LF_NOT_FOUND) {
        EXPECT_FALSE(WorksOrSaysWhyNot(answer.code, "get of " + what));
      }
    }
  }
  EXPECT_GE(model.size(), 3u) << "keys up to 256 bytes are asked of every engine";
  EXPECT_EQ(session.Everything(), model);
}

TEST_P(KeysAndValues, AMegabyteIsAValue) {
  StoreSession session(Open());
  const std::string large = Noise(1 << 20);
  const std::string other = Noise((1 << 20) + 1, 2);
  ASSERT_EQ(session.Put("a", "small"), LF_OK);
  ASSERT_EQ(session.Put("b", large), LF_OK);
  ASSERT_EQ(session.Put("c", other), LF_OK);
  EXPECT_TRUE(session.Get("b") == Value(large));
  EXPECT_TRUE(session.Get("c") == Value(other));
  ASSERT_EQ(session.Put("b", other), LF_OK);
  ASSERT_EQ(session.Write({PutEntry("c", "small again"), PutEntry("d", large)}), LF_OK);
  EXPECT_TRUE(session.Everything() ==
              (Model{{"a", "small"}, {"b", other}, {"c", "small again"}, {"d", large}}));
  EXPECT_EQ(session.Erase("b"), LF_OK);
  EXPECT_EQ(session.Get("b"), NotFound());
}

TEST_P(KeysAndValues, EveryOneOfThousandsOfPutsIsThere) {
  StoreSession session(Open());
  Model model;
  for (int i = 0; i < 2000; ++i) {
    // 7919 is a prime, so that the keys come in no order and none twice.
    const std::string key = std::to_string(100000 + (i * 7919) % 100000);
    model[key] = Noise(static_cast<size_t>(i % 300), static_cast<uint64_t>(i));
    ASSERT_EQ(session.Put(key, model[key]), LF_OK) << Reason();
  }
  for (const auto& [key, value] : model) ASSERT_TRUE(session.Get(key) == Value(value)) << key;
  EXPECT_TRUE(session.Everything() == model);
  EXPECT_TRUE(session.EverythingBackwards() == model);
}

}  // namespace
}  // namespace levelfield
