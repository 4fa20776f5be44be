#include "base/text.h"

#include <vector>

#include "base/matchers_for_test.h"

namespace levelfield::text_test {

TEST(Base64, IsThatOfTheStandardsVectors) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, HasTheDigitsOfBytesBeyondAscii) { EXPECT_EQ(Base64("\xfb\xff\xbf"), "+/+/"); }

TEST(TextHash, IsFnv1a) {
  EXPECT_EQ(TextHash(""), "cbf29ce484222325");
  EXPECT_EQ(TextHash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(TextHash("foobar"), "85944171f73967e8");
}

const std::vector<std::string> kNames = {"cache_size", "block_size", "bloom_bits", "compression",
                                         "max_open_files"};

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("cache", "cahe"), 1u);
  EXPECT_EQ(EditDistance("cache", "caache"), 1u);
  EXPECT_EQ(EditDistance("cache", "cacke"), 1u);
  EXPECT_EQ(EditDistance("cache", "cahce"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(NearestName, FindsWhatWasMistyped) {
  EXPECT_EQ(NearestName("cach_size", kNames), "cache_size");
  EXPECT_EQ(NearestName("bolck_size", kNames), "block_size");
  EXPECT_EQ(NearestName("compresion", kNames), "compression");
  EXPECT_EQ(NearestName("max-open-files", kNames), "max_open_files");
  EXPECT_EQ(NearestName("bloom_bits", kNames), "bloom_bits");
  EXPECT_EQ(NearestName("zipfian", std::vector<std::string>{"uniform", "zipf"}), "zipf");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(NearestName("threads", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(NearestName("x", std::vector<std::string>{"y"}), "");
  EXPECT_EQ(NearestName("cache_size", std::vector<std::string>{}), "");
  EXPECT_EQ(NearestName(std::string(100000, 'c'), kNames), "");
}

TEST(NearestName, TakesTheFirstOfThoseThatTie) {
  EXPECT_EQ(NearestName("cat", std::vector<std::string>{"bat", "rat"}), "bat");
}

TEST(WordList, HasNoBlanksAroundItsWordsAndNoEmptyOnes) {
  EXPECT_THAT(Split(" a ,,b c,\t", ','), ElementsAre("a", "b c"));
  EXPECT_THAT(Split(" , ", ','), IsEmpty());
}

TEST(WordList, IsJoinedAsItWasSplit) { EXPECT_EQ(Joined(Split("a, b", ',')), "a,b"); }

TEST(Parts, AreUnchangedAndMayBeEmpty) {
  EXPECT_THAT(Parts(" a,,b ", ','), ElementsAre(" a", "", "b "));
  EXPECT_THAT(Parts("", ','), ElementsAre(""));
}

TEST(Lines, MayBeEmptyButForTheEndOfTheText) {
  EXPECT_THAT(LinesOf("a\n\nb\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(LinesOf("a\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf(""), IsEmpty());
}

TEST(AddOnce, AddsNothingTwice) {
  std::vector<std::string> words = {"a"};
  AddOnce(words, std::string("b"));
  AddOnce(words, std::string("a"));
  EXPECT_THAT(words, ElementsAre("a", "b"));
}

TEST(NearestName, IsTheSameInOtherLettersWhateverElseIsNear) {
  const std::vector<std::string> names = {"lmdc", "lmdb", "fillseq"};
  EXPECT_EQ(NearestName("LMDB", names), "lmdb");
  EXPECT_EQ(NearestName("FillSeq", names), "fillseq");
  EXPECT_EQ(NearestName("XYZ", names), "");
}

TEST(Wrapped, BreaksAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(Wrapped("aaa bbb cc", 2, 7), "aaa bbb\n  cc\n");
  EXPECT_EQ(Wrapped("aaa bbbb cc", 2, 7), "aaa\n  bbbb\n  cc\n");
  EXPECT_EQ(Wrapped("longer_than_that a", 0, 7), "longer_than_that\na\n");
}

TEST(CsvField, IsQuotedIfItHasASeparatorAQuoteOrALineBreak) {
  EXPECT_EQ(CsvField("a b"), "a b");
  EXPECT_EQ(CsvField("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(CsvField("a\r"), "\"a\r\"");
}

TEST(CsvField, IsNoFormulaForASpreadsheet) {
  EXPECT_EQ(CsvField("=1+1"), "'=1+1");
  EXPECT_EQ(CsvField("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(CsvField("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(CsvField("-2+3"), "'-2+3");
  EXPECT_EQ(CsvField("\t=1"), "'\t=1");
  EXPECT_EQ(CsvField("=A1,\"b\""), "\"'=A1,\"\"b\"\"\"");
}

TEST(CsvField, IsANumberStill) {
  for (const char* number : {"-1", "-1.5", "+3", "-2e-3", "-", "7"}) {
    EXPECT_EQ(CsvField(number), number);
  }
}

}  // namespace levelfield::text_test
