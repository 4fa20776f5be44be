#include "report/result_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "report/cost_table.h"
#include "report/durability_table.h"
#include "report/figures.h"
#include "report/heading.h"
#include "report/load_table.h"
#include "report/notes.h"
#include "report/rate_table.h"
#include "report/setup_text.h"
#include "result/run_settings.h"

namespace levelfield {
namespace {

// What the engines say of themselves, line by line as they say it.
void AddTexts(const Result& sums, Report& report) {
  for (const RunResult& run : sums.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.outcome != Outcome::kOk || phase.text.empty()) continue;
      std::string lines;
      for (size_t begin = 0; begin < phase.text.size();) {
        const size_t end = std::min(phase.text.find('\n', begin), phase.text.size());
        std::string line = Printable(phase.text.substr(begin, end - begin));
        line.erase(line.find_last_not_of(' ') + 1);
        lines += line + "\n";
        begin = end + 1;
      }
      report.Add(Verbatim{fmt::format("{}, {}:", Printable(run.engine), Printable(phase.workload)),
                          lines});
    }
  }
}

// Of runs that ended between two phases, or after the last.
void AddMessagesOfRuns(const Result& sums, Report& report) {
  for (const RunResult& run : sums.runs) {
    const bool is_shown =
        run.message.empty() ||
        std::ranges::find(run.phases, run.message, &PhaseResult::message) != run.phases.end();
    if (is_shown) continue;
    report.AddNote(fmt::format("{}: {}", Printable(run.engine), Printable(run.message)));
  }
}

void AddMeaning(const Result& sums, Report& report) {
  const bool is_open = std::ranges::any_of(sums.runs, [](const RunResult& run) {
    return std::ranges::any_of(run.phases, [](const PhaseResult& phase) {
      return HasLoad(phase) || !phase.load_steps.empty();
    });
  });
  report.Add(Paragraph{fmt::format(
      "ops/s of the first role, over the time from its first thread's start to its last one's end; "
      "{}; n/a: fewer than ten operations lie beyond that percentile.",
      is_open ? "service times are from the begin of a call to its end, response times from when "
                "it was due; lateness is the load generator's own"
              : "latencies are service times")});
}

void AddLibraries(const Result& sums, Report& report) {
  for (const RunResult& run : sums.runs) {
    if (run.library_path.empty()) continue;  // It never came to be loaded.
    const bool names_version = run.floor || run.engine.ends_with(run.version);
    report.AddNote(
        fmt::format("{}{}: {}{}{}", Printable(run.engine),
                    names_version ? "" : " " + Printable(run.version), Printable(run.library_path),
                    run.library_sha256.empty()
                        ? ""
                        : " (sha256 " + Printable(run.library_sha256.substr(0, 16)) + ")",
                    AfterSemicolon(ConfigurationWords(run))));
    const auto add = [&](const std::string& words) { report.Add(Paragraph{"    " + words, 8}); };
    if (!run.warning.empty()) add("WARNING: " + Printable(run.warning));
    if (run.floor) continue;
    for (const std::string& note : run.notes) add(Printable(note));
  }
}

void AddNotes(const Result& sums, const std::vector<Series>& series, bool has_charged,
              Report& report) {
  const auto add_all = [&](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) report.AddNote(note);
  };
  AddMeaning(sums, report);
  add_all(OverheadLines(sums));
  if (has_charged) {
    report.Add(Paragraph{
        "charged: ops/s over that time and the time of settling after it, until the deferred work "
        "(buffers, compactions, checkpoints) was done."});
  }
  const auto is_stub = [](const RunResult& run) { return run.engine == "stub"; };
  if (std::ranges::any_of(sums.runs,
                          [&](const RunResult& run) { return run.floor && !is_stub(run); })) {
    report.Add(
        Paragraph{"A baseline is not a store: `null` does nothing, so its time is the overhead of "
                  "the harness; "
                  "`memory` is an ordered map. Neither keeps anything."});
  }
  add_all(FileSystemLines(sums));
  add_all(DurabilityNotes(sums));
  add_all(DisturbedLines(series));
  if (std::ranges::any_of(sums.runs, is_stub)) {
    report.Add(Paragraph{"`stub` is not a store to choose: it misbehaves as its options say."});
  }
  AddLibraries(sums, report);
  add_all(RoundNotes(sums, series));
  add_all(SetupWarnings(sums, series));
}

void AddRow(const std::string& name, const std::string& value, Table& table) {
  if (!value.empty()) table.rows.push_back({Printable(name), {Printable(value)}});
}

}  // namespace

Report ResultReport(const Result& result) {
  const std::vector<Series> series = SeriesOf(result);
  const Result sums = SumsOf(result, series);
  Marks marks;
  RateTables rates = RateTablesOf(sums, series, marks);
  Report report;
  AddHeading(sums, series, report);
  AddBanner(sums, report);
  for (Table& table : rates.tables) report.Add(std::move(table));
  for (const Series& of_engine : series) {
    for (size_t i = 0; i < of_engine.sum.phases.size(); ++i) {
      AddLoadSteps(of_engine.sum.engine, of_engine.sum.phases[i], SettingOf(sums, "arrival"),
                   Present(of_engine.KeptRates(i)), report);
    }
  }
  AddCosts(sums, series, CostDetail::kBrief, report);
  AddDurabilityTables(sums, report);
  AddTexts(sums, report);
  report.Add(Gap{});
  const size_t before = report.blocks.size();
  marks.AddTo(report);
  AddMessagesOfRuns(sums, report);
  if (report.blocks.size() != before) report.Add(Gap{});
  AddNotes(sums, series, rates.has_charged, report);
  return report;
}

void AddDetails(const Result& result, Report& report) {
  Table conditions{.title = "Conditions", .layout = Table::Layout::kDetails};
  conditions.columns = {{.head = "", .is_left = true}};
  Table settings = conditions;
  settings.title = "Settings";
  AddRow("command", result.command, conditions);
  AddRow("Levelfield", result.version + (result.git.empty() ? "" : ", " + result.git), conditions);
  AddRow("processors", result.cpu, conditions);
  AddRow("their cache", result.cpu_cache, conditions);
  AddRow("kernel", result.kernel, conditions);
  AddRow("machine's fingerprint", result.fingerprint, conditions);
  for (const auto& [name, value] : result.conditions) AddRow(name, value, conditions);
  for (const auto& [name, value] : result.settings) AddRow("--" + name, value, settings);
  for (Table* const table : {&conditions, &settings}) {
    if (!table->rows.empty()) report.Add(std::move(*table));
  }
}

}  // namespace levelfield
