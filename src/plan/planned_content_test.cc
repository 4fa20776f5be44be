#include "plan/planned_content.h"

#include "base/matchers_for_test.h"
#include "plan/plan_for_test.h"
#include "plan/preflight.h"
#include "workload/value_source.h"

namespace levelfield::planned_content_test {

StoreContent OfValues(uint64_t smallest, bool describes_itself) {
  StoreContent content;
  content.smallest_value = smallest;
  content.largest_value = 100;
  content.describes_itself = describes_itself;
  content.opened = 2;
  return content;
}

TEST(PlannedContent, OfAStoreWithoutPhasesHasNoValues) {
  PlannedVariant variant;
  variant.engines.resize(1);
  const Trial trial = {.what = {&variant, &variant.engines.front()}, .results = "/results"};
  const StoreContent content = PlannedContent(trial);
  EXPECT_EQ(content.smallest_value, 0u);
  EXPECT_EQ(content.largest_value, 0u);
}

TEST(PlannedContent, LetsValuesBeCheckedOnlyWhereAllOfThemCanNameTheirVersion) {
  constexpr uint64_t kEnough = ValueSource::kHeaderBytes;
  EXPECT_TRUE(OriginOf(OfValues(kEnough, true)).knows_values);
  EXPECT_EQ(OriginOf(OfValues(kEnough, true)).because, "");
  EXPECT_FALSE(OriginOf(OfValues(kEnough - 1, true)).knows_values);
  EXPECT_THAT(OriginOf(OfValues(kEnough - 1, true)).because, HasSubstr("may have values of 15 B"));
  EXPECT_FALSE(OriginOf(OfValues(kEnough, false)).knows_values);
  EXPECT_EQ(OriginOf(OfValues(kEnough, false)).because, "its values do not name their keys");
}

// A turn of an engine with all classes, whose phases write in these.
class InClasses {
 public:
  explicit InClasses(const std::vector<std::string>& names, const Operation* operation) {
    variant_.engines.resize(1);
    variant_.engines.front().description.durabilities = {{"none", LF_D0_NONE, ""},
                                                         {"process", LF_D1_PROCESS, ""},
                                                         {"synced", LF_D4_SYNCED, ""},
                                                         {"refused", LF_REFUSED, ""}};
    for (const std::string& name : names) {
      PlannedPhase& phase = variant_.phases.emplace_back();
      phase.durability = name;
      phase.workload.need = StoreNeed::kAny;
      phase.workload.roles.emplace_back().operation = operation;
    }
  }
  StoreContent After(StoreContent content) const {
    AddDurability({.what = {&variant_, &variant_.engines.front()}, .results = {}}, content);
    return content;
  }

 private:
  PlannedVariant variant_;
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

uint64_t Largest(const std::string& benchmarks) {
  return LargestValueOf(Phases({"--benchmarks=" + benchmarks, "--num=1000", "--value_size=100"}));
}

TEST(ValueGrowth, AddsUpOverThePhases) {
  EXPECT_EQ(Largest("fillseq"), 100u);
  EXPECT_EQ(Largest("fillseq,appendrandom"), 201u);
  EXPECT_EQ(Largest("fillseq,appendrandom,appendrandom,readrandom"), 302u);
  EXPECT_EQ(Largest("fillseq,appendrandom[X3]"), 403u);
  EXPECT_EQ(Largest("fill100K,appendrandom"), 100'101u);
  EXPECT_EQ(Largest("fillseq,appendrandom,fillseq,appendrandom"), 201u) << "of an emptied store";
  EXPECT_EQ(Largest("fillseq,appendrandom,xorupdaterandom,deleterandom"), 201u);
}

TEST(ValueGrowth, GoesOnFromAStoreThatExisted) {
  const auto phases =
      Phases({"--benchmarks=fillseq,appendrandom", "--num=1000", "--value_size=100"});
  EXPECT_EQ(LargestValueOf(phases, true, 5000), 5101u);
}

TEST(ValueGrowth, CountsTheRoundsOfTheThreadThatHasTheMost) {
  const auto phases = Phases({"--benchmarks=appendrandom", "--num=10", "--threads=3"});
  const Role& role = phases.back().workload.roles.front();
  ASSERT_EQ(role.threads, 3u);
  // Shares of 3, 3 and 4 keys and as many operations; four operations on three keys might be.
  EXPECT_EQ(LargestValueOf(phases), 100u + 2 * 101);
}

TEST(ValueGrowth, BeyondAllBoundsIsRefused) {
  EXPECT_THAT(Refusal({"--benchmarks=fillseq,appendrandom[X1000]", "--value_size=4M"}),
              AllOf(HasSubstr("appendrandom"), HasSubstr("1073741824"), HasSubstr("--value_size")));
}

TEST(ValueGrowth, ForATimeIsRefused) {
  EXPECT_THAT(Refusal({"--benchmarks=fillseq,appendrandom", "--duration=2"}),
              AllOf(HasSubstr("appendrandom"), HasSubstr("--duration=2")));
  EXPECT_EQ(Refusal({"--benchmarks=fillseq,xorupdaterandom", "--duration=2"}), "");
}

TEST(ValueGrowth, NeedsRoomInMemoryAndOnTheDisk) {
  const auto plain = Phases({"--benchmarks=fillseq,overwrite[X9]", "--value_size=1M"});
  const auto grown = Phases({"--benchmarks=fillseq,appendrandom[X9]", "--value_size=1M"});
  EXPECT_GT(NeededMemoryBytes(grown), NeededMemoryBytes(plain) + (40u << 20));
  const Settings settings = With({"--value_size=1M", "--num=1000000"});
  EXPECT_GT(NeededDiskBytes(settings, grown), 9 * NeededDiskBytes(settings, plain));
}

}  // namespace levelfield::planned_content_test
