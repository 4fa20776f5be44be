#include "report/result_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/best_settings.h"
#include "analysis/cost.h"
#include "analysis/durability.h"
#include "analysis/findings/findings.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/rate_table.h"
#include "result/load_verdict.h"
#include "settings/settings.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// An engine's first phase that wrote in a durability class.
struct Writing {
  const RunResult* run = nullptr;
  const PhaseResult* phase = nullptr;
  Durability durability;
};

// In the order in which they ran.
std::vector<Writing> WritingsOf(const Result& result) {
  std::vector<Writing> writings;
  for (const RunResult& run : result.runs) {
    std::set<std::string> seen;
    for (const PhaseResult& phase : run.phases) {
      if (phase.outcome != Outcome::kOk && phase.outcome != Outcome::kInvalid) continue;
      if (phase.implicit || seen.contains(phase.durability)) continue;
      Durability durability = DurabilityOf(run, phase);
      if (!durability.has_written) continue;
      seen.insert(phase.durability);
      writings.push_back({&run, &phase, std::move(durability)});
    }
  }
  return writings;
}

std::string PerCommit(const std::optional<double>& flushes) {
  return flushes ? fmt::format("{:.2f}", *flushes) : "n/a";
}

Table TableOf(const std::string& durability, const std::vector<Writing>& writings) {
  Table table{.title = "durability: " + Printable(durability),
              .rows = {{"claimed"},
                       {"seen"},
                       {"flushes a commit"},
                       {"that came to the device", {}, true},
                       {"commits without a flush"},
                       {"pages left dirty by one"}}};
  for (const auto& [run, phase, of] : writings) {
    if (phase->durability != durability || of.verdict.seen == Seen::kNothing) continue;
    table.columns.push_back(ColumnOf(*run));
    const bool is_audited = phase->audit && phase->audit->commits != 0;
    const bool has_pages = is_audited && phase->audit->dirty_pages.has_value();
    const std::string cells[] = {
        std::string(NameOf(phase->level)),
        WordOf(of.verdict),
        PerCommit(of.flushes_per_commit),
        PerCommit(of.device_flushes_per_commit) +
            (of.device_flushes_per_commit && of.counts_writes ? " writes" : ""),
        is_audited ? fmt::format("{} of {}", phase->audit->without_flush, phase->audit->commits)
                   : "n/a",
        has_pages ? std::to_string(*phase->audit->dirty_pages) : "n/a"};
    for (size_t i = 0; i < table.rows.size(); ++i) table.rows[i].cells.emplace_back(cells[i]);
  }
  return table;
}

// Load against latency: the steps of a sweep, or of a search for the highest rate that keeps an
// objective, one table for each engine and workload. Pure.

std::string LoadLine(const std::string& rate, const std::string& achieved,
                     const std::string& service, const std::string& p50, const std::string& p99,
                     const std::string& p999) {
  return fmt::format("{:>9}  {:>10}  {:>7} {:>9} {:>9} {:>9}\n", rate, achieved, service, p50, p99,
                     p999);
}

std::string StepLine(const LoadStep& step) {
  const std::string rate = Grouped(step.rate);
  const std::string achieved = Rate(step.achieved);
  if (step.verdict == LoadOutcome::kNotSustainable) {
    return fmt::format("{:>9}  {:>10}  {}\n", rate, achieved, NameOf(step.verdict));
  }
  // A late generator only lengthens responses.
  const char* const at_most = step.verdict == LoadOutcome::kOk ? "" : "<=";
  const auto response = [&](double p) {
    return at_most + LatencyCell(step.response_ns.Percentile(p)).text;
  };
  return LoadLine(rate, achieved, LatencyCell(step.service_ns.Percentile(0.99)).text, response(0.5),
                  response(0.99), response(0.999));
}

