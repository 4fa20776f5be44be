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

}  // namespace levelfield::quote_test
