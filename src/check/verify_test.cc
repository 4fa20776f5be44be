#include "check/verify.h"

#include "base/matchers_for_test.h"
#include "engine/loader.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield::verify_test {

constexpr size_t kKeySize = 16;
constexpr size_t kValueSize = 40;
constexpr uint64_t kRange = 100;

// A memory engine filled according to the model; a test then plants one fault.
class VerifyStoreTest : public ::testing::Test {
 protected:
  VerifyStoreTest()
      : engine_(*LoadEngine(*ParseEngineSpec("memory"), EnginePlaces())),
        store_(std::move(*Store::Open(engine_, "/tmp", {}))),
        session_(std::move(*store_.BeginSession())),
        values_(42, 200, 0.5) {
    Write(0, kRange, 0);
  }

  // One role that wrote (or erased) `count` keys from the first on.
  void Write(uint64_t first, uint64_t count, bool erases) {
    const uint32_t version = state_.NextVersion();
    WriteLayer layer{.erases = erases,
                     .order = {.order = KeyOrder::kSequential, .range = first + count},
                     .shares = {{0, first, 0}, {first, first + count, count}},
                     .first_version = version,
                     .value_size = kValueSize};
    layer.order.end_position = first + count;
    state_.Add(std::move(layer));
    for (uint64_t index = first; index < first + count; ++index) {
      if (erases) {
        Erase(Key(index));
      } else {
        Put(Key(index), Value(index, version));
      }
    }
  }

  static std::string Key(uint64_t index) {
    std::string key(kKeySize, '0');
    KeyFormat(kKeySize, kRange).Format(std::span(&index, 1), key.data());
    return key;
  }
  std::string Value(uint64_t index, uint32_t version, size_t size = kValueSize) const {
    std::string value(std::max(size, ValueSource::kHeaderBytes), '\0');
    values_.Make(index, version, size, value.data());
    value.resize(size);
    return value;
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_EQ(
        engine_.table().put(session_.get(), {key.data(), key.size()}, {value.data(), value.size()}),
        LF_OK);
  }
  void Erase(const std::string& key) {
    ASSERT_EQ(engine_.table().erase(session_.get(), {key.data(), key.size()}), LF_OK);
  }

  Verification Verify() { return VerifyWith(engine_.table()); }
  Verification VerifyWith(const lf_engine& table) {
    return VerifyStore(session_, table, state_, values_, kKeySize,
                       [](uint64_t, uint64_t) { return true; });
  }

  Engine engine_;
  Store store_;
  Session session_;
  ValueSource values_;
  ExpectedState state_;
};

TEST_F(VerifyStoreTest, AStoreThatIsRightHasNoDifference) {
  const Verification verification = Verify();
  EXPECT_EQ(verification.difference, "");
  EXPECT_EQ(verification.code, LF_OK);
  EXPECT_EQ(verification.entries, kRange);
  EXPECT_EQ(verification.bytes, kRange * (kKeySize + kValueSize));
  EXPECT_EQ(verification.extent, "all entries");
}

TEST_F(VerifyStoreTest, OverwrittenAndErasedPartsAreExpected) {
  Write(20, 30, false);
  Write(40, 10, true);
  const Verification verification = Verify();
  EXPECT_EQ(verification.difference, "");
  EXPECT_EQ(verification.entries, kRange - 10);
  Write(0, kRange, true);
  const Verification of_nothing = Verify();
  EXPECT_EQ(of_nothing.difference, "");
  EXPECT_EQ(of_nothing.entries, 0u);
}

TEST_F(VerifyStoreTest, AMissingEntryIsNamedWhereverItIs) {
  for (const uint64_t index : {uint64_t{0}, uint64_t{57}, kRange - 1}) {
    Erase(Key(index));
    EXPECT_THAT(Verify().difference, HasSubstr(Key(index)));
    Put(Key(index), Value(index, 1));
  }
}

TEST_F(VerifyStoreTest, AnExtraEntryIsFoundBetweenOthersAndAtBothEnds) {
  for (const std::string key : {"000000000000003x", "a", "!"}) {
    Put(key, Value(1, 1));
    EXPECT_THAT(Verify().difference, HasSubstr(key));
    Erase(key);
    EXPECT_EQ(Verify().difference, "");
  }
}

TEST_F(VerifyStoreTest, AnErasedKeyThatComesBackIsFound) {
  Write(10, 5, true);
  Put(Key(12), Value(12, 1));
  EXPECT_THAT(Verify().difference, HasSubstr(Key(12)));
}

TEST_F(VerifyStoreTest, AnOldVersionIsNamedBesideTheRightOne) {
  Write(0, kRange, false);
  EXPECT_EQ(Verify().difference, "");
  Put(Key(31), Value(31, 1));
  EXPECT_THAT(Verify().difference,
              AllOf(HasSubstr(Key(31)), HasSubstr("has version 1"), HasSubstr("version 2")));
}

TEST_F(VerifyStoreTest, EveryFlippedBitOfAValueIsFound) {
  const std::string right = Value(5, 1);
  for (size_t bit = 0; bit < right.size() * 8; ++bit) {
    std::string flipped = right;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    Put(Key(5), flipped);
    EXPECT_THAT(Verify().difference, AllOf(HasSubstr(Key(5)), HasSubstr("never written"))) << bit;
  }
}

TEST_F(VerifyStoreTest, AnotherKeysValueOrOneOfAnotherLengthIsFound) {
  for (const std::string& value :
       {Value(6, 1), Value(5, 1, kValueSize - 1), Value(5, 1, kValueSize + 1), std::string()}) {
    Put(Key(5), value);
    EXPECT_THAT(Verify().difference, HasSubstr(Key(5)));
  }
}

