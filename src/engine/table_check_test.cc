#include "engine/table_check.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::table_check_test {

// A table that is in order; each test spoils one thing in it.
class CheckTableTest : public ::testing::Test {
 protected:
  CheckTableTest() {
    table_.struct_bytes = sizeof(table_);
    table_.name = "good";
    table_.summary = "a table in order";
    table_.license = "BSD-3-Clause";
    table_.options = options_.data();
    table_.durabilities = durabilities_.data();
    table_.describe = [](void*, lf_fact_sink) {};
    table_.last_error = [] { return ""; };
    table_.open = [](const char*, const lf_setting*, size_t, lf_store**) { return LF_OK; };
    table_.close = [](lf_store*) { return LF_OK; };
    table_.begin_session = [](lf_store*, lf_session**) { return LF_OK; };
    table_.end_session = [](lf_session*) {};
    table_.get = [](lf_session*, lf_bytes, lf_bytes*) { return LF_OK; };
    table_.put = [](lf_session*, lf_bytes, lf_bytes) { return LF_OK; };
    table_.erase = [](lf_session*, lf_bytes) { return LF_OK; };
    table_.write = [](lf_session*, const lf_entry*, size_t) { return LF_OK; };
    table_.seek = [](lf_session*, lf_seek, lf_bytes, lf_bytes*, lf_bytes*) { return LF_OK; };
    table_.next = [](lf_session*, lf_bytes*, lf_bytes*) { return LF_OK; };
    table_.prev = [](lf_session*, lf_bytes*, lf_bytes*) { return LF_OK; };
    table_.sync = [](lf_store*) { return LF_OK; };
    table_.compact = [](lf_store*) { return LF_OK; };
  }

  void ExpectRefused(const std::string& member, const std::string& what) {
    const auto checked = CheckTable(&table_, "/x/levelfield_good.so", "good");
    ASSERT_FALSE(checked.ok()) << member << " " << what;
    EXPECT_EQ(checked.status().kind(), ErrorKind::kFailed);
    EXPECT_THAT(checked.status().message(),
                AllOf(HasSubstr("/x/levelfield_good.so: " + member), HasSubstr(what)));
  }

  lf_option& Option(const char* name) {
    for (lf_option& option : options_) {
      if (std::strcmp(option.name, name) == 0) return option;
    }
    ADD_FAILURE() << name;
    return options_.front();
  }

