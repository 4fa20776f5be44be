// The man page, as those read it who check such pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kPage = "'" LEVELFIELD "' docs man";

TEST(ManPage, HasNothingForLintToFind) {
  if (!IsInstalled("mandoc")) GTEST_SKIP() << "mandoc is not installed: apt-get install mandoc";
  // It has no date, so that the same source makes the same page.
  EXPECT_THAT(RunCommand(kPage + " | mandoc -T lint -W warning | grep -v 'missing date'").out,
              IsEmpty());
  EXPECT_THAT(RunCommand(kPage + " | sed 's/^.SH NAME/.SH/' | mandoc -T lint -W warning").out,
              HasSubstr("WARNING"))
      << "it does find something in a page that is wrong";
}

TEST(ManPage, SaysOfEveryFlagWhatTheTableSays) {
  if (!IsInstalled("mandoc")) GTEST_SKIP() << "mandoc is not installed: apt-get install mandoc";
  const std::string text = RunCommand(kPage + " | mandoc -T utf8 -O width=1000 | col -bx").out;
  for (const Flag& flag : Flags()) {
    EXPECT_THAT(text, HasSubstr("--" + std::string(flag.name) + "=")) << flag.name;
    std::string help;
    for (const char c : flag.help) {
      if (c != '`') help += c;
    }
    // Sentences are lines of the source, and mandoc puts two spaces between them or one.
    EXPECT_THAT(text, HasSubstr(help.substr(0, help.find(". ")))) << flag.name;
  }
}

TEST(ManPage, IsReadByGroffWithoutAWarning) {
  if (!IsInstalled("groff")) GTEST_SKIP() << "groff is not installed: apt-get install groff";
  EXPECT_THAT(RunCommand(kPage + " | groff -man -Tutf8 -ww -rHY=0 >/dev/null").out, IsEmpty());
}

}  // namespace
}  // namespace levelfield
