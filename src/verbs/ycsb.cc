// `levelfield ycsb load|run`, and a link of the name `ycsb`: YCSB's command line and its lines.
#include "settings/dialects/ycsb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/text.h"
#include "engine/places.h"
#include "facts/facts_here.h"
#include "report/ycsb/ycsb_text.h"
#include "result/result_files.h"
#include "verbs/carry_out.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

constexpr const char* kLoadFile = "ycsb-load.workload";
constexpr const char* kRunFile = "ycsb-run.workload";
constexpr size_t kMostPropertyBytes = size_t{1} << 20;

StatusOr<Properties> PropertiesOf(const YcsbWords& words) {
  Properties properties;
  std::vector<std::string> refusals;
  for (const std::string& path : words.files) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kMostPropertyBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (!file.is_open() || file.bad()) {
      refusals.push_back(fmt::format("-P {}: cannot be read", Quote(path)));
    } else if (text.size() > kMostPropertyBytes) {
      refusals.push_back(
          fmt::format("-P {}: is no file of properties: it is larger than 1 MiB", Quote(path)));
    }
    for (auto& [name, value] : ParseProperties(text)) properties[name] = std::move(value);
  }
  if (!refusals.empty()) return Status::Usage("ycsb: " + Joined(refusals, "; "));
  for (const auto& [name, value] : words.properties) properties[name] = value;
  return properties;
}

// Where a store is if no property of its engine says it.
std::string DefaultPlace(const std::string& engine) {
  std::string name = engine;
  std::ranges::replace(name, '/', '_');
  return fmt::format(
      "{}/{}", EnvironmentOr("YCSB_DIR", fmt::format("/tmp/levelfield-ycsb-{}", geteuid())), name);
}

// Local time, as YCSB writes it. Milliseconds are those since the begin, so that no clock is read
// that may be set in between.
std::string TimeOfDay(std::time_t begin, double seconds) {
  const std::time_t now = begin + static_cast<std::time_t>(seconds);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
  const double part = seconds - std::floor(seconds);
  return fmt::format("{}:{:03}", text.data(), static_cast<int>(part * 1000));
}

// Prints the lines of the last phase when it has ended, and of all that is asked for on the way.
class Listener : public RunListener {
 public:
  Listener(const YcsbRequest& request, bool loads, size_t phase)
      : request_(request), loads_(loads), phase_(phase) {}

  void Began(const std::string&) override {}

  void StageBegan(size_t phase, Stage stage) override {
    runs_ = phase == phase_ && stage == Stage::kRun;
    if (!runs_) return;
    begun_ = std::time(nullptr);
    begun_ns_ = said_ns_ = MonotonicNs();
    said_operations_ = 0;
    if (request_.output.has_status) Say(0, "");
  }

  void Progressed(uint64_t operations) override {
    if (!runs_ || !request_.output.has_status) return;
    if (SecondsSince(said_ns_) >= static_cast<double>(request_.output.status_seconds)) {
      Say(operations, "");
    }
  }

  void PhaseEnded(const PhaseResult& phase) override {
    runs_ = false;
    if (++ended_ <= phase_) {
      if (phase.outcome == Outcome::kOk) {
        Print(stderr, fmt::format("ycsb: note: there was no store, so its {} records were loaded "
                                  "first\n",
                                  request_.records));
      }
      return;
    }
    if (phase.outcome != Outcome::kOk && !phase.message.empty()) {
      Print(stderr, fmt::format("ycsb: {}: {}\n", NameOf(phase.outcome), Printable(phase.message)));
    }
    if (phase.roles.empty()) return;
    if (request_.output.has_status) {
      const RoleResult& role = phase.roles.front();
      Say(role.Operations(), YcsbStatusOf(phase, loads_));
    }
    ended_phase_ = phase;
  }

  const std::optional<PhaseResult>& ended_phase() const { return ended_phase_; }

 private:
  void Say(uint64_t operations, const std::string& kinds) {
    const double seconds = SecondsSince(begun_ns_);
    const double since = SecondsSince(said_ns_);
    const double rate =
        since > 0 ? static_cast<double>(operations - std::min(said_operations_, operations)) / since
                  : 0;
    const uint64_t left = request_.operations - std::min(operations, request_.operations);
    Print(stderr,
          fmt::format("{}{} {}{}\n", Printable(request_.output.label), TimeOfDay(begun_, seconds),
                      YcsbStatus(seconds, operations, rate,
                                 seconds > 0 ? static_cast<double>(operations) / seconds : 0,
                                 kinds.empty() ? left : 0),
                      kinds));
    said_ns_ = MonotonicNs();
    said_operations_ = operations;
  }

  const YcsbRequest& request_;
  const bool loads_;
  const size_t phase_;  // The one that was asked for; those before it load.
  size_t ended_ = 0;
  bool runs_ = false;
  std::time_t begun_ = 0;
  uint64_t begun_ns_ = 0;
  uint64_t said_ns_ = 0;
  uint64_t said_operations_ = 0;
  std::optional<PhaseResult> ended_phase_;
};

StatusOr<std::vector<PhaseInterval>> IntervalsIn(const std::string& directory, size_t phase) {
  std::vector<PhaseInterval> intervals;
  bool torn = false;
  RETURN_IF_ERROR(ForEachInterval(directory, &torn, [&](const StoredInterval& row) {
    if (row.phase == phase) intervals.push_back(row.interval);
  }));
  return intervals;
}

