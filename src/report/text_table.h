// A table of words for a terminal: titles on the left, a column for each engine. Pure.
#ifndef LEVELFIELD_REPORT_TEXT_TABLE_H_
#define LEVELFIELD_REPORT_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

struct Row {
  std::string title;
  std::vector<std::string> cells;  // One for each column.
};

struct Table {
  std::string title;
  std::vector<std::string> heads;
  std::vector<Row> rows;
};

// Columns go on below each other where they do not fit into `columns` characters.
std::string Draw(const Table& table, size_t columns);

// The head of a run's column: its engine, and of a long one (a path) not the middle.
std::string ColumnTitle(const RunResult& run);
std::vector<std::string> ColumnTitles(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_TEXT_TABLE_H_
