// The formats of reports, one row each. The choices, errors, completion, help and documentation of
// --format come from these rows. Each function stands in its format's own file, in src/report or
// src/verbs; this room only names it.
#ifndef LEVELFIELD_SETTINGS_REPORT_FORMATS_H_
#define LEVELFIELD_SETTINGS_REPORT_FORMATS_H_

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

struct Answer;
struct Report;
struct Result;
struct Settings;

using ReportText = std::string(const Report& report, size_t columns);
using HeaderText = std::string();
using ResultText = StatusOr<std::string>(const Result& result, const std::string& directory,
                                         const Settings& settings);
using WholeText = std::string(std::span<const Result> heads, const std::string& text);
using Everything = Answer(const Settings& settings);

// A format writes a report, or plain results.
struct ReportFormat {
  std::string_view name;
  std::string_view is;  // What it is; follows its name: " for ...".

  // Writes any verb's report (report/model.h), for a person.
  ReportText* report = nullptr;
  // Or writes the lines of each result, one after another, below a header. `whole` gets all of
  // them, and what each result says besides its runs.
  ResultText* result = nullptr;
  HeaderText* header = nullptr;
  WholeText* whole = nullptr;
  // Or does all that --format needs with the directories, files included.
  Everything* everything = nullptr;

  bool is_for_programs = false;          // They read only the numbers; messages go to stderr.
  bool takes_variants_together = false;  // Else each variant (--vary) has its own lines.
  bool has_verdicts = false;             // A report of results also has verdicts and details,
  bool has_all_costs = false;            // and the costs that its tables leave out.
};

ReportText WriteTerminal, WriteMarkdown, WriteJson;
ResultText DbBenchLinesOf, TsvRowsOf, CostsOf, CsvRowsOf, IntervalRowsOf, CorrectedLatenciesOf,
    GoogleBenchmarkEntriesOf, BencherEntriesOf, PerfdashItemsOf;
HeaderText TsvHeader, CsvHeader, IntervalsHeader;
WholeText GoogleBenchmarkFile, BencherFile, PerfdashFile;
Everything WriteHdrLogFiles, WritePages;

inline constexpr ReportFormat kReportFormats[] = {
    {.name = "table", .is = " for a terminal", .report = WriteTerminal},
    {.name = "db_bench", .is = " for its lines", .result = DbBenchLinesOf},
    {.name = "tsv",
     .is = " for the columns of RocksDB's benchmark.sh",
     .result = TsvRowsOf,
     .header = TsvHeader,
     .is_for_programs = true},
    {.name = "cost", .is = " for all that each workload cost", .result = CostsOf},
    {.name = "csv",
     .is = " for each workload of each round",
     .result = CsvRowsOf,
     .header = CsvHeader,
     .is_for_programs = true},
    {.name = "intervals",
     .is = " for each interval as CSV",
     .result = IntervalRowsOf,
     .header = IntervalsHeader,
     .is_for_programs = true,
     .takes_variants_together = true},
    {.name = "corrected",
     .is = " for an estimate of what a closed loop leaves out of its latencies",
     .result = CorrectedLatenciesOf,
     .takes_variants_together = true},
    {.name = "google_benchmark",
     .is = " for that program's JSON",
     .result = GoogleBenchmarkEntriesOf,
     .whole = GoogleBenchmarkFile,
     .is_for_programs = true},
    {.name = "bencher",
     .is = " for Bencher's JSON (BMF)",
     .result = BencherEntriesOf,
     .whole = BencherFile,
     .is_for_programs = true,
     .takes_variants_together = true},
    {.name = "perfdash",
     .is = " for the JSON of Kubernetes' perfdash",
     .result = PerfdashItemsOf,
     .whole = PerfdashFile,
     .is_for_programs = true,
     .takes_variants_together = true},
    {.name = "hlog",
     .is = " for HdrHistogram's logs, written into --to",
     .everything = WriteHdrLogFiles},
    {.name = "html",
     .is = " for a page with charts",
     .everything = WritePages,
     .has_verdicts = true},
    {.name = "markdown",
     .is = " for a pull request or a page",
     .report = WriteMarkdown,
     .has_verdicts = true},
    {.name = "json",
     .is = " for programs, a line for each report, its figures as numbers",
     .report = WriteJson,
     .has_verdicts = true,
     .has_all_costs = true},
};

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_REPORT_FORMATS_H_
