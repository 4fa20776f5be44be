#include <gtest/gtest.h>

#include "settings/suite.h"

namespace levelfield {
namespace {

const std::string* Known(const std::string& name) {
  static const std::string value = "7";
  return name == "KEYS" ? &value : nullptr;
}

TEST(SuiteVariables, StandInTextsWithBracesOrWithout) {
  EXPECT_EQ(*Expanded("a=$KEYS,b=${KEYS}k", Known), "a=7,b=7k");
}

TEST(SuiteVariables, ThatAreNotKnownAreMistakes) {
  for (const char* text : {"$KEYSk", "${KEYS", "$", "${}"}) {
    EXPECT_FALSE(Expanded(text, Known).ok()) << text;
  }
}

TEST(SuiteVariables, AreZeroAlsoWhereTheyAreEmpty) {
  const SuiteVariables variables = {{"NONE", ""}, {"ZERO", "0"}, {"ONE", "1"}};
  EXPECT_TRUE(HasZero("$ONE$ZERO", variables));
  EXPECT_TRUE(HasZero("$NONE", variables));
  EXPECT_FALSE(HasZero("0 $ONE", variables));
}

TEST(SuiteVariables, BytesASecondBecomeWritesAndOneAtLeast) {
  SuiteVariables variables = {
      {"MB_WRITE_PER_SEC", "2"}, {"KEY_SIZE", "24"}, {"VALUE_SIZE", "1000"}};
  ASSERT_TRUE(Derive(variables).ok());
  EXPECT_EQ(variables["WRITES_PER_SECOND"], "2048");
  variables["VALUE_SIZE"] = "1g";
  ASSERT_TRUE(Derive(variables).ok());
  EXPECT_EQ(variables["WRITES_PER_SECOND"], "1");
}

}  // namespace
}  // namespace levelfield
