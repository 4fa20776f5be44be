#include "base/quote.h"

#include <gtest/gtest.h>

namespace levelfield::quote_test {

TEST(Quote, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(Quote("zstd"), "\"zstd\"");
  EXPECT_EQ(Quote(""), "\"\"");
  EXPECT_EQ(Quote("größer"), "\"größer\"");
}

TEST(Quote, LetsNoControlCharacterOrBrokenUtf8Through) {
  EXPECT_EQ(Quote(std::string_view("a\0b", 3)), "\"a?b\"");
  EXPECT_EQ(Quote("a\x1b[31m\n"), "\"a?[31m?\"");
  EXPECT_EQ(Printable("\xff\xc0\xaf\xed\xa0\x80\xe2\x82"), "????????");
}

TEST(Quote, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(Quote("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(Quote("aöb", 2), "\"a...\"");
  EXPECT_EQ(Quote(std::string(1000, 'x')).size(), 80u + 5u);
}

TEST(Printable, ControlsBeyondAsciiAndTurnsOfDirectionAreReplaced) {
  EXPECT_EQ(Printable("a\u009b31mb\u0080"), "a?31mb?");
  EXPECT_EQ(Printable("a\u202eb\u2069\u202a"), "a?b??");
  EXPECT_EQ(Printable("\u00a0\u00e9\u2029\u202f\u2065\u206a"),
            "\u00a0\u00e9\u2029\u202f\u2065\u206a");
}

TEST(Shortened, KeepsWhatIsNotTooLong) {
  const std::string path = "/" + std::string(900, 'p');
  EXPECT_EQ(Shortened(path + ": no such file\n"), path + ": no such file\n");
  EXPECT_EQ(Shortened(""), "");
  EXPECT_EQ(Shortened("a"), "a");
}

TEST(Shortened, CutsAWordThatSomebodyTypedWithoutEnd) {
  const std::string typed(100'000, 'a');
  const std::string cut = Shortened("--num=" + typed + ": is no number");
  EXPECT_TRUE(cut.starts_with("--num=aaaa")) << cut;
  EXPECT_TRUE(cut.ends_with("aaa: is no number")) << cut;
  EXPECT_LT(cut.size(), 300u);
}

TEST(Shortened, CutsTheMiddleOfManyWords) {
  std::string typed;
  for (int i = 0; i < 50'000; ++i) typed += "a ";
  const std::string cut = Shortened("flag " + typed + "is not known");
  EXPECT_TRUE(cut.starts_with("flag a a")) << cut;
  EXPECT_TRUE(cut.ends_with("is not known")) << cut;
  EXPECT_LT(cut.size(), 8u << 10);
}

TEST(Shortened, CutsNoCharacter) {
  std::string typed;
  for (int i = 0; i < 10'000; ++i) typed += "\u20ac";
  for (const char* const before : {"", "x", "xx"}) {
    EXPECT_EQ(Printable(Shortened(before + typed)).find('?'), std::string::npos);
  }
}

}  // namespace levelfield::quote_test
