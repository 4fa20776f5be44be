// What an engine says of itself and of its options is what it then does.
#include "engine/options.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "conformance.h"
#include "engine/description.h"

namespace levelfield {
namespace {

class OptionsConformance : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    description_ = Must(Describe(engine()));
  }

  // What the engine says to one more setting, without a directory.
  lf_code Check(const std::string& name, const std::string& value) const {
    std::vector<lf_setting> settings;
    SettingList base = BaseSettings(WeakestClass());
    Set(base, name, value);
    for (const auto& [key, text] : base) settings.push_back({key.c_str(), text.c_str()});
    lf_store* store = nullptr;
    return engine().table().open(nullptr, settings.data(), settings.size(), &store);
  }

  // The check and the open agree, and what opens works and keeps.
  void ExpectChecksAsItOpens(const SettingList& options) {
    const std::string what = ::testing::PrintToString(options);
    const TemporaryDirectory own;
    SettingList settings = BaseSettings(WeakestClass());
    Set(settings, options);
    const Status check = engine().CheckSettings(settings);
    auto store = Store::Open(engine(), own.path(), settings);
    ASSERT_EQ(check.kind(), store.ok() ? ErrorKind::kNone : store.status().kind())
        << what << "\nthe check says: " << check.message()
        << "\nthe open says: " << store.status().message();
    if (!store.ok()) {
      EXPECT_EQ(check.kind(), ErrorKind::kUsage) << what << ": " << check.message();
      std::cout << "[ unsupported ] " << check.message() << "\n";
      return;
    }
    if (Has(LF_NO_ANSWERS)) return;
    Model model;
    for (int i = 0; i < 50; ++i) model[std::to_string(i)] = std::string(300, 'v') + Noise(20);
    {
      TestSession session(*store);
      for (const auto& [key, value] : model) ASSERT_EQ(session.Put(key, value), LF_OK) << what;
    }
    {
      // Another session: an option may have each see the store as it was when it began.
      TestSession session(*store);
      EXPECT_TRUE(Holds(session, model)) << what;
    }
    const Status closed = store->Close();
    ASSERT_TRUE(closed.ok()) << what << ": " << closed.message();
    if (Has(LF_VOLATILE)) return;
    store = Store::Open(engine(), own.path(), settings);
    ASSERT_TRUE(store.ok()) << what << ": " << store.status().message();
    TestSession session(*store);
    EXPECT_TRUE(Holds(session, model)) << what << ", reopened";
  }

  // An option may leave out what scans take.
  static bool Holds(TestSession& session, const Model& model) {
    if (session.Seek(LF_FIRST).code != LF_UNSUPPORTED) return session.Everything() == model;
    return std::ranges::all_of(
        model, [&](const auto& entry) { return session.Get(entry.first).value == entry.second; });
  }

  // The option's default as a setting, where it is a value and not a remark.
  std::optional<std::string> DefaultOf(const OptionDescription& option) const {
    if (option.kind == LF_ABSENT || option.kind == LF_TEXT) return std::nullopt;
    const auto resolved = ResolveEngineSettings(
        description_, {.common = {}, .own = {{option.name, option.default_value}}});
    if (!resolved.ok()) return std::nullopt;
    return resolved->settings.front().second;
  }

  // Whether the check takes the value. It then has to be in force in an open store.
  bool IsTaken(const OptionDescription& option, const std::string& value, bool is_told) {
    SettingList settings = BaseSettings(WeakestClass());
    Set(settings, option.name, value);
    const std::string what = option.name + "=" + value + ": ";
    const Status check = engine().CheckSettings(settings);
    EXPECT_NE(check.kind(), ErrorKind::kFailed) << what << check.message();
    if (!check.ok()) return false;
    const TemporaryDirectory own;
    const StatusOr<Store> store = Store::Open(engine(), own.path(), settings);
    // What is no option of the table, the library alone knows.
    const bool may_refuse = option.kind == LF_TEXT;
    EXPECT_TRUE(store.ok() || (may_refuse && store.status().kind() == ErrorKind::kUsage))
        << what << store.status().message();
    if (!store.ok()) return false;
    const SettingList& in_force = store->InForce();
    const auto found = std::ranges::find(in_force, option.name, &SettingList::value_type::first);
    EXPECT_EQ(found != in_force.end(), is_told) << what << "it is told at times";
    if (found != in_force.end()) {
      EXPECT_EQ(found->second, value) << option.name;
    }
    return true;
  }

  EngineDescription description_;
};

CONFORMANCE_SUITE(Options, OptionsConformance);

TEST_P(Options, WhatIsLoadedIsToldByVersionAndFile) {
  EXPECT_NE(description_.Fact("version"), "");
  std::set<std::string_view> names;
  for (const auto& [name, value] : description_.facts) {
    EXPECT_TRUE(names.insert(name).second) << name << " is told twice";
    EXPECT_NE(value, "") << name << " is told without a value";
  }
  if (Has(LF_FLOOR)) return;
  const std::filesystem::path library = description_.Fact("library");
  EXPECT_TRUE(library.is_absolute()) << library;
  EXPECT_TRUE(std::filesystem::is_regular_file(library)) << library;
}