// "p99<1ms is kept up to 12,000/s. At 12,300/s it was missed."
std::string KeptText(const SloResult& slo) {
  const std::string objective = Printable(slo.objective);
  if (slo.rate == 0) return fmt::format("{} is kept at none of these rates.\n", objective);
  return fmt::format("{} is kept up to {}/s{}.{}\n", objective, Grouped(slo.rate),
                     slo.is_at_least ? " at least" : "",
                     slo.missed_rate == 0
                         ? ""
                         : fmt::format(" At {}/s it was missed.", Grouped(slo.missed_rate)));
}

// Adds the steps of a phase, if it has any. `kept`: the results of the searches in several rounds.
// The steps are those of the first.
void AddLoadSteps(const std::string& engine, const PhaseResult& phase, const std::string& arrival,
                  const std::vector<double>& kept, Report& report) {
  if (phase.load_steps.empty()) return;
  std::string text;
  if (!phase.roles.empty()) {
    text += fmt::format("closed loop: {}/s; open loop: {} arrivals\n",
                        Rate(phase.roles.front().OperationsPerSecond()), Printable(arrival));
  }
  text += fmt::format("{:>9}  {:>10}  {:>7} {:-^29}\n", "ops/s", "ops/s", "service",
                      " response time ");
  text += LoadLine("asked for", "achieved", "p99", "p50", "p99", "p99.9");
  text += std::string(60, '-') + "\n";
  std::vector<const LoadStep*> steps;
  for (const LoadStep& step : phase.load_steps) steps.push_back(&step);
  std::ranges::stable_sort(steps, {}, &LoadStep::rate);
  for (const LoadStep* const step : steps) text += StepLine(*step);
  if (std::ranges::any_of(steps, [](const LoadStep* step) {
        return step->verdict == LoadOutcome::kLateGenerator;
      })) {
    text += "<=: at most. A late load generator only lengthens responses.\n";
  }
  if (phase.slo) text += KeptText(*phase.slo);
  if (kept.size() > 1) {
    const auto [least, most] = std::ranges::minmax(kept);
    const std::optional<Interval> interval = MedianInterval(kept);
    text += fmt::format(
        "That was the first of {0} rounds. All of them keep it up to {1}/s; their median is {2}/s, "
        "{3} .. {4} {5}.\n",
        kept.size(), Grouped(Whole(least)), Rate(Median(kept)),
        Rate(interval ? interval->low : least), Rate(interval ? interval->high : most),
        interval ? "with 95 %" : "the least and the greatest");
  }
  report.Add(Verbatim{
      fmt::format("{}, {}: load against latency", Printable(phase.workload), Printable(engine)),
      text});
}

// What was asked for and done in each part of a rate that changes, all rounds together.
void AddLoadParts(const std::string& engine, const PhaseResult& phase, Report& report) {
  if (phase.outcome != Outcome::kOk || !HasLoad(phase)) return;
  const LoadResult& load = *phase.roles.front().load;
  if (load.parts.empty()) return;
  Table table{.title = fmt::format("{}, {}, at {}", Printable(phase.workload), Printable(engine),
                                   Printable(phase.roles.front().curve)),
              .layout = Table::Layout::kList,
              .corner = "of each period"};
  table.columns = {{.head = "asked for"},    {.head = "done"}, {.head = "service p99"},
                   {.head = "response p50"}, {.head = "p99"},  {.head = "p99.9"}};
  const char* const at_most = load.verdict == LoadOutcome::kOk ? "" : "<=";
  for (const LoadPart& part : load.parts) {
    const auto response = [&](double p) {
      const std::optional<uint64_t> ns = part.response_ns.Percentile(p);
      return ns ? Cell(at_most + LatencyCell(ns).text) : LatencyCell(ns);
    };
    const double done = part.seconds > 0 ? static_cast<double>(part.operations) / part.seconds : 0;
    table.rows.push_back(
        {.title = fmt::format("{:g} .. {:g} s", part.begin_seconds, part.end_seconds),
         .cells = {Cell(Rate(part.rate)), part.seconds > 0 ? Cell(Rate(done)) : Cell("n/a"),
                   LatencyCell(part.service_ns.Percentile(0.99)), response(0.5), response(0.99),
                   response(0.999)}});
  }
  report.Add(std::move(table));
}

