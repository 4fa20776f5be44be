#include "settings/dialects/gflags.h"

#include <cstdlib>
#include <fstream>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"

namespace levelfield::gflags_test {

using Words = std::vector<std::string>;

Words WordsOf(const Words& words) { return Must(ReadGflags("db_bench", words)).words; }
std::string RefusalOf(const Words& words) {
  return std::string(ReadGflags("db_bench", words).status().message());
}

TEST(Gflags, AFileOfFlagsStandsForItsLines) {
  const TemporaryDirectory directory;
  const std::string path = directory / "flags";
  std::ofstream(path) << "# A comment.\n\n--num=5\n  -histogram \nother_program\n--reads=1\n"
                         "another\ndb_b*\n--writes=2\n";
  EXPECT_THAT(WordsOf({"--threads=1", "--flagfile=" + path, "--sync"}),
              ElementsAre("--threads=1", "--num=5", "-histogram", "--writes=2", "--sync"));
  EXPECT_THAT(WordsOf({"-flagfile", path}), ElementsAre("--num=5", "-histogram", "--writes=2"));
  std::ofstream(directory / "more") << "--flagfile=" + path + "\n--seed=3\n";
  EXPECT_THAT(WordsOf({"--flagfile=" + (directory / "more")}),
              ElementsAre("--num=5", "-histogram", "--writes=2", "--seed=3"));
}

TEST(Gflags, AFileThatIsMissingOrNamesItselfIsRefused) {
  const TemporaryDirectory directory;
  EXPECT_THAT(RefusalOf({"--flagfile=" + (directory / "none")}), HasSubstr("cannot be read"));
  const std::string path = directory / "flags";
  std::ofstream(path) << "--flagfile=" + path + "\n";
  EXPECT_THAT(RefusalOf({"--flagfile=" + path}), HasSubstr("may name itself"));
  EXPECT_THAT(RefusalOf({"--flagfile"}), HasSubstr("needs a value"));
}

TEST(Gflags, NamesThatMayBeUnknownAreKept) {
  const GflagsWords read =
      Must(ReadGflags("db_bench", {"--undefok=a,b", "--num=1", "--undefok", "c"}));
  EXPECT_THAT(read.words, ElementsAre("--num=1"));
  EXPECT_THAT(read.may_be_unknown, ElementsAre("a", "b", "c"));
}

TEST(Gflags, TheEnvironmentHasValues) {
  setenv("FLAGS_num", "7", 1);
  EXPECT_THAT(WordsOf({"--fromenv=num"}), ElementsAre("--num=7"));
  EXPECT_THAT(WordsOf({"--tryfromenv=num,not_there"}), ElementsAre("--num=7"));
  EXPECT_THAT(RefusalOf({"--fromenv=not_there"}), HasSubstr("no FLAGS_not_there"));
  unsetenv("FLAGS_num");
}

}  // namespace levelfield::gflags_test
