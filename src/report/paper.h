// What a report is put on: the same words as lines for a terminal, or as Markdown. Words come
// plain, without control characters (base/quote.h); how they are marked up is the paper's own
// business. Each call gives text to be put behind what is there. Pure.
#ifndef LEVELFIELD_REPORT_PAPER_H_
#define LEVELFIELD_REPORT_PAPER_H_

#include <string>

#include "report/text_table.h"

namespace levelfield {

class Paper {
 public:
  virtual ~Paper() = default;
  // What is above all of a result.
  virtual std::string Heading(const std::string& name, const std::string& when) const = 0;
  // `indent` is that of its second line: 0, or 4 and 8 for what belongs to something above it.
  virtual std::string Paragraph(const std::string& words, size_t indent) const = 0;
  // Lines that are to stay lines.
  virtual std::string Lines(const std::string& lines) const = 0;
  // Between parts.
  virtual std::string Gap() const = 0;
  virtual std::string Drawn(const Table& table) const = 0;
  // Lines whose columns are their own, or somebody else's, as they are, below a title.
  virtual std::string Verbatim(const std::string& title, const std::string& lines) const = 0;
};

class TerminalPaper : public Paper {
 public:
  explicit TerminalPaper(size_t columns) : columns_(columns) {}
  std::string Heading(const std::string& name, const std::string& when) const override;
  std::string Paragraph(const std::string& words, size_t indent) const override;
  std::string Lines(const std::string& lines) const override { return lines; }
  std::string Gap() const override { return "\n"; }
  std::string Drawn(const Table& table) const override { return Draw(table, columns_); }
  std::string Verbatim(const std::string& title, const std::string& lines) const override;

 private:
  size_t columns_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PAPER_H_
