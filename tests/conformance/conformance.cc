#include "conformance.h"

#include <cctype>
#include <iostream>
#include <ostream>
#include <random>

#include "base/quote.h"
#include "process/hang_watch.h"

void PrintTo(lf_code code, std::ostream* out) {
  switch (code) {
    case LF_OK:
      *out << "LF_OK";
      return;
    case LF_NOT_FOUND:
      *out << "LF_NOT_FOUND";
      return;
    case LF_UNSUPPORTED:
      *out << "LF_UNSUPPORTED";
      return;
    case LF_CONFLICT:
      *out << "LF_CONFLICT";
      return;
    case LF_PENDING:
      *out << "LF_PENDING";
      return;
    case LF_FAILED:
      *out << "LF_FAILED";
      return;
  }
  *out << "code " << static_cast<int>(code);
}

namespace levelfield {

Tested& TestedHere() {
  static Tested tested;
  return tested;
}

std::vector<std::string> EnginesToTest() {
  const std::string& engine = TestedHere().engine;
  return engine.empty() ? FindEngines(EnginePlaces()) : std::vector<std::string>{engine};
}

void Set(SettingList& settings, const std::string& name, const std::string& value) {
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  settings.emplace_back(name, value);
}

void Set(SettingList& settings, const SettingList& others) {
  for (const auto& [name, value] : others) Set(settings, name, value);
}

void PrintTo(const Answer& answer, std::ostream* out) {
  PrintTo(answer.code, out);
  if (answer.code != LF_OK) return;
  *out << " key " << Quote(answer.key) << " value " << Quote(answer.value) << " ("
       << answer.value.size() << " bytes)";
}

Answer EntryAt(const Model& model, Model::const_iterator it) {
  return it == model.end() ? NotFound() : Entry(it->first, it->second);
}

Answer EntryBefore(const Model& model, Model::const_iterator it) {
  return it == model.begin() ? NotFound() : EntryAt(model, std::prev(it));
}

Answer SeekIn(const Model& model, lf_seek how, const std::string& key) {
  switch (how) {
    case LF_FIRST:
      return EntryAt(model, model.begin());
    case LF_LAST:
      return EntryBefore(model, model.end());
    case LF_AT_OR_AFTER:
      return EntryAt(model, model.lower_bound(key));
    case LF_AT_OR_BEFORE:
      return EntryBefore(model, model.upper_bound(key));
  }
  return NotFound();
}

TestSession::TestSession(Store& store)
    : table_(store.engine().table()), session_(Must(store.BeginSession())) {}

lf_code TestSession::Put(std::string_view key, std::string_view value) {
  CountStep();
  return table_.put(get(), Bytes(key), Bytes(value));
}

lf_code TestSession::Erase(std::string_view key) {
  CountStep();
  return table_.erase(get(), Bytes(key));
}

lf_code TestSession::Write(const std::vector<lf_entry>& entries) {
  CountStep();
  return table_.write(get(), entries.data(), entries.size());
}

template <class Call>
Answer TestSession::Read(Call call) {
  lf_bytes key{"", 0};
  lf_bytes value{"", 0};
  Answer answer;
  CountStep();
  answer.code = call(&key, &value);
  if (answer.code == LF_OK) {
    answer.key.assign(key.data, key.size);
    answer.value.assign(value.data, value.size);
  }
  return answer;
}

Answer TestSession::Get(std::string_view key) {
  return Read([&](lf_bytes*, lf_bytes* value) { return table_.get(get(), Bytes(key), value); });
}

Answer TestSession::Seek(lf_seek how, std::string_view key) {
  return Read([&](lf_bytes* found, lf_bytes* value) {
    return table_.seek(get(), how, Bytes(key), found, value);
  });
}

Answer TestSession::Next() {
  return Read([&](lf_bytes* key, lf_bytes* value) { return table_.next(get(), key, value); });
}

Answer TestSession::Prev() {
  return Read([&](lf_bytes* key, lf_bytes* value) { return table_.prev(get(), key, value); });
}

Model TestSession::Everything() {
  Model all;
  Answer answer = Seek(LF_FIRST);
  for (; answer.code == LF_OK; answer = Next()) {
    if (!all.empty() && answer.key <= all.rbegin()->first) {
      ADD_FAILURE() << "a scan went from " << Quote(all.rbegin()->first) << " to "
                    << Quote(answer.key);
      return all;
    }
    all.emplace_hint(all.end(), answer.key, answer.value);
  }
  EXPECT_EQ(answer.code, LF_NOT_FOUND) << table_.last_error();
  return all;
}

Model TestSession::EverythingBackwards() {
  Model all;
  Answer answer = Seek(LF_LAST);
  for (; answer.code == LF_OK; answer = Prev()) {
    if (!all.empty() && answer.key >= all.begin()->first) {
      ADD_FAILURE() << "a scan backwards went from " << Quote(all.begin()->first) << " to "
                    << Quote(answer.key);
      return all;
    }
    all.emplace_hint(all.begin(), answer.key, answer.value);
  }
  EXPECT_EQ(answer.code, LF_NOT_FOUND) << table_.last_error();
  return all;
}

SettingList BaseSettings(std::string_view durability) {
  SettingList settings = {{"durability", std::string(durability)},
                          {"expected_keys", "10000"},
                          {"expected_value_bytes", "100"}};
  Set(settings, TestedHere().settings);
  return settings;
}

Engine LoadOrThrow(const std::string& text) {
  return Must(LoadEngine(Must(ParseEngineSpec(text)), EnginePlaces()));
}

std::string Noise(size_t bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string noise(bytes, '\0');
  for (char& byte : noise) byte = static_cast<char>(random() >> 56);
  return noise;
}

void Conformance::SetUp() {
  CountStep();
  engine_ = LoadOrThrow(GetParam());
}

const lf_durability& Conformance::Durability(std::string_view name) const {
  const lf_durability* row = engine().table().durabilities;
  while (row->name != name) ++row;  // The loader has seen to it that all three are there.
  return *row;
}

std::string Conformance::WeakestClass() const {
  for (const char* name : {"none", "process"}) {
    if (Durability(name).level != LF_REFUSED) return name;
  }
  return "synced";
}

Store Conformance::Open(std::string_view durability, const SettingList& options) {
  SettingList settings = BaseSettings(durability);
  Set(settings, options);
  return Must(Store::Open(engine(), directory(), settings));
}

std::string Conformance::Reason() const {
  const char* reason = engine().table().last_error();
  EXPECT_NE(reason, nullptr);
  EXPECT_STRNE(reason, "") << "refused without a reason";
  return reason != nullptr ? reason : "";
}

bool Conformance::WorksOrSaysWhyNot(lf_code code, const std::string& what) const {
  if (code == LF_OK) return true;
  const std::string reason = Reason();
  EXPECT_EQ(code, LF_UNSUPPORTED) << what << ": " << reason;
  std::cout << "[ unsupported ] " << GetParam() << ": " << what << ": " << Printable(reason)
            << "\n";
  return false;
}

void AnswersConformance::SetUp() {
  Conformance::SetUp();
  if (Has(LF_NO_ANSWERS)) GTEST_SKIP() << "its answers cannot be checked";
}

std::string ParameterName(const ::testing::TestParamInfo<std::string>& info) {
  // gtest takes letters, digits and '_' in names; "rocksdb@7.8.3" is "rocksdb_7_8_3".
  std::string name = info.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace levelfield
