#include "plan/planned_content.h"

#include <gtest/gtest.h>

#include "workload/value_source.h"

namespace levelfield {
namespace {

StoreContent OfValues(uint64_t smallest, bool describes_itself) {
  StoreContent content;
  content.smallest_value = smallest;
  content.largest_value = 100;
  content.describes_itself = describes_itself;
  content.opened = 2;
  return content;
}

TEST(PlannedContent, OfAStoreWithoutPhasesHasNoValues) {
  Alternative alternative;
  alternative.engines.resize(1);
  const Turn turn = {.what = {&alternative, &alternative.engines.front()}, .results = "/results"};
  const StoreContent content = PlannedContent(turn);
  EXPECT_EQ(content.smallest_value, 0u);
  EXPECT_EQ(content.largest_value, 0u);
}

TEST(PlannedContent, LetsValuesBeCheckedOnlyWhereAllOfThemCanNameTheirVersion) {
  constexpr uint64_t kEnough = ValueSource::kHeaderBytes;
  EXPECT_TRUE(OriginOf(OfValues(kEnough, true)).knows_values);
  EXPECT_FALSE(OriginOf(OfValues(kEnough - 1, true)).knows_values);
  EXPECT_FALSE(OriginOf(OfValues(kEnough, false)).knows_values);
}

// A turn of an engine with all classes, whose phases write in these.
class InClasses {
 public:
  explicit InClasses(const std::vector<std::string>& names, const Operation* operation) {
    alternative_.engines.resize(1);
    alternative_.engines.front().description.durabilities = {{"none", LF_D0_NONE, ""},
                                                             {"process", LF_D1_PROCESS, ""},
                                                             {"synced", LF_D4_SYNCED, ""},
                                                             {"refused", LF_REFUSED, ""}};
    for (const std::string& name : names) {
      PlannedPhase& phase = alternative_.phases.emplace_back();
      phase.durability = name;
      phase.workload.need = StoreNeed::kAny;
      phase.workload.roles.emplace_back().operation = operation;
    }
  }
  StoreContent After(StoreContent content) const {
    AddDurability({.what = {&alternative_, &alternative_.engines.front()}, .results = {}}, content);
    return content;
  }

 private:
  Alternative alternative_;
};

StoreContent Filled(const std::string& durability) {
  StoreContent content = OfValues(100, true);
  content.durability = durability;
  return content;
}

TEST(PlannedContent, IsOfTheWeakestClassInWhichAnythingIsWritten) {
  const InClasses puts({"synced", "process", "refused"}, FindOperation("put"));
  EXPECT_EQ(puts.After({}).durability, "process");
  EXPECT_EQ(puts.After(Filled("synced")).durability, "process");
  EXPECT_EQ(puts.After(Filled("none")).durability, "none") << "what is there stays as weak";
  EXPECT_EQ(puts.After(Filled("")).durability, "") << "what was not known stays so";
  const InClasses gets({"none"}, FindOperation("get"));
  EXPECT_EQ(gets.After(Filled("synced")).durability, "synced");
  const InClasses compactions({"none"}, FindOperation("compact"));
  EXPECT_EQ(compactions.After(Filled("synced")).durability, "none") << "they write all again";
}

TEST(PlannedContent, GivesEachOpeningVersionsOfItsOwn) {
  StoreContent content = OfValues(100, true);
  const uint32_t second = OriginOf(content).first_version;
  ++content.opened;
  EXPECT_GT(OriginOf(content).first_version, second + 1'000'000);
}

}  // namespace
}  // namespace levelfield
