// What every claim about engines needs: the engine under test, a directory of its own, an open
// store, and sessions whose answers are plain values that a test can compare.
//
// A suite of claims is a class derived from Conformance; CONFORMANCE_SUITE runs it for every
// plug-in that is found when the program starts. The model is std::map throughout.
#ifndef LEVELFIELD_TESTS_CONFORMANCE_CONFORMANCE_H_
#define LEVELFIELD_TESTS_CONFORMANCE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files_for_test.h"
#include "base/status_for_test.h"
#include "engine/engine.h"
#include "engine/loader.h"

void PrintTo(lf_code code, std::ostream* out);  // For gtest, which looks beside the type.

namespace levelfield {

// Ordered as the contract wants keys ordered: std::string compares bytes as unsigned.
using Model = std::map<std::string, std::string>;

// What a read came to, copied before the next call can take it back.
struct Answer {
  lf_code code = LF_OK;
  std::string key;  // For a scan; empty after a get.
  std::string value;

  bool operator==(const Answer&) const = default;
};
void PrintTo(const Answer& answer, std::ostream* out);

inline Answer NotFound() { return {.code = LF_NOT_FOUND, .key = "", .value = ""}; }
inline Answer Value(std::string value) {
  return {.code = LF_OK, .key = "", .value = std::move(value)};
}
inline Answer Entry(std::string key, std::string value) {
  return {.code = LF_OK, .key = std::move(key), .value = std::move(value)};
}
// What the model says to a seek or a step that ends at `it`.
Answer EntryAt(const Model& model, Model::const_iterator it);
Answer EntryBefore(const Model& model, Model::const_iterator it);
Answer SeekIn(const Model& model, lf_seek how, const std::string& key);

inline lf_bytes Bytes(std::string_view text) { return {text.data(), text.size()}; }
inline lf_entry PutEntry(std::string_view key, std::string_view value) {
  return {Bytes(key), Bytes(value), 0};
}
inline lf_entry EraseEntry(std::string_view key) { return {Bytes(key), Bytes(""), 1}; }

// A session of the thread that makes it.
class TestSession {
 public:
  explicit TestSession(Store& store);

  lf_code Put(std::string_view key, std::string_view value);
  lf_code Erase(std::string_view key);
  lf_code Write(const std::vector<lf_entry>& entries);
  Answer Get(std::string_view key);
  Answer Seek(lf_seek how, std::string_view key = {});
  Answer Next();
  Answer Prev();

  // All there is, by one scan forwards; fails the test if the keys do not ascend.
  Model Everything();
  // The same, backwards.
  Model EverythingBackwards();

  lf_session* get() { return session_.get(); }

 private:
  template <class Call>
  Answer Read(Call call);

  const lf_engine& table_;
  Session session_;
};

// The store that a session is of.
class SessionsStore {
 public:
  explicit SessionsStore(Store store) : store_(std::move(store)) {}
  Store& store() { return store_; }

 private:
  Store store_;
};

// A session with a store of its own, which it closes.
class StoreSession : public SessionsStore, public TestSession {
 public:
  explicit StoreSession(Store store)
      : SessionsStore(std::move(store)), TestSession(this->store()) {}
};

// What is tested: every plug-in that is found, or one alone, with settings that people gave for it.
struct Tested {
  std::string engine;  // A spec. Empty: all.
  SettingList settings;
};
Tested& TestedHere();
std::vector<std::string> EnginesToTest();

// In place of what stands there by this name.
void Set(SettingList& settings, const std::string& name, const std::string& value);
void Set(SettingList& settings, const SettingList& others);

// What every run passes, with the settings that people gave.
SettingList BaseSettings(std::string_view durability);

// The engine named `text`; throws what gtest shows when it does not load.
Engine LoadOrThrow(const std::string& text);

// In the order of their numbers.
inline std::string Key(int number) {
  std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

// Bytes that do not compress, the same in every run.
std::string Noise(size_t bytes, uint64_t seed = 1);

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;

  const Engine& engine() const { return *engine_; }
  bool Has(uint32_t capability) const { return engine_->Has(capability); }
  std::filesystem::path directory() const { return directory_.path(); }

  const lf_durability& Durability(std::string_view name) const;
  // The weakest class that the engine does not refuse: most claims are not about durability, and
  // are told sooner without a disk in between.
  std::string WeakestClass() const;

  // Throws, which ends the test with the engine's own words.
  Store Open(const SettingList& options = {}) { return Open(WeakestClass(), options); }
  Store Open(std::string_view durability, const SettingList& options);

  // The last error of this thread; fails the test when there is none.
  std::string Reason() const;
  // LF_OK is true; LF_UNSUPPORTED with a reason is false, and is recorded with the result;
  // everything else fails the test.
  bool WorksOrSaysWhyNot(lf_code code, const std::string& what) const;

 private:
  std::optional<Engine> engine_;
  TemporaryDirectory directory_;
};

// Claims about answers, which an engine with LF_NO_ANSWERS has none of.
class AnswersConformance : public Conformance {
 protected:
  void SetUp() override;
};

std::string ParameterName(const ::testing::TestParamInfo<std::string>& info);

}  // namespace levelfield

#define CONFORMANCE_SUITE(suite, base)                  \
  class suite : public base {};                         \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite); \
  INSTANTIATE_TEST_SUITE_P(Engines, suite, ::testing::ValuesIn(EnginesToTest()), ParameterName)

#endif  // LEVELFIELD_TESTS_CONFORMANCE_CONFORMANCE_H_