struct YcsbTask {
  YcsbRequest request;
  Settings settings = {};
  size_t phase = 0;  // Which of the workloads was asked for.
};

// The words of `levelfield run`, with those typed behind them. `loads_first`: whatever there is.
StatusOr<YcsbTask> TaskOf(const YcsbWords& words, bool loads_first) {
  ASSIGN_OR_RETURN(const Properties properties, PropertiesOf(words));
  YcsbTask of{.request = RequestOf(words.loads, EngineOfBinding(words.engine), properties)};
  YcsbRequest& request = of.request;
  const StatusOr<Settings> typed = ParseSettingsOf("ycsb", words.ours);
  if (!typed.ok()) request.refusals.emplace_back(typed.status().message());
  if (!request.refusals.empty()) return Status::Usage("ycsb: " + Joined(request.refusals, "; "));
  Words all = request.words;
  const std::string place =
      request.place.empty() ? DefaultPlace(EngineOfBinding(words.engine)) : request.place;
  all.insert(all.end(), {"--db=" + place, "--single_db", "--keep"});
  std::error_code ignored;
  const bool is_there = !loads_first && std::filesystem::exists(place, ignored);
  if (words.loads) {
    all.push_back(fmt::format("--benchmarks={}", kLoadFile));
  } else if (is_there) {
    all.insert(all.end(), {"--use_existing_db", fmt::format("--benchmarks={}", kRunFile)});
  } else {
    of.phase = 1;
    all.push_back(fmt::format("--benchmarks={},{}", kLoadFile, kRunFile));
  }
  all.insert(all.end(), words.ours.begin(), words.ours.end());
  ASSIGN_OR_RETURN(of.settings, ParseSettings(all));
  RETURN_IF_ERROR(UseEnginesOf(of.settings));
  return of;
}

StatusOr<Plan> PlanOf(const YcsbTask& of, const Words& typed) {
  Facts known;
  known.workloads = {{.path = kLoadFile, .name = "ycsb-load", .text = of.request.load},
                     {.path = kRunFile, .name = "ycsb-run", .text = of.request.run}};
  FactsHere facts(std::move(known));
  return MakePlan(of.settings, Typed("levelfield ycsb", typed), facts);
}

// Reads that found nothing, all of whose records should be there.
uint64_t MissesOf(const PhaseResult& phase) {
  uint64_t misses = 0;
  for (const OperationStatistics& stats : phase.roles.front().statistics) misses += stats.misses;
  return misses;
}

Answer CarryOutTask(const YcsbTask& of, const Plan& plan, bool loads) {
  const YcsbRequest& request = of.request;
  for (const std::string& note : request.notes) {
    Print(stderr, fmt::format("ycsb: note: {}\n", note));
  }
  Listener listener(request, loads, of.phase);
  const auto render = [&](const Result&, const std::string& directory) -> std::string {
    for (const std::string& difference : request.differences) {
      Print(stderr, fmt::format("ycsb: unlike YCSB: {}\n", difference));
    }
    if (const auto& phase = listener.ended_phase()) {
      Print(stderr, fmt::format("{}: {}\n", IsChecked(*phase) ? "checked" : "not checked",
                                Printable(phase->check_detail)));
    }
    Print(stderr, fmt::format("results: {}\n", Printable(directory)));
    if (!listener.ended_phase()) return "";
    const StatusOr<std::vector<PhaseInterval>> intervals = IntervalsIn(directory, of.phase);
    std::string text =
        YcsbText(*listener.ended_phase(), loads, request.output,
                 intervals.ok() ? std::span(*intervals) : std::span<const PhaseInterval>());
    if (request.output.file.empty()) return text;
    const Status written = WriteFileAtomically(request.output.file, text, Overwrite::kReplace);
    if (written.ok()) return "";
    Print(stderr, fmt::format("ycsb: exportfile: {}\n", written.message()));
    return text;
  };
  Answer answer = CarryOut(plan, &listener, render);
  const uint64_t misses = listener.ended_phase() ? MissesOf(*listener.ended_phase()) : 0;
  if (misses != 0) {
    Print(stderr,
          fmt::format(
              "ycsb: {} operations found no record: load the store with the same recordcount, "
              "insertorder, zeropadding and keyprefix as it is run with\n",
              Grouped(misses)));
    answer.exit_code = std::max(answer.exit_code, 3);
  }
  return answer;
}

}  // namespace

Answer YcsbVerb(const Words& words) {
  ASSIGN_OR_RETURN(const YcsbWords read, ReadYcsbWords(words));
  for (const std::string& note : read.notes) Print(stderr, fmt::format("ycsb: note: {}\n", note));
  ASSIGN_OR_RETURN(YcsbTask of, TaskOf(read, false));
  ASSIGN_OR_RETURN(Plan plan, PlanOf(of, words));
  const ProbeReply& engine = plan.first().engines.front();
  // Nothing is left of an earlier load.
  if (!plan.first().stores.empty() && engine.is_loaded && engine.description.Has(LF_VOLATILE)) {
    ASSIGN_OR_RETURN(of, TaskOf(read, true));
    ASSIGN_OR_RETURN(plan, PlanOf(of, words));
  }
  return CarryOutTask(of, plan, read.loads);
}

}  // namespace levelfield
