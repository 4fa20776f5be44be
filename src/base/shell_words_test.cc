#include "base/shell_words.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::shell_words_test {

const std::vector<std::string> kAwkward = {
    "run",
    "--num=5",
    "/tmp/my results",
    "--db=/tmp/it's here",
    "it's",
    "",
    "--name=",
    "--slo=p99<1ms",
    "*",
    "$HOME",
    "~",
    "a;b",
    "`id`",
    "$(id)",
    "\"",
    "back\\slash",
    "#",
    "!",
    "stra\u00dfe",
    "--x=a b=c",
    "line\nbreak",
    "tab\tand 'quote' \\n",
    "\x1b[31m",
    "\xff\xfe",
    "{a,b}"};

TEST(ShellWord, IsLeftAsItIsWhereNoShellReadsItOtherwise) {
  for (const char* const word : {"run", "--num=100k", "results/2026-11-27T00:08:10-run",
                                 "rocksdb@system", "--mix=get:80,put:15", "--warmup=5%"}) {
    EXPECT_EQ(ShellWord(word), word);
  }
}

TEST(ShellWord, QuotesTheValueOfAFlag) {
  EXPECT_EQ(ShellWord("--db=/tmp/my store"), "--db='/tmp/my store'");
  EXPECT_EQ(ShellWord("/tmp/it's"), "'/tmp/it'\\''s'");
  EXPECT_EQ(ShellWord("a\nb"), "$'a\\x0ab'");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(ShellLine, IsReadBackAsTheSameWords) {
  EXPECT_EQ(Must(WordsOfShellLine(ShellLine(kAwkward))), kAwkward);
  EXPECT_THAT(Must(WordsOfShellLine("  ")), IsEmpty());
  EXPECT_THAT(Must(WordsOfShellLine("a  b\\ c\n'd'e")), ElementsAre("a", "b c", "de"));
  for (const char* const line : {"'a", "a $'b", "$'\\'"}) {
    EXPECT_FALSE(WordsOfShellLine(line).ok()) << line;
  }
}

TEST(ShellLine, IsReadByBashAsTheSameWords) {
  const std::string command = "exec bash -c 'printf \"%s\\0\" \"$@\"' bash " + ShellLine(kAwkward);
  std::string of_bash = "bash -c ";
  of_bash += ShellWord(command);
  FILE* const pipe = popen(of_bash.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::vector<std::string> words(1);
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) {
    if (c == 0) {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(c);
    }
  }
  EXPECT_EQ(pclose(pipe), 0);
  words.pop_back();
  EXPECT_EQ(words, kAwkward);
}

TEST(ShellLine, IsPrintable) {
  for (const char c : ShellLine(kAwkward)) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

}  // namespace levelfield::shell_words_test
