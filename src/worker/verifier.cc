#include "worker/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "operations/answers.h"

namespace levelfield {
namespace {

// How many calls a thread's operations took, a batch at a time: the last batch of the thread's
// share of an order may be short.
uint64_t CallsFor(const Role& role, const KeyPlan& keys, uint64_t operations) {
  const auto calls = [&](uint64_t n) { return n / role.batch + (n % role.batch != 0 ? 1 : 0); };
  const bool has_shares = keys.order == KeyOrder::kShuffled || keys.order == KeyOrder::kSequential;
  const uint64_t share = has_shares ? keys.share() : 0;
  if (share == 0) return calls(operations);
  return operations / share * calls(share) + calls(operations % share);
}

// What was asked for while the role ran.
void TellCurve(const RateCurve& curve, RoleResult& role) {
  role.curve = curve.text();
  const double mean =
      role.seconds > 0 ? curve.Entries(role.seconds) / role.seconds : curve.MeanRate();
  role.rate = static_cast<uint64_t>(mean + 0.5);
}

// What was asked of these threads, if others of a fleet keep to the same schedule.
uint64_t OwnShare(uint64_t rate, const RoleRun& run) {
  const Pace& pace = run.tasks.front().load->pace;
  const uint64_t begin = pace.thread;
  const uint64_t end = begin + run.tasks.size();
  return rate * end / pace.threads - rate * begin / pace.threads;
}

// Adds the records of an open loop's threads to the role's result.
void SummarizeLoad(const RoleRun& run, RoleResult& role) {
  const LoadPlan& plan = *run.tasks.front().load;
  role.rate = OwnShare(plan.pace.rate, run);
  LoadResult& load = role.load.emplace();
  load.arrival = ArrivalName(plan.arrival);
  if (plan.pace.curve != nullptr) {
    TellCurve(*plan.pace.curve, role);
    role.rate = OwnShare(role.rate, run);
  }
  uint64_t threads = 0;
  const std::vector<ThreadStatistics>& statistics = run.Statistics();
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (statistics[i].number >= run.taken_response_ns.size()) continue;
    role.statistics[i].response_ns = run.taken_response_ns[statistics[i].number];
  }
  for (const ThreadResult& result : run.results) {
    if (!result.open || result.statistics.empty()) continue;
    for (size_t i = 0; i < role.statistics.size(); ++i) {
      std::optional<SparseHistogram>& response_ns = role.statistics[i].response_ns;
      if (!response_ns) response_ns.emplace();
      response_ns->Merge(result.open->response_ns(result.statistics[i].number));
    }
    load.lateness_ns.Merge(result.open->lateness_ns());
    const std::vector<uint64_t> backlog_ns = result.open->BacklogNs();
    if (backlog_ns.empty()) continue;
    ++threads;
    load.backlog_ns.resize(backlog_ns.size());
    for (size_t i = 0; i < backlog_ns.size(); ++i) load.backlog_ns[i] += backlog_ns[i];
    load.interval_seconds = std::max(load.interval_seconds, result.open->BacklogSeconds());
  }
  for (uint64_t& ns : load.backlog_ns) ns /= threads;
}

}  // namespace