void AddAllLoadSteps(const Result& sums, const std::vector<Series>& series, Report& report) {
  for (const Series& of_engine : series) {
    for (size_t i = 0; i < of_engine.sum.phases.size(); ++i) {
      AddLoadSteps(of_engine.sum.engine, of_engine.sum.phases[i], SettingOf(sums, "arrival"),
                   Present(of_engine.KeptRates(i)), report);
      AddLoadParts(of_engine.sum.engine, of_engine.sum.phases[i], report);
    }
  }
}

// The engines' texts about themselves, unchanged.
void AddTexts(const Result& sums, Report& report) {
  for (const RunResult& run : sums.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.outcome != Outcome::kOk || phase.text.empty()) continue;
      std::string lines;
      for (const std::string& text : LinesOf(phase.text)) {
        std::string line = Printable(text);
        line.erase(line.find_last_not_of(' ') + 1);
        lines += line + "\n";
      }
      report.Add(Verbatim{fmt::format("{}, {}:", Printable(run.engine), Printable(phase.workload)),
                          lines});
    }
  }
}

void AddMeaning(const Result& sums, Report& report) {
  const bool is_open = AnyPhase(
      sums, [](const PhaseResult& phase) { return HasLoad(phase) || !phase.load_steps.empty(); });
  report.Add(Paragraph{fmt::format(
      "ops/s of the first role, over the time from its first thread's start to its last one's end; "
      "{}; n/a: fewer than ten operations lie beyond that percentile.",
      is_open
          ? "service times are from the beginning of a call to its end, response times from when "
            "it was due; lateness is the load generator's own"
          : "latencies are service times")});
}

void AddLibraries(const Result& sums, Report& report) {
  for (const RunResult& run : sums.runs) {
    if (run.library_path.empty()) continue;  // It was never loaded.
    const bool is_yardstick = IsYardstick(sums, run);
    const bool names_version =
        (run.is_baseline_engine && !is_yardstick) || run.engine.ends_with(run.version);
    report.AddNote(fmt::format(
        "{}{}{}: {}{}{}", Printable(run.engine), names_version ? "" : " " + Printable(run.version),
        is_yardstick ? ", the yardstick" : "", Printable(run.library_path),
        run.library_sha256.empty()
            ? ""
            : " (sha256 " + Printable(run.library_sha256.substr(0, 16)) + ")",
        AfterSemicolon(ConfigurationWords(run))));
    const auto add = [&](const std::string& words) { report.Add(Paragraph{"    " + words, 8}); };
    if (!run.warning.empty()) add("WARNING: " + Printable(run.warning));
    if (run.is_baseline_engine) continue;
    for (const std::string& note : NotesOf(run)) add(Printable(note));
  }
}

void AddNotes(const Result& sums, const Findings& findings, bool has_charged, Report& report) {
  const auto add_all = [&](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) report.AddNote(note);
  };
  AddMeaning(sums, report);
  if (has_charged) {
    report.Add(Paragraph{
        "charged: ops/s over that time and the time of settling after it, until the deferred work "
        "(buffers, compactions, checkpoints) was done."});
  }
  const auto is_stub = [](const RunResult& run) { return run.engine == "stub"; };
  if (std::ranges::any_of(sums.runs, [&](const RunResult& run) {
        return run.is_baseline_engine && !is_stub(run) && !IsYardstick(sums, run);
      })) {
    report.Add(
        Paragraph{"A baseline is not a store: `null` does nothing, so its time is the overhead of "
                  "the harness; "
                  "`memory` is an ordered map. Neither keeps anything once it is closed."});
  }
  add_all(FileSystemLines(sums));
  add_all(DurabilityNotes(sums));
  if (std::ranges::any_of(sums.runs, is_stub)) {
    report.Add(Paragraph{"`stub` is not a store to choose: it misbehaves as its options say."});
  }
  AddLibraries(sums, report);
  for (const Remark& remark : findings.remarks) {
    report.AddRemark(remark, ReportWords(remark), 4);
  }
}

