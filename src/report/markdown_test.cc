#include "report/markdown.h"

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/quote.h"

namespace levelfield::markdown_test {

// As GitHub's own reader of Markdown, cmark-gfm, makes HTML of it.
std::string HtmlOf(const std::string& markdown) {
  const TemporaryDirectory directory;
  const std::string path = directory / "page.md";
  Write(path, markdown);
  const std::string command =
      "cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tagfilter " + path;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string html;
  std::array<char, 4096> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), pipe.get())) {
    html.append(block.data(), got);
  }
  return html;
}

// What is seen of it: no tags, no comments, and characters instead of their names.
std::string SeenOf(const std::string& html) {
  std::string seen;
  for (size_t i = 0; i < html.size();) {
    if (html[i] == '<') {
      i = std::min(html.find('>', i), html.size() - 1) + 1;
      continue;
    }
    const std::pair<std::string_view, char> names[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
    size_t length = 1;
    char c = html[i];
    for (const auto& [name, character] : names) {
      if (std::string_view(html).substr(i).starts_with(name)) {
        length = name.size();
        c = character;
      }
    }
    seen += c;
    i += length;
  }
  return seen;
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

template <class Block>
std::string WriteOne(Block block) {
  Report report;
  report.Add(std::move(block));
  return WriteMarkdown(report);
}

constexpr const char* kHostile[] = {
    "a|b",
    "back\\|slash\\",
    "<script>alert(1)</script>",
    "<b>bold</b> &amp; &#64;",
    "**bold** _under_ __init__ ~~gone~~ `code` ``",
    "[a](http://example.org) ![b](c.png) [1]: d",
    "http://example.org https://example.org/a_b www.example.org WWW.example.org",
    "@somebody me@example.org rocksdb@system rocksdb@11.8.1 #12 a#12",
    "compression_ratio=0.5",
};

TEST(MarkdownRenderer, EveryTextIsSeenAsItIsAndBecomesNoMarkup) {
  if (HtmlOf("x").empty()) GTEST_SKIP() << "cmark-gfm is not installed: apt-get install cmark-gfm";
  for (const std::string text : kHostile) {
    const std::string paragraph = HtmlOf(WriteOne(Paragraph{text}));
    EXPECT_EQ(SeenOf(paragraph), text + "\n") << paragraph;
    const std::string item = HtmlOf(WriteOne(Paragraph{text, 4}));
    EXPECT_EQ(Count(item, "<li>"), 1u) << item;
    const std::string table = HtmlOf(WriteOne(Table{.title = "",
                                                    .columns = {{text}},
                                                    .rows = {{text, {"1"}}, {"2", {text}}},
                                                    .layout = Table::Layout::kList,
                                                    .corner = "head"}));
    EXPECT_EQ(Count(table, "<tr>"), 3u) << table;
    EXPECT_EQ(Count(SeenOf(table), text), 3u) << table;
    for (const std::string& html : {paragraph, item, table}) {
      EXPECT_THAT(html, AllOf(Not(HasSubstr("<a ")), Not(HasSubstr("<em")), Not(HasSubstr("<img")),
                              Not(HasSubstr("<strong")), Not(HasSubstr("<del")),
                              Not(HasSubstr("<code")), Not(HasSubstr("<script"))));
    }
  }
}

TEST(MarkdownRenderer, TheReaderOfThatTestDoesMakeMarkupOfWhatIsNotEscaped) {
  if (HtmlOf("x").empty()) GTEST_SKIP() << "cmark-gfm is not installed: apt-get install cmark-gfm";
  EXPECT_THAT(HtmlOf("www.example.org **b** me@example.org"),
              AllOf(HasSubstr("<a "), HasSubstr("<strong"), HasSubstr("mailto")));
  EXPECT_EQ(SeenOf(HtmlOf("a *b*")), "a b\n");
}

TEST(MarkdownRenderer, NobodyIsMentionedByTheNameOfAnEngine) {
  EXPECT_EQ(InMarkdown("rocksdb@11.8.1"), "rocksdb@11.8.1");
  EXPECT_EQ(InMarkdown("@somebody"), "@<!-- -->somebody");
  EXPECT_EQ(InMarkdown("fixes #12"), "fixes #<!-- -->12");
}

TEST(MarkdownRenderer, ParagraphsDoNotBeginWithWhatBeginsSomethingElse) {
  for (const std::string text : {"# a", "- a", "+ a", "1. a", "12) a", "=== ", "---"}) {
    const std::string html = HtmlOf(WriteOne(Paragraph{text}));
    if (html.empty()) GTEST_SKIP() << "cmark-gfm is not installed: apt-get install cmark-gfm";
    EXPECT_THAT(html, AllOf(Not(HasSubstr("<h")), Not(HasSubstr("<li"))));
  }
}

TEST(MarkdownRenderer, ABlockOfCodeHoldsFencesOfItsOwn) {
  const std::string html = HtmlOf(WriteOne(Verbatim{"", "a\n```\n# b\n````\n"}));
  if (html.empty()) GTEST_SKIP() << "cmark-gfm is not installed: apt-get install cmark-gfm";
  EXPECT_EQ(SeenOf(html), "a\n```\n# b\n````\n\n");
  EXPECT_THAT(html, Not(HasSubstr("<h1")));
}

TEST(MarkdownRenderer, ARowHasTheCellsOfTheTerminalsAndNoMore) {
  const Table table{.title = "readrandom, ops/s",
                    .columns = {{"leveldb"}, {"we|rd"}},
                    .rows = {{"readrandom", {RateCell(1e6), ""}},
                             {"p50", {LatencyCell(uint64_t{1000}), "a|b"}, true}}};
  EXPECT_EQ(WriteOne(table),
            "### readrandom, ops/s\n\n"
            "|  | leveldb | we\\|rd |\n"
            "| :-- | --: | --: |\n"
            "| **readrandom** | 1.00 M |  |\n"
            "| p50 | 1.00 us | a\\|b |\n");
}

TEST(Markdown, TakesParagraphsOfAnyIndent) {
  Report report;
  for (const size_t indent : {0, 1, 2, 3, 4, 5, 6, 7, 8, 12}) {
    report.Add(Paragraph{"words", indent});
  }
  const std::string text = WriteMarkdown(report, 100);
  EXPECT_THAT(text, HasSubstr("- words"));
  EXPECT_EQ(HtmlOf(text).find("<code>"), std::string::npos);
}

}  // namespace levelfield::markdown_test
