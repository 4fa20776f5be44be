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
  Table table;
  table.layout = Table::Layout::kList;
  table.title = "A title of " + Words(12);
  Row row{"row"};
  row.remark = Words(12);
  table.rows.push_back(std::move(row));
  table.below = {"note: " + Words(12)};
  report.Add(std::move(table));
  report.AddNote(Words(12));
  const std::string text = WriteTerminal(report, 60);
  for (const std::string& line : LinesOf(text)) {
    EXPECT_LE(line.size(), 60u) << line;
    for (const std::string& word : Split(line, ' ')) {
      EXPECT_THAT(word, ::testing::AnyOf("A", "title", "of", "row", "note:", "letters"));
    }
  }
}

}  // namespace levelfield::terminal_test
