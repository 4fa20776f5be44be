// A published row beside ours, and what became of the order of its engines. Pure.
#ifndef LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_
#define LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_

#include <optional>
#include <string>
#include <vector>

#include "report/published/measured_figure.h"
#include "report/published/published.h"

namespace levelfield {

// One engine of a row.
struct ComparedCell {
  std::string name;
  std::vector<std::optional<Quoted>> quoted = {};  // By unit; empty: not published.
  std::optional<double> then = {};  // Operations a second, as published or as follows,
  bool is_derived = false;          // from bytes.
  MeasuredFigure own;
  bool is_again = false;  // Published once more; ours is that of the column before.

  // Whether both can be held against others of the row.
  bool IsCompared() const { return then && own.Has() && !is_again; }
};

// Those that were published in their order, then the other engines that were run.
std::vector<ComparedCell> CompareRow(const Published& published, const PublishedRow& row,
                                     const MeasuredFigures& figures);

// Who was first and by how much, then and now, and whether the order of those that were published
// is another; empty where fewer than two can be compared.
std::string OrderText(const std::vector<ComparedCell>& cells);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_