// The settings that the pilot of --settings=best tried.
void AddTried(const Result& result, Report& report) {
  if (result.tried.empty()) return;
  Table table{.title = "tried for --settings=best, ops/s of a pilot",
              .columns = {{.head = "", .is_left = true}},
              .layout = Table::Layout::kList,
              .corner = "engine and settings"};
  std::vector<std::string> workloads;
  for (const TriedSetting& tried : result.tried) {
    for (const auto& [workload, rate] : tried.rates) AddOnce(workloads, workload);
  }
  for (const std::string& workload : workloads) {
    table.columns.push_back({.head = Printable(workload)});
  }
  for (const TriedSetting& tried : result.tried) {
    Row row{Printable(fmt::format("{}.{}", tried.engine, tried.name)),
            {tried.chosen ? "chosen" : ""}};
    for (const std::string& workload : workloads) {
      const std::optional<double> rate = RateIn(tried, workload);
      row.cells.push_back(rate ? RateCell(*rate) : Cell("n/a"));
    }
    table.rows.push_back(std::move(row));
    if (tried.name == kEqual) continue;
    table.below.push_back(Printable(fmt::format("{}.{}: {}: {} {}", tried.engine, tried.name,
                                                tried.settings, tried.because, tried.link)));
  }
  report.Add(std::move(table));
}

void AddRow(const std::string& name, const std::string& value, Table& table) {
  if (!value.empty()) table.rows.push_back({Printable(name), {Printable(value)}});
}

}  // namespace

void AddDurabilityTables(const Result& result, Report& report) {
  const std::vector<Writing> writings = WritingsOf(result);
  std::set<std::string> done;
  for (const Writing& writing : writings) {
    if (!done.insert(writing.phase->durability).second) continue;
    Table table = TableOf(writing.phase->durability, writings);
    if (!table.columns.empty()) report.Add(std::move(table));
  }
}

std::vector<std::string> DurabilityNotes(const Result& result) {
  std::vector<std::string> notes;
  const auto add = [&](const Writing& writing, const std::string& words) {
    notes.push_back(Printable(fmt::format("durability of {}, {}: {}", writing.run->engine,
                                          writing.phase->durability, words)));
  };
  for (const Writing& writing : WritingsOf(result)) {
    const PhaseResult& phase = *writing.phase;
    const Durability& of = writing.durability;
    if (phase.audit && phase.audit->commits == 0 && !phase.audit->reason.empty() &&
        !WordOf(of.verdict).empty() && of.verdict.seen != Seen::kNotSeen) {
      add(writing, "no commit was looked at by itself: " + phase.audit->reason);
    }
    const std::string unseen = ReasonInWords(of.verdict);
    if (!unseen.empty()) add(writing, unseen);
    if (!of.known_deviation.empty()) add(writing, "known deviation: " + of.known_deviation);
    if (!of.volatile_because.empty()) add(writing, "volatile: " + of.volatile_because);
    if (!of.doubt.empty()) AddOnce(notes, Printable("the store's place: " + of.doubt));
  }
  return notes;
}

void AddStepsAndTexts(const Findings& findings, Report& report) {
  AddAllLoadSteps(findings.sums, findings.series, report);
  AddTexts(findings.sums, report);
}

Report ResultReport(const Result& result) {
  const Findings findings = FindingsOf(result, {});
  const std::vector<Series>& series = findings.series;
  const Result& sums = findings.sums;
  Marks marks;
  RateTables rates = RateTablesOf(sums, findings, marks);
  Report report;
  AddHeading(sums, series, report);
  AddBanner(sums, report);
  for (Table& table : rates.tables) report.Add(std::move(table));
  AddAllLoadSteps(sums, series, report);
  AddCosts(sums, series, CostDetail::kBrief, report);
  AddDurabilityTables(sums, report);
  AddTried(sums, report);
  AddTexts(sums, report);
  report.Add(Gap{});
  const size_t before = report.blocks.size();
  marks.AddTo(report);
  if (report.blocks.size() != before) report.Add(Gap{});
  AddNotes(sums, findings, rates.has_charged, report);
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