  std::vector<lf_option> options_ = {
      {"cache_size", LF_BYTES, "8M", nullptr, "Of the block cache."},
      {"write_buffer_size", LF_BYTES, "4M", nullptr, "Of the memtable."},
      {"block_size", LF_BYTES, "4k", nullptr, "Of a block."},
      {"bloom_bits", LF_COUNT, "0", nullptr, "For each key."},
      {"compression", LF_CHOICE, "none", "none|zstd", "Of blocks."},
      {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one file."},
      {nullptr, LF_ABSENT, nullptr, nullptr, nullptr}};
  std::vector<lf_durability> durabilities_ = {{"none", LF_REFUSED, "has nothing weaker"},
                                              {"process", LF_D1_PROCESS, "sync = false"},
                                              {"synced", LF_D4_SYNCED, "sync = true"},
                                              {nullptr, LF_REFUSED, nullptr}};
  lf_engine table_{};
};

TEST_F(CheckTableTest, TakesATableInOrder) {
  EXPECT_EQ(Must(CheckTable(&table_, "f", "good")).open, table_.open);
}

TEST_F(CheckTableTest, RefusesAnAlternativeThatNobodyCouldTryOrLookUp) {
  const lf_alternative good = {"large", "cache_size=1G", "process", "Larger is faster.",
                               "https://example.org/"};
  std::vector<lf_alternative> rows = {good, {nullptr, nullptr, nullptr, nullptr, nullptr}};
  table_.alternatives = rows.data();
  ASSERT_TRUE(CheckTable(&table_, "f", "good").ok());
  const auto refuses = [&](const char* lf_alternative::*member, const char* text,
                           const std::string& name, const std::string& what) {
    rows.front() = good;
    rows.front().*member = text;
    ExpectRefused("alternatives[0]." + name, what);
  };
  refuses(&lf_alternative::settings, "cash_size=1G", "settings", "no option");
  refuses(&lf_alternative::settings, "cache_size", "settings", "no option with a value");
  refuses(&lf_alternative::classes, "process,safe", "classes", "no class");
  refuses(&lf_alternative::because, "", "because", "is empty");
  refuses(&lf_alternative::link, "somewhere", "link", "leads nowhere");
}

TEST_F(CheckTableTest, RefusesNoTableAtAll) {
  EXPECT_THAT(CheckTable(nullptr, "f", "good").status().message(), HasSubstr("returned null"));
}

TEST_F(CheckTableTest, AnOlderTableReadsAsOneWithoutTheLaterMembers) {
  table_.struct_bytes = offsetof(lf_engine, size_on_disk);
  // What lies beyond the older table's end is not its own and must not be read.
  std::memset(reinterpret_cast<char*>(&table_) + table_.struct_bytes, 0x5a,
              sizeof(table_) - table_.struct_bytes);
  const auto checked = Must(CheckTable(&table_, "f", "good"));
  EXPECT_EQ(checked.size_on_disk, nullptr);
  EXPECT_EQ(checked.property, nullptr);
  EXPECT_EQ(checked.properties, nullptr);
  EXPECT_EQ(checked.counters, nullptr);
}

TEST_F(CheckTableTest, ANewerTableLosesOnlyWhatWeDoNotKnow) {
  struct Newer {
    lf_engine known;
    void* unknown[3];
  } newer{table_, {}};
  newer.known.struct_bytes = sizeof(newer);
  EXPECT_EQ(Must(CheckTable(&newer.known, "f", "good")).compact, table_.compact);
}

TEST_F(CheckTableTest, RefusesASizeThatNoTableHas) {
  for (const size_t bytes : {size_t{0}, size_t{8}, offsetof(lf_engine, compact),
                             sizeof(lf_engine) - 1, size_t{1} << 20, SIZE_MAX}) {
    table_.struct_bytes = bytes;
    ExpectRefused("struct_bytes", std::to_string(bytes));
  }
}

TEST_F(CheckTableTest, RefusesEveryMissingMemberByName) {
  const auto without = [this](auto lf_engine::*member, const char* name) {
    const auto kept = table_.*member;
    table_.*member = nullptr;
    ExpectRefused(name, "is null");
    table_.*member = kept;
  };
  without(&lf_engine::name, "name");
  without(&lf_engine::summary, "summary");
  without(&lf_engine::license, "license");
  without(&lf_engine::options, "options");
  without(&lf_engine::durabilities, "durabilities");
  without(&lf_engine::describe, "describe");
  without(&lf_engine::last_error, "last_error");
  without(&lf_engine::open, "open");
  without(&lf_engine::close, "close");
  without(&lf_engine::begin_session, "begin_session");
  without(&lf_engine::end_session, "end_session");
  without(&lf_engine::get, "get");
  without(&lf_engine::put, "put");
  without(&lf_engine::erase, "erase");
  without(&lf_engine::write, "write");
  without(&lf_engine::seek, "seek");
  without(&lf_engine::next, "next");
  without(&lf_engine::prev, "prev");
  without(&lf_engine::sync, "sync");
  without(&lf_engine::compact, "compact");
  EXPECT_TRUE(CheckTable(&table_, "f", "good").ok());
}

TEST_F(CheckTableTest, RefusesANameThatIsNotTheFiles) {
  table_.name = "other";
  ExpectRefused("name", "\"other\"");
  table_.name = "Good";
  ExpectRefused("name", "a-z");
}

TEST_F(CheckTableTest, RefusesTextsThatAreNotOneBoundedLine) {
  table_.summary = "";
  ExpectRefused("summary", "is empty");
  table_.summary = "two\nlines";
  ExpectRefused("summary", "control");
  const std::string long_text(100000, 'x');
  table_.summary = long_text.c_str();
  ExpectRefused("summary", "longer than 4096");
  table_.summary = "\xff\xfe";
  ExpectRefused("summary", "UTF-8");
}

TEST_F(CheckTableTest, RefusesOptionsOutOfForm) {
  Option("bloom_bits").name = "cache_size";
  ExpectRefused("options[3].name", "repeats \"cache_size\"");
  options_[3].name = "Bloom";
  ExpectRefused("options[3].name", "a-z");
  options_[3].name = "bloom_bits";

  const int unknown = 99;
  std::memcpy(&options_[3].kind, &unknown, sizeof(options_[3].kind));
  ExpectRefused("option bloom_bits.kind", "99");
  options_[3].kind = LF_BYTES;
  ExpectRefused("option bloom_bits.kind", "LF_ABSENT");
  options_[3].kind = LF_COUNT;

  options_[3].help = nullptr;
  ExpectRefused("option bloom_bits.help", "is null");
  options_[3].help = "For each key.";
  options_[3].default_value = nullptr;
  ExpectRefused("option bloom_bits.default_value", "is null");
}

TEST_F(CheckTableTest, RefusesAChoiceWithoutChoices) {
  lf_option& compression = Option("compression");
  for (const auto& [choices, what] :
       std::vector<std::pair<const char*, const char*>>{{nullptr, "is null"},
                                                        {"", "is empty"},
                                                        {"none|", "empty choice"},
                                                        {"none|zstd|none", "\"none\" twice"}}) {
    compression.choices = choices;
    ExpectRefused("option compression.choices", what);
  }
}

TEST_F(CheckTableTest, RefusesACommonOptionWithoutAnAnswer) {
  options_.erase(options_.begin() + 2);
  table_.options = options_.data();
  ExpectRefused("options", "\"block_size\"");
}

TEST_F(CheckTableTest, RefusesATableOfOptionsThatDoesNotEnd) {
  std::vector<std::string> names;
  for (int i = 0; i < 2000; ++i) names.push_back("o" + std::to_string(i));
  std::vector<lf_option> endless;
  for (const std::string& name : names) endless.push_back({name.c_str(), LF_TEXT, "-", "", "x"});
  table_.options = endless.data();
  ExpectRefused("options", "does not end");
}

TEST_F(CheckTableTest, RefusesDurabilitiesOutOfForm) {
  durabilities_[0].settings = nullptr;
  ExpectRefused("durabilities[0].settings", "is null");
  durabilities_[0].settings = "x";
  durabilities_[1].name = "none";
  ExpectRefused("durabilities[1].name", "repeats");
  durabilities_[1].name = "nearly";
  ExpectRefused("durabilities", "\"process\"");
  durabilities_[1].name = "process";
  const int number = -7;
  std::memcpy(&durabilities_[1].level, &number, sizeof(number));
  ExpectRefused("durabilities[1].level", "-7");
}

TEST_F(CheckTableTest, RefusesASnapshotThatCannotBeReadOrReleased) {
  table_.take_snapshot = [](lf_session*, lf_snapshot**) { return LF_OK; };
  ExpectRefused("take_snapshot, release_snapshot and get_at", "all");
  table_.get_at = [](lf_session*, lf_snapshot*, lf_bytes, lf_bytes*) { return LF_OK; };
  ExpectRefused("take_snapshot, release_snapshot and get_at", "all");
  table_.release_snapshot = [](lf_session*, lf_snapshot*) {};
  EXPECT_TRUE(CheckTable(&table_, "/x/levelfield_good.so", "good").ok());
}

TEST_F(CheckTableTest, AnOlderTableLacksWhatCameLater) {
  table_.recognize = [](const char*) { return LF_OK; };
  table_.struct_bytes = offsetof(lf_engine, recognize);
  EXPECT_EQ(Must(CheckTable(&table_, "/x/levelfield_good.so", "good")).recognize, nullptr);
}

TEST_F(CheckTableTest, RefusesNamesOfPropertiesThatNobodyAnswers) {
  const char* const properties[] = {"good.stats", nullptr};
  table_.properties = properties;
  ExpectRefused("property", "properties");
}

}  // namespace levelfield::table_check_test
