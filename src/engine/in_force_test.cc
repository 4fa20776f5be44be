#include "engine/in_force.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::in_force_test {

TEST(InForce, WhatWasAskedForAndIsInForceSaysNothing) {
  const SettingList asked = {{"cache_size", "8"}, {"pages", "4096"}, {"defaults", "pages"}};
  EXPECT_THAT(
      Must(CompareInForce(
          asked, {.values = {{"cache_size", "8"}, {"pages", "4096"}, {"other", "1"}},
                  .overridden = {}})),
      IsEmpty());
  EXPECT_THAT(Must(CompareInForce(asked, {})), IsEmpty());  // An engine that tells nothing.
}

TEST(InForce, WhatWasAskedForAndIsNotInForceIsRefusedWithAllOfIt) {
  const SettingList asked = {{"cache_size", "8"}, {"pages", "4096"}, {"log", "1"}};
  EXPECT_EQ(UsageErrorOf(CompareInForce(
                asked, {.values = {{"cache_size", "9"}, {"pages", "512"}, {"log", "1"}},
                        .overridden = {{"pages", "512", "the store", ""}}})),
            "cache_size=8 was asked for, and 9 is in force; pages=4096 was asked for, and 512 is "
            "in force, because of the store: leave the option out, or ask for what is in force");
}

TEST(InForce, ADefaultThatIsNotInForceGivesWayToWhatIs) {
  const SettingList asked = {
      {"pages", "4096"}, {"log", "1"}, {"mode", "wal"}, {"defaults", "pages,log,mode"}};
  const auto gave_way = Must(
      CompareInForce(asked, {.values = {{"pages", "512"}, {"log", "2"}},
                             .overridden = {{"pages", "512", "the store", ""},
                                            {"mode", "delete", "options_file=x", ""}}}));
  EXPECT_THAT(gave_way, ElementsAre(OverriddenDefault{"pages", "512", "the store", "4096"},
                                    OverriddenDefault{"log", "2", "", "1"},
                                    OverriddenDefault{"mode", "delete", "options_file=x", "wal"}));
  EXPECT_EQ(NoteOf(gave_way[0]), "pages=512, because of the store; without that it is 4096");
  EXPECT_EQ(NoteOf(gave_way[1]), "log=2 is in force, and not the default 1");
}

TEST(InForce, WhatAnEngineTellsIsBelievedBeforeTheCauseThatItNames) {
  const SettingList asked = {{"pages", "4096"}, {"defaults", "pages"}};
  const OverriddenDefault cause{"pages", "512", "the store", ""};
  EXPECT_THAT(
      Must(CompareInForce(asked, {.values = {{"pages", "4096"}}, .overridden = {cause}})),
      IsEmpty());
}

}  // namespace levelfield::in_force_test
