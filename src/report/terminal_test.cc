#include "report/terminal.h"

#include "base/matchers_for_test.h"
#include "base/text.h"

namespace levelfield::terminal_test {

// A note of words of seven letters.
std::string Words(size_t count) {
  std::string words;
  for (size_t i = 0; i < count; ++i) words += words.empty() ? "letters" : " letters";
  return words;
}

TEST(NotesOnATerminal, BreakAtWordsWhereItIsNarrow) {
  Report report;
  report.Add(Table{.layout = Table::Layout::kList,
                   .title = "A title of " + Words(12),
                   .rows = {{.title = "row", .remark = Words(12)}},
                   .below = {"note: " + Words(12)}});
  report.AddNote(Words(12));
  const std::string text = WriteTerminal(report, 60);
  for (const std::string& line : LinesOf(text)) {
    EXPECT_LE(line.size(), 60u) << line;
    for (const std::string& word : Split(line, ' ')) {
      EXPECT_THAT(word, AnyOf("A", "title", "of", "row", "note:", "letters"));
    }
  }
}

}  // namespace levelfield::terminal_test
