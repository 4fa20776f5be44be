// The help, and the verbs that it lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Help(const std::string& words) {
  const CommandResult result = RunCommand("'" LEVELFIELD "' " + words);
  EXPECT_EQ(result.exit_code, 0) << words << result.out;
  return result.out;
}

// As the short help lists them.
std::vector<std::string> VerbNames() {
  std::vector<std::string> names;
  bool is_verb = false;
  for (const std::string& line : LinesOf(Help("--help"))) {
    if (is_verb && !line.starts_with("  ")) break;
    if (is_verb) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    is_verb = is_verb || line == "Verbs:";
  }
  return names;
}

TEST(HelpText, IsShortAndSaysWhereToGo) {
  const std::string help = Help("--help");
  EXPECT_LE(LinesOf(help).size(), 45u) << "a screen";
  for (const std::string& line : LinesOf(help)) EXPECT_LE(line.size(), 120u) << line;
  EXPECT_THAT(help, AllOf(HasSubstr("--benchmarks="), HasSubstr("levelfield help run"),
                          HasSubstr("levelfield completion bash")));
  for (const char* const words : {"", "-h", "help"}) EXPECT_EQ(Help(words), help) << words;
}

TEST(HelpText, EveryVerbHasOneAndIsAVerb) {
  ASSERT_GE(VerbNames().size(), 16u);
  for (const std::string& verb : VerbNames()) {
    const std::string help = Help("help " + verb);
    EXPECT_TRUE(help.starts_with("levelfield " + verb)) << help.substr(0, 200);
    EXPECT_EQ(Help(verb + " --help"), help);
    EXPECT_EQ(Help(verb + " --num=5 -h"), help) << "wherever it stands";
  }
  EXPECT_THAT(RunCommand("'" LEVELFIELD "' helf run").out, HasSubstr("did you mean 'help'?"));
}

TEST(HelpText, OfRunHasEveryFlagBelowTheHeadingOfItsGroup) {
  const std::string help = Help("help run");
  std::string_view group;
  size_t at = 0;
  for (const Flag& flag : Flags()) {
    if (flag.group != group) {
      group = flag.group;
      at = help.find("\n" + std::string(group) + ":\n", at);
      ASSERT_NE(at, std::string::npos) << group;
    }
    at = help.find("\n  --" + std::string(flag.name) + "=", at);
    ASSERT_NE(at, std::string::npos) << flag.name;
  }
  EXPECT_THAT(Help("help report"), AllOf(HasSubstr("--format="), Not(HasSubstr("--num="))));
}

TEST(HelpText, OfAFlagSaysWhatItDoesAndWhatElseSpeaksOfIt) {
  const std::string help = Help("help memory");
  EXPECT_THAT(help, AllOf(HasSubstr("  --memory=0\n"), HasSubstr("memory cgroup"),
                          HasSubstr("--price"), Not(HasSubstr("--seed"))));
  EXPECT_EQ(Help("help --memory"), help);
  EXPECT_EQ(Help("help --memory=1G"), help);
  EXPECT_THAT(Help("help hot"), AllOf(HasSubstr("--hot_keys="), HasSubstr("--zipf_exponent")));
  const CommandResult none = RunCommand("'" LEVELFIELD "' help memroy");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.out, HasSubstr("did you mean 'memory'?"));
}

}  // namespace
}  // namespace levelfield
