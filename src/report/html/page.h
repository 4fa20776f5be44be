// report.html: one file that opens without a network and contains everything: the charts' script,
// its licences, their data, the tables of the terminal, and the result's files. Pure.
//
// Nothing in a result can become markup or script. Text is escaped, data is in elements that are
// not run, and a content security policy allows the one script by its hash.
#ifndef LEVELFIELD_REPORT_HTML_PAGE_H_
#define LEVELFIELD_REPORT_HTML_PAGE_H_

#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/comparison.h"
#include "report/choice_answer.h"
#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

// Printable text for an element or an attribute.
std::string HtmlEscaped(std::string_view text);

// A result as a page shows it: with its verdicts, and the tables of the terminal.
struct ShownResult {
  const Result* result = nullptr;
  std::vector<Comparison> comparisons;  // The comparisons that its run asked for.
  std::string text;
  std::vector<Comparison> pairs = {};  // Every engine with every other.
  std::optional<ChoiceAnswer> answer = {};  // Of `choose`, if the page is of its result alone.
  std::string letter = {};                  // By which people tell several results apart.
};

// A page is begun, gets its files, and is ended. While a large file is added, the result need not
// be in memory any more.
std::string BeginPage(const std::vector<ShownResult>& results);
void AddFile(const std::string& name, std::istream& content, std::string& page);
void EndPage(std::string& page);

// The data of report.html as JSON: each figure with its interval, latencies as curves, rates over
// time, costs, verdicts, and the words around them. Everything is computed here. The script of the
// page only draws, selects and sorts. Units are in the names: `_ns`, `_seconds`, `_bytes`. A share
// is from 0 to 1, and an unknown value is null. Pure.
//
//   {"results": [{"title", "letter", "started", "command", "version", "git", "machine",
//   "conditions",
//     "settings", "warnings", "engines": [engine...], "workloads": [{"name", "family"}...],
//     "figures": [figure...], "verdicts": [verdict...], "pairs": [verdict...], "answer"}...],
//    "scaling": [{"engine", "workload", "points": [[threads, rate]...], "fit"}...]}
//
// Settings and conditions are [name, value] pairs. An answer is as in its file
// (report/choice_answer.h).
// A figure covers one engine and one workload, by their indexes in those lists, over all rounds.
nlohmann::json PageData(const std::vector<ShownResult>& results);

// Latencies by rarity: [nines, ns] pairs, ascending, where nines is -log10(1 - p). One point for
// each tenth of a nine while ten values lie beyond it, then the maximum.
nlohmann::json CurveOf(const SparseHistogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_PAGE_H_