TEST_P(Options, TheDescriptionSurvivesJson) {
  const auto back = Must(FromJson(nlohmann::ordered_json::parse(ToJson(description_).dump())));
  EXPECT_TRUE(back == description_);
}

TEST_P(Options, AnOptionThatItDoesNotListIsRefused) {
  for (const char* name : {"no_such_option", "cache_size2", "durability", "expected_keys"}) {
    const auto resolved = ResolveEngineSettings(description_, {.common = {}, .own = {{name, "1"}}});
    if (resolved.ok() && Has(LF_MORE_OPTIONS)) {  // Its library knows them all, and this is none.
      EXPECT_EQ(Check(name, "1"), LF_UNSUPPORTED) << name;
      continue;
    }
    ASSERT_FALSE(resolved.ok()) << name;
    EXPECT_EQ(resolved.status().kind(), ErrorKind::kUsage);
  }
}

TEST_P(Options, AChoiceThatItDoesNotListIsRefused) {
  for (const OptionDescription& option : description_.options) {
    if (option.kind != LF_CHOICE) continue;
    for (const std::string& text :
         {std::string(), std::string("no_such_choice"), option.choices.front() + "|"}) {
      const auto resolved =
          ResolveEngineSettings(description_, {.common = {}, .own = {{option.name, text}}});
      EXPECT_FALSE(resolved.ok()) << option.name << "=" << text;
    }
  }
}

TEST_P(Options, EveryDefaultIsAcceptedWhereItIsAValue) {
  SettingList together;
  for (const OptionDescription& option : description_.options) {
    const auto value = DefaultOf(option);
    if (!value.has_value()) {
      if (option.kind != LF_ABSENT) {
        std::cout << "[ recorded    ] " << GetParam() << ": the default of " << option.name
                  << " is for people: " << option.default_value << "\n";
      }
      continue;
    }
    EXPECT_EQ(Check(option.name, *value), LF_OK)
        << option.name << "=" << *value << ": " << engine().table().last_error();
    together.emplace_back(option.name, *value);
  }
  ExpectChecksAsItOpens(together);
}

TEST_P(Options, EachDefaultAloneOpensAndWorks) {
  for (const OptionDescription& option : description_.options) {
    const auto value = DefaultOf(option);
    if (value.has_value()) ExpectChecksAsItOpens({{option.name, *value}});
  }
}

TEST_P(Options, EveryChoiceAndFlagWorksOrSaysWhyNot) {
  for (const OptionDescription& option : description_.options) {
    if (option.kind == LF_FLAG) {
      ExpectChecksAsItOpens({{option.name, "0"}});
      ExpectChecksAsItOpens({{option.name, "1"}});
    }
    for (const std::string& choice : option.choices) ExpectChecksAsItOpens({{option.name, choice}});
  }
}

TEST_P(Options, EveryCommonOptionAtAnOrdinaryValueWorksOrSaysWhyNot) {
  for (const auto& [name, text] : SettingList{{"cache_size", "1M"},
                                              {"write_buffer_size", "2M"},
                                              {"block_size", "16k"},
                                              {"bloom_bits", "10"},
                                              {"max_open_files", "100"}}) {
    const auto resolved =
        Must(ResolveEngineSettings(description_, {.common = {{name, text}}, .own = {}}));
    EXPECT_EQ(resolved.settings.size() + resolved.not_applied.size(), 1u);
    if (!resolved.settings.empty()) ExpectChecksAsItOpens(resolved.settings);
  }
}

TEST_P(Options, AnExtremeNumberIsTakenOrRefusedWithAReason) {
  for (const OptionDescription& option : description_.options) {
    if (option.kind != LF_BYTES && option.kind != LF_COUNT) continue;
    for (const char* number : {"0", "1", "3", "4294967296", "18446744073709551615"}) {
      const lf_code code = Check(option.name, number);
      if (code == LF_OK) continue;
      const std::string reason = Reason();
      EXPECT_EQ(code, LF_UNSUPPORTED) << option.name << "=" << number << ": " << reason;
    }
  }
}

TEST_P(Options, WhatIsInForceIsToldOnceAndAsItIsTyped) {
  const Store store = Open();
  std::set<std::string_view> names;
  for (const auto& [name, value] : store.InForce()) {
    EXPECT_TRUE(names.insert(name).second) << name << " is told twice";
    const OptionDescription* const option = description_.FindOption(name);
    if (name == "durability" || (option == nullptr && Has(LF_MORE_OPTIONS))) continue;
    ASSERT_NE(option, nullptr) << name << " is no option";
    if (option->kind == LF_CHOICE) continue;  // A store may be in a state that nobody can choose.
    const auto typed =
        ResolveEngineSettings(description_, {.common = {}, .own = {{name, value}}});
    if (!typed.ok() && value == option->default_value) continue;  // A word, like "all" files.
    ASSERT_TRUE(typed.ok()) << typed.status().message();
    EXPECT_EQ(typed->settings.front().second, value) << name;
  }
}

