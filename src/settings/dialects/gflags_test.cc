#include "settings/dialects/gflags.h"

#include <map>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::gflags_test {

using Words = std::vector<std::string>;

TextByName ByName(std::map<std::string, std::string> texts) {
  return [texts = std::move(texts)](const std::string& name) {
    const auto it = texts.find(name);
    return it == texts.end() ? std::nullopt : std::optional(it->second);
  };
}

const GflagsTexts kTexts = {
    .file = ByName({{"flags",
                     "# A comment.\n\n--num=5\n  -histogram \nother_program\n--reads=1\n"
                     "another\ndb_b*\n--writes=2\n"},
                    {"more", "--flagfile=flags\n--seed=3\n"},
                    {"itself", "--flagfile=itself\n"}}),
    .variable = ByName({{"FLAGS_num", "7"}})};

Words WordsOf(const Words& words) { return Must(ReadGflags("db_bench", words, kTexts)).words; }
std::string RefusalOf(const Words& words) {
  return std::string(ReadGflags("db_bench", words, kTexts).status().message());
}

TEST(Gflags, AFileOfFlagsStandsForItsLines) {
  EXPECT_THAT(WordsOf({"--threads=1", "--flagfile=flags", "--sync"}),
              ElementsAre("--threads=1", "--num=5", "-histogram", "--writes=2", "--sync"));
  EXPECT_THAT(WordsOf({"-flagfile", "flags"}), ElementsAre("--num=5", "-histogram", "--writes=2"));
  EXPECT_THAT(WordsOf({"--flagfile=more"}),
              ElementsAre("--num=5", "-histogram", "--writes=2", "--seed=3"));
}

TEST(Gflags, AFileThatIsMissingOrNamesItselfIsRefused) {
  EXPECT_THAT(RefusalOf({"--flagfile=none"}), HasSubstr("cannot be read"));
  EXPECT_THAT(RefusalOf({"--flagfile=itself"}), HasSubstr("may name itself"));
  EXPECT_THAT(RefusalOf({"--flagfile"}), HasSubstr("needs a value"));
}

TEST(Gflags, NamesThatMayBeUnknownAreKept) {
  const GflagsWords read =
      Must(ReadGflags("db_bench", {"--undefok=a,b", "--num=1", "--undefok", "c"}, kTexts));
  EXPECT_THAT(read.words, ElementsAre("--num=1"));
  EXPECT_THAT(read.may_be_unknown, ElementsAre("a", "b", "c"));
}

TEST(Gflags, TheEnvironmentHasValues) {
  EXPECT_THAT(WordsOf({"--fromenv=num"}), ElementsAre("--num=7"));
  EXPECT_THAT(WordsOf({"--tryfromenv=num,not_there"}), ElementsAre("--num=7"));
  EXPECT_THAT(RefusalOf({"--fromenv=not_there"}), HasSubstr("no FLAGS_not_there"));
}

}  // namespace levelfield::gflags_test
