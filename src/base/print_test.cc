#include "base/print.h"

#include <gtest/gtest.h>

#include <string>

namespace levelfield::print_test {

// What comes out of it.
std::string Printed(const std::string& text) {
  std::FILE* const file = std::tmpfile();
  EXPECT_NE(file, nullptr);
  EXPECT_TRUE(Print(file, text));
  std::string printed(static_cast<size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(printed.data(), 1, printed.size(), file), printed.size());
  std::fclose(file);
  return printed;
}

TEST(Print, CutsNoCharacterOfALongTextInTwo) {
  std::string lines;
  for (int i = 0; i < 50'000; ++i) lines += "größe\xff\x1b" + std::to_string(i) + "\n";
  EXPECT_EQ(Printed(lines), PrintableLines(lines));
  std::string line;
  for (int i = 0; i < 50'000; ++i) line += "größe";
  EXPECT_EQ(Printed(line), line);
}

TEST(Print, TakesNothingAndALineWithoutAnEnd) {
  EXPECT_EQ(Printed(""), "");
  EXPECT_EQ(Printed("\n"), "\n");
  EXPECT_EQ(Printed("a\nb"), "a\nb");
}

TEST(Print, LetsTheColorsOfReportsThroughAndNothingElse) {
  EXPECT_EQ(WithColors("a \033[1;32mbest\033[0m \033[2J\033]0;name\007 z"),
            "a \033[1;32mbest\033[0m ?[2J?]0;name? z");
  EXPECT_EQ(WithColors("\033"), "?");
  EXPECT_EQ(Printed("\033[1;32mbest\033[0m"), "?[1;32mbest?[0m") << "which is no terminal";
}

}  // namespace levelfield::print_test
