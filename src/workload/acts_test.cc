#include "workload/acts.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "workload/workload_file.h"

namespace levelfield::acts_test {

constexpr char kDay[] = R"(summary = a day and a night
family = mixed
needs = loaded store

act = day for 2 s
[user]
op = get
keys = uniform

act = night for 500 ms
[batch]
op = put
keys = shuffled
)";

std::vector<Workload> Parsed(const std::string& text, const Settings& settings = {}) {
  std::vector<Workload> acts;
  for (const WorkloadText& act : ActsIn({"daily", text})) {
    acts.push_back(Must(ParseWorkload(act.name, act.text, settings)));
  }
  return acts;
}

std::string Error(const std::string& text) {
  for (const WorkloadText& act : ActsIn({"daily", text})) {
    const StatusOr<Workload> workload = ParseWorkload(act.name, act.text, Settings());
    if (!workload.ok()) return workload.status().message();
  }
  return "";
}

TEST(Acts, AreWorkloadsOfTheirOwnWithTheHeadOfTheFile) {
  const std::vector<Workload> acts = Parsed(kDay);
  ASSERT_EQ(acts.size(), 2u);
  EXPECT_EQ(acts[0].name, "daily:day");
  EXPECT_EQ(acts[1].name, "daily:night");
  EXPECT_EQ(acts[0].act, (Act{.seconds = 2, .number = 1, .of = 2}));
  EXPECT_EQ(acts[1].act, (Act{.seconds = 0.5, .number = 2, .of = 2}));
  EXPECT_EQ(acts[1].family, "mixed");
  EXPECT_EQ(acts[0].roles.at(0).name, "user");
  EXPECT_EQ(acts[1].roles.at(0).name, "batch");
}

TEST(Acts, BehindTheFirstTakeTheStoreAsTheOneBeforeLeftIt) {
  EXPECT_EQ(Parsed(kDay)[0].need, StoreNeed::kLoaded);
  EXPECT_EQ(Parsed(kDay)[1].need, StoreNeed::kAny);
}

TEST(Acts, EndByTheirTimeWhateverElseIsSaid) {
  for (const Workload& act : Parsed(kDay, {.duration = 7})) {
    EXPECT_FALSE(act.roles[0].ends_by_count);
    EXPECT_TRUE(act.roles[0].until_role.empty());
  }
}

TEST(Acts, ErrorsNameTheLineOfTheFile) {
  std::string text = kDay;
  text.replace(text.find("op = put"), 8, "op = pat");
  EXPECT_THAT(Error(text), AllOf(HasSubstr("daily:night"), HasSubstr("line 12"), HasSubstr("pat")));
}

TEST(Acts, AWorkloadWithoutThemIsItself) {
  const WorkloadText plain{"x", "summary = s\nfamily = f\n[a]\nop = get\nkeys = uniform\nstop = after 1 operations\n"};
  ASSERT_EQ(ActsIn(plain).size(), 1u);
  EXPECT_EQ(ActsIn(plain)[0].text, plain.text);
  EXPECT_EQ(ActOf(plain.text).of, 0u);
}

TEST(Acts, RefuseNonsense) {
  for (const char* const act : {"day", "day for", "day for 5 parsecs", "day for 0.01 s", "a day for 5 s",
                                "day for 5 s (3 of 2)", "day for 5 s (x)"}) {
    std::string text = kDay;
    text.replace(text.find("day for 2 s"), 11, act);
    EXPECT_THAT(Error(text), HasSubstr("`NAME for TIME`")) << act;
  }
}

}  // namespace levelfield::acts_test