TEST_F(VerifyStoreTest, AnotherStoresValueIsFound) {
  const ValueSource other(43, 200, 0.5);
  std::string value(kValueSize, '\0');
  other.Make(5, 1, kValueSize, value.data());
  Put(Key(5), value);
  EXPECT_THAT(Verify().difference, HasSubstr("never written"));
}

// Two threads wrote all keys, one of them twice: each key's last value is unknown.
TEST_F(VerifyStoreTest, OfWhatSeveralThreadsWroteAnyOfTheirValuesIsRight) {
  const uint32_t version = state_.NextVersion();
  WriteLayer layer{.order = {.order = KeyOrder::kSequential, .range = kRange},
                   .shares = {{0, kRange, kRange}, {0, kRange, 2 * kRange}},
                   .first_version = version,
                   .value_size = kValueSize,
                   .repeats = true};
  state_.Add(layer);
  for (uint64_t index = 0; index < kRange; ++index) {
    Put(Key(index), Value(index, version + static_cast<uint32_t>(index % 2)));
  }
  const Verification verification = Verify();
  EXPECT_EQ(verification.difference, "");
  EXPECT_THAT(verification.extent, HasSubstr("not known of 100: of those, it was checked that the "
                                             "value is whole and its key's"));
  Put(Key(5), Value(6, version));
  EXPECT_THAT(Verify().difference, HasSubstr(Key(5))) << "another key's";
  Put(Key(5), Value(5, version, kValueSize - 1));
  EXPECT_THAT(Verify().difference, HasSubstr(Key(5))) << "another length";
  Erase(Key(5));
  EXPECT_THAT(Verify().difference, HasSubstr(Key(5))) << "nothing";
}

lf_engine real_table;

TEST_F(VerifyStoreTest, AStoreThatIsScannedInAnotherOrderIsFound) {
  real_table = engine_.table();
  lf_engine backwards = real_table;
  backwards.seek = [](lf_session* session, lf_seek, lf_bytes, lf_bytes* key, lf_bytes* value) {
    return real_table.seek(session, LF_LAST, {}, key, value);
  };
  backwards.next = real_table.prev;
  EXPECT_THAT(VerifyWith(backwards).difference,
              AllOf(HasSubstr(Key(kRange - 1)), HasSubstr(Key(0)), HasSubstr("expected")));
}

TEST_F(VerifyStoreTest, AnEngineThatFailsIsNoDifferenceButAFailure) {
  real_table = engine_.table();
  lf_engine failing = real_table;
  failing.next = [](lf_session*, lf_bytes*, lf_bytes*) { return LF_FAILED; };
  failing.last_error = [] { return "the disk is gone"; };
  const Verification verification = VerifyWith(failing);
  EXPECT_EQ(verification.code, LF_FAILED);
  EXPECT_EQ(verification.error, "the disk is gone");
  EXPECT_EQ(verification.difference, "");
}

// A range too large to scan whole: a model of 10^12 keys with few present.
class SampledStoreTest : public VerifyStoreTest {
 protected:
  SampledStoreTest() {
    WriteLayer layer{.erases = true,
                     .order = {.order = KeyOrder::kSequential, .range = 1'000'000'000'000},
                     .shares = {{0, 1'000'000'000'000, 0}},
                     .first_version = 9,
                     .value_size = kValueSize};
    state_.Add(std::move(layer));
  }
};

TEST_F(SampledStoreTest, ALargeRangeIsSampledAndTheBoundIsStated) {
  const Verification verification = Verify();
  EXPECT_EQ(verification.difference, "");
  EXPECT_EQ(verification.entries, 100'000u);
  EXPECT_THAT(verification.extent, AllOf(HasSubstr("a sample of"), HasSubstr("95%")));
}

TEST_F(SampledStoreTest, ASampledKeyThatShouldNotBeThereIsFound) {
  real_table = engine_.table();
  lf_engine generous = real_table;
  generous.get = [](lf_session*, lf_bytes, lf_bytes* value) {
    *value = {"x", 1};
    return LF_OK;
  };
  EXPECT_THAT(VerifyWith(generous).difference, HasSubstr("should not be"));
}

// A store from before the run: what this run did not touch is not checked.
class VerifyTouchedTest : public VerifyStoreTest {
 protected:
  VerifyTouchedTest() {
    state_ = ExpectedState();
    state_.StartAt(1000);
  }
  Verification Touched() {
    return VerifyTouched(session_, engine_.table(), state_, values_, kKeySize,
                         [](uint64_t, uint64_t) { return true; });
  }
};

TEST_F(VerifyTouchedTest, OnlyWhatWasWrittenOrErasedIsRead) {
  Put(Key(3), "somebody else's");
  Put("not even a key", "");
  Write(20, 30, false);
  Write(40, 10, true);
  const Verification verification = Touched();
  EXPECT_EQ(verification.difference, "");
  EXPECT_EQ(verification.entries, 30u);
  EXPECT_THAT(verification.extent, HasSubstr("30 keys that this run wrote or erased, all of them"));
}

TEST_F(VerifyTouchedTest, ALostWriteIsSeenThoughTheOldValueIsWhole) {
  Write(20, 30, false);
  Put(Key(31), Value(31, 1));  // As it was before this run.
  EXPECT_THAT(Touched().difference,
              AllOf(HasSubstr(Key(31)), HasSubstr("has version 1"), HasSubstr("version 1000")));
}

TEST_F(VerifyTouchedTest, ALostErasureIsSeen) {
  Write(40, 10, true);
  Put(Key(42), Value(42, 1));
  EXPECT_THAT(Touched().difference, AllOf(HasSubstr(Key(42)), HasSubstr("should not be")));
}

}  // namespace levelfield::verify_test
