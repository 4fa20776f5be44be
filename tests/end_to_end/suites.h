// What tests of `levelfield suite` and benchmark.sh have: both as a person types them, and the rows
// of the report.tsv that they leave.
#ifndef LEVELFIELD_TESTS_END_TO_END_SUITES_H_
#define LEVELFIELD_TESTS_END_TO_END_SUITES_H_

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end.h"

namespace levelfield {

class Suites : public EndToEnd {
 protected:
  static std::vector<std::string> Split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
  }
  Ending RunSuite(const std::string& jobs, std::vector<std::string> words) {
    words.insert(words.begin(), {"suite", "rocksdb_flash", "--job=" + jobs, "--db=db"});
    words.insert(words.end(), {"--cache_size=8M", "--stats_interval_seconds=0"});
    return Run(words);
  }
  Ending RunScript(const std::string& jobs, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"benchmark.sh", jobs});
    return Run(words);
  }
  std::vector<std::string> Rows() const { return Split(ReadFile("results/report.tsv"), '\n'); }
  // The cell of a row of report.tsv, by the header's name of its column.
  std::string Cell(size_t row, const std::string& column) const {
    const std::vector<std::string> header = Split(Rows().at(0), '\t');
    const auto it = std::ranges::find(header, column);
    if (it == header.end()) return "no such column";
    return Split(Rows().at(row), '\t').at(static_cast<size_t>(it - header.begin()));
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_END_TO_END_SUITES_H_