// Other values than `value`, which an option of this kind has by default.
std::vector<std::string> OtherValues(const OptionDescription& option, const std::string& value) {
  std::vector<std::string> others = option.choices;
  if (option.kind == LF_FLAG) others = {"0", "1"};
  if (option.kind == LF_TEXT && (value == "true" || value == "false")) others = {"true", "false"};
  const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  if (option.kind == LF_BYTES || option.kind == LF_COUNT || (option.kind == LF_TEXT && is_number)) {
    const uint64_t number = is_number ? std::strtoull(value.c_str(), nullptr, 10) : 0;
    others = {std::to_string(2 * number), std::to_string(number + 3), "16384", "25000000", "150"};
  }
  std::erase(others, value);
  return others;
}

std::optional<std::string> ValueIn(const SettingList& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &SettingList::value_type::first);
  if (found == settings.end()) return std::nullopt;
  return found->second;
}

// By an open store. What its check has taken, the library has in force, if it tells.
TEST_P(Options, EachAtAnotherValueIsInForceRefusedOrListedAsUntold) {
  const SettingList told = Open().InForce();
  std::vector<OptionDescription> options = description_.options;
  for (const auto& [name, value] : told) {  // Further ones of the library (LF_MORE_OPTIONS).
    if (name == "durability" || description_.FindOption(name) != nullptr) continue;
    options.push_back(
        {.name = name, .kind = LF_TEXT, .default_value = value, .choices = {}, .help = {}});
  }
  std::vector<std::string> untold;
  std::vector<std::string> never_taken;
  for (const OptionDescription& option : options) {
    if (option.kind == LF_ABSENT) continue;
    const std::optional<std::string> in_force = ValueIn(told, option.name);
    if (!in_force) untold.push_back(option.name);
    const bool is_number = option.kind != LF_FLAG && option.kind != LF_CHOICE;
    bool is_taken = false;
    for (const std::string& value :
         OtherValues(option, in_force.value_or(DefaultOf(option).value_or("")))) {
      if (is_number && is_taken) break;  // One will do.
      is_taken = IsTaken(option, value, in_force.has_value()) || is_taken;
    }
    if (in_force && !is_taken) never_taken.push_back(option.name);
  }
  std::cout << "[ recorded    ] " << GetParam() << ": tells " << told.size() << ", not "
            << Joined(untold, ", ") << "; has refused all tried of " << Joined(never_taken, ", ")
            << "\n";
}

TEST_P(Options, CheckingSettingsCreatesNothing) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory());
  const SettingList base = BaseSettings(WeakestClass());
  std::vector<lf_setting> settings;
  for (const auto& [name, value] : base) settings.push_back({name.c_str(), value.c_str()});
  char sentinel = 0;
  auto* const untouched = reinterpret_cast<lf_store*>(&sentinel);
  lf_store* store = untouched;
  const lf_code code = engine().table().open(nullptr, settings.data(), settings.size(), &store);
  std::filesystem::current_path(before);
  EXPECT_EQ(code, LF_OK) << engine().table().last_error();
  EXPECT_EQ(store, untouched) << "*store is to be left alone";
  EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

TEST_P(Options, EveryPropertyItListsIsAnswered) {
  const lf_engine& table = engine().table();
  if (table.property == nullptr) GTEST_SKIP() << "has no properties";
  Store store = Open();
  {
    TestSession session(store);
    ASSERT_EQ(session.Put("k", "v"), LF_OK);
  }
  for (const std::string& name : description_.properties) {
    const char* text = nullptr;
    ASSERT_EQ(table.property(store.get(), name.c_str(), &text), LF_OK) << name;
    ASSERT_NE(text, nullptr) << name;
    EXPECT_STRNE(text, "") << name;
  }
  for (const char* name : {"", "no.such.property"}) {
    const char* text = nullptr;
    EXPECT_NE(table.property(store.get(), name, &text), LF_OK) << Quote(name);
  }
}

// What the store is configured as, which two openings with the same settings have in common.
TEST_P(Options, ItsConfigurationIsToldOrRefusedWithAReason) {
  if (engine().table().property == nullptr) GTEST_SKIP() << "has no properties";
  std::string told[2];
  for (std::string& text : told) {
    Store store = Open();
    const char* answer = nullptr;
    const lf_code code = engine().table().property(store.get(), "options", &answer);
    if (!WorksOrSaysWhyNot(code, "options")) return;
    ASSERT_NE(answer, nullptr);
    text = answer;
    EXPECT_NE(text, "");
  }
  EXPECT_EQ(told[0], told[1]);
}

TEST_P(Options, CountersHaveNamesAndEachOnce) {
  const lf_engine& table = engine().table();
  if (table.counters == nullptr) GTEST_SKIP() << "has no counters";
  Store store = Open();
  std::vector<std::string> names;
  table.counters(store.get(), &names, [](void* context, const char* name, uint64_t) {
    static_cast<std::vector<std::string>*>(context)->emplace_back(name != nullptr ? name : "");
  });
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) EXPECT_NE(name, "");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace levelfield