std::vector<RoleResult> Summarize(const Workload& workload, const PhaseRun& run, bool timed) {
  std::vector<RoleResult> roles;
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    RoleResult summary{.name = role.name,
                       .threads = role.threads,
                       .batch = role.batch,
                       .statistics = {},
                       .rate = role.rate,
                       .asks_for_absent_keys = role.asks_for_absent_keys()};
    uint64_t start_ns = std::numeric_limits<uint64_t>::max();
    uint64_t end_ns = 0;
    for (size_t t = 0; t < run.roles[r].results.size(); ++t) {
      const ThreadResult& result = run.roles[r].results[t];
      const ThreadTask& task = run.roles[r].tasks[t];
      if (task.depth > 1) summary.in_flight = task.depth;
      const uint64_t done = result.statistics.empty() ? 0 : task.control->operations.load();
      summary.thread_operations.push_back(done);
      summary.thread_calls.push_back(CallsFor(role, task.keys, done));
      if (result.statistics.empty()) continue;
      summary.entries += result.entries;
      summary.thread_seconds += static_cast<double>(result.end_ns - result.start_ns) * 1e-9;
      start_ns = std::min(start_ns, result.start_ns);
      end_ns = std::max(end_ns, result.end_ns);
      summary.parts.resize(result.parts.size());
      for (size_t i = 0; i < result.parts.size(); ++i) {
        summary.parts[i].operation = result.parts[i].operation;
        summary.parts[i].part = result.parts[i].part;
        summary.parts[i].latency_ns.Merge(result.parts[i].latency_ns);
      }
      summary.statistics.resize(result.statistics.size());
      for (size_t i = 0; i < result.statistics.size(); ++i) {
        const ThreadStatistics& from = result.statistics[i];
        OperationStatistics& to = summary.statistics[i];
        to.operation = from.operation;
        to.effects = from.effects;
        to.lookup = from.lookup;
        to.entry_bytes = from.entry_bytes;
        to.operations += from.counts.operations;
        to.hits += from.counts.hits;
        to.misses += from.counts.misses;
        to.bytes += from.counts.bytes;
        to.digest += from.counts.digest;
        to.wrong += from.counts.wrong;
        if (!timed) continue;
        if (!to.latency_ns) to.latency_ns.emplace();
        to.latency_ns->Merge(from.latency_ns);
      }
    }
    const std::vector<Histogram>& taken_ns = run.roles[r].taken_ns;
    const std::vector<ThreadStatistics>& statistics = run.roles[r].Statistics();
    for (size_t i = 0; i < statistics.size(); ++i) {
      const bool is_taken =
          statistics[i].number < taken_ns.size() && summary.statistics[i].latency_ns;
      if (is_taken) summary.statistics[i].latency_ns->Merge(taken_ns[statistics[i].number]);
    }
    if (end_ns > start_ns) summary.seconds = static_cast<double>(end_ns - start_ns) * 1e-9;
    summary.operations_per_second = summary.OperationsPerSecond();
    if (!role.curve.empty()) TellCurve(role.curve, summary);
    if (run.roles[r].tasks.front().load) {
      SummarizeLoad(run.roles[r], summary);
      summary.load->parts = run.load_parts;
    }
    roles.push_back(std::move(summary));
  }
  return roles;
}

namespace {

// The verdict and note of a workload that measures the machine, which checks its own answers.
void JudgeMachine(const PhaseRun& run, PhaseResult& result) {
  const ThreadResult& first = run.roles.front().results.front();
  result.note = first.note;
  result.checked.answers = AnswersChecked::kRecomputed;
  result.check_detail = first.detail;
  for (const OperationStatistics& stats : result.roles.front().statistics) {
    if (stats.wrong == 0) continue;
    result.outcome = Outcome::kWrong;
    result.message = fmt::format("wrong answer: {} of {} results are not what they must be ({})",
                                 stats.wrong, stats.operations, first.detail);
  }
}

// The entries missing from the store as it was left, or the surplus; empty if all is right.
std::string CountDifference(const Workload& workload, const PhaseRun& run, uint64_t entries) {
  for (size_t r = 0; r < workload.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    const bool must_find = role.operation->effects == Effect::kReads &&
                           role.operation->takes_keys() && !role.operation->seeks() &&
                           !role.asks_for_absent_keys() && role.range <= entries;
    for (const ThreadResult& result : run.roles[r].results) {
      OperationCounts all;
      for (const ThreadStatistics& stats : result.statistics) all += stats.counts;
      if (must_find && all.misses != 0) {
        return fmt::format("{} gets of keys that it held found nothing", all.misses);
      }
      if (role.operation->is_scan() && result.found_end && all.hits != entries) {
        return fmt::format("a scan of all entries found {}", all.hits);
      }
    }
  }
  return "";
}

// What all reading roles of a phase found together.
struct Found {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t wrong = 0;
  uint64_t disordered = 0;  // In a store whose order somebody else chose.
  bool reads = false;
  bool scans = false;
};

// Removes counts of wrong answers that say nothing, because the values are unknown.
Found FoundBy(const Workload& workload, bool knows_values, PhaseResult& result) {
  Found found;
  for (size_t r = 0; r < workload.roles.size(); ++r) {
    const Operation& operation = *workload.roles[r].operation;
    for (OperationStatistics& stats : result.roles[r].statistics) {
      // Only an answer can be found: not what a mix writes, nor what a scan came to erase.
      if (!stats.Does(Effect::kReads) || stats.Does(Effect::kErases)) continue;
      found.reads = true;
      found.hits += stats.hits;
      found.misses += stats.misses;
      if (knows_values) {
        found.wrong += stats.wrong;
        continue;
      }
      // A mix's seeks check values as well, so they do not show the order alone.
      if (operation.is_scan() || operation.seeks()) {
        found.scans = true;
        found.disordered += stats.wrong;
      }
      stats.wrong = 0;
    }
  }
  return found;
}

}  // namespace

void VerifyPhase(RunningPhase& now, const PhaseRun& run) {
  if (!now.needs_store()) return JudgeMachine(run, now.result());
  now.BeginStage(Stage::kCheck, true);
  KnownStore& store = now.store();
  const bool keeps_answers = !store.Has(LF_NO_ANSWERS);
  if (now.spec().origin.exists && keeps_answers && !now.first_role().operation->is_transaction()) {
    return VerifyExisting(now.workload(), run, now.spec().origin, store.entries(), now.result());
  }
  VerifyAnswers(now.workload(), run, store.expected(), store.stored_values(), keeps_answers,
                now.result());
}

void VerifyAnswers(const Workload& workload, const PhaseRun& run, const ExpectedState& before,
                   const StoredValues& values, bool keeps_answers, PhaseResult& result) {
  if (!keeps_answers) {
    result.checked.answers = AnswersChecked::kNone;
    result.check_detail = kNoAnswers;
    return;
  }
  std::string unchecked;  // Why a role's answers are unchecked; empty: all are checked.
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    if (role.operation->verify == nullptr) continue;
    std::string of_role;  // Why this role's answers are unchecked.
    const std::string wrong = role.operation->verify({.workload = workload,
                                                      .role = role,
                                                      .run = run.roles[r],
                                                      .before = before,
                                                      .values = values,
                                                      .summary = result.roles[r],
                                                      .result = result,
                                                      .unchecked = of_role});
    if (unchecked.empty()) unchecked = of_role;
    if (wrong.empty()) continue;
    result.outcome = Outcome::kWrong;
    result.message = "wrong answer: " + wrong;
    return;
  }
  if (unchecked.empty()) return;
  result.checked.answers = AnswersChecked::kNone;
  result.check_detail = unchecked;
}

void VerifyExisting(const Workload& workload, const PhaseRun& run, const StoreOrigin& origin,
                    uint64_t entries, PhaseResult& result) {
  const Found found = FoundBy(workload, origin.knows_values, result);
  if (!found.reads) return;
  const std::string counts = fmt::format("{} found, {} not found; ", found.hits, found.misses);
  if (!origin.knows_values) {
    result.checked.answers = AnswersChecked::kCounted;
    result.check_detail =
        counts + "this store existed before the run, so what it should contain is unknown" +
        (origin.because.empty() ? "" : ": " + origin.because);
    if (found.disordered != 0) {
      result.check_detail += fmt::format(
          "; {} keys were not in the order of their bytes, which is right only in a store that was "
          "made with another order",
          found.disordered);
    } else if (found.scans) {
      result.check_detail += ", and only the order of the keys was checked";
    }
    return;
  }
  const bool knows_keys =
      entries != 0 && std::ranges::none_of(workload.roles, &Role::changes_store);
  result.checked.answers = origin.cut_off ? AnswersChecked::kCounted : AnswersChecked::kInTheLoop;
  result.check_detail =
      counts + "each value was whole and its key's, scans were in order; " +
      (knows_keys       ? fmt::format("the store was left with {} entries", entries)
       : origin.cut_off ? "the store was not closed in good order by a run before, so what it lost "
                          "is not known"
                        : "which keys the store has to hold is not known");
  const std::string difference = knows_keys ? CountDifference(workload, run, entries) : "";
  if (!difference.empty()) {
    result.outcome = Outcome::kWrong;
    result.message = fmt::format(
        "wrong content: the store was left with {} entries, and {} (unless another program has "
        "written to this store)",
        entries, difference);
    return;
  }
  if (found.wrong == 0) return;
  result.outcome = Outcome::kWrong;
  result.message = fmt::format(
      "wrong answer: {} of {} entries that were found are not as Levelfield wrote them, or not in "
      "order (unless another program has written to this store)",
      found.wrong, found.hits);
}

}  // namespace levelfield
