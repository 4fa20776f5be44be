// Levelfield from its command line to its exit code: words -> settings -> plan -> workers ->
// results
// -> report. Each step is a call; the only exit is the last line.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/version.h"
#include "engine/common_options.h"
#include "engine/loader.h"
#include "report/table.h"
#include "result/result_json.h"
#include "run/catalog.h"
#include "run/driver.h"
#include "run/engine_probe.h"
#include "run/free_space.h"
#include "run/plan.h"
#include "run/preflight.h"
#include "run/supervisor.h"
#include "run/worker.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

using Words = std::vector<std::string>;

// What a verb comes to: what it prints, and why it failed.
struct Answer {
  std::string text;
  Status status = Status::Ok();
  int exit_code = 0;  // Where the status is ok.
};

Answer Failure(Status status) { return {.text = "", .status = std::move(status)}; }

// A terminal's width; a file or a pipe gets the same everywhere.
size_t OutputColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60) return size.ws_col;
  return 120;
}

// The common options that are given, for every engine; those of one engine, for it.
GivenOptions OptionsFor(const std::string& engine, const Settings& settings) {
  GivenOptions options;
  for (const Flag& flag : Flags()) {
    if (!flag.engine_option) continue;
    const std::string text = TextOf(flag, settings);
    if (!text.empty()) options.common.emplace_back(flag.name, text);
  }
  const auto own = settings.engine_options.find(engine.substr(0, engine.find_first_of("@:")));
  if (own != settings.engine_options.end()) options.own = own->second;
  return options;
}

// Options of an engine that does not run would be ignored: refused instead.
Status CheckEngineOptionNames(const Settings& settings, const std::vector<std::string>& engines) {
  std::vector<std::string> names;
  for (const std::string& engine : engines) {
    names.push_back(engine.substr(0, engine.find_first_of("@:")));
  }
  for (const auto& [engine, options] : settings.engine_options) {
    if (std::ranges::find(names, engine) != names.end()) continue;
    const std::string nearest = NearestName(engine, names);
    return Status::Usage(fmt::format(
        "--{}.{}: no engine called {} runs here{}", engine, options.front().first, Quote(engine),
        nearest.empty() ? "; see --engine"
                        : fmt::format("; did you mean --{}.{}?", nearest, options.front().first)));
  }
  return Status::Ok();
}

std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings) {
  std::vector<ProbeRequest> requests;
  for (const std::string& engine : engines) {
    ProbeRequest request{.engine = engine, .options = {}, .durability = ""};
    if (settings != nullptr) {
      request.options = OptionsFor(engine, *settings);
      request.durability = settings->durability;
      request.integer_keys = KeyKindOf(settings->key_format) == KeyKind::kInteger;
    }
    requests.push_back(std::move(request));
  }
  return ProbeEngines(requests);
}

// Whether there is room for it, where that can be told before anything is made.
Status CheckRoom(const Plan& plan) {
  const Settings& settings = plan.settings;
  Status status = CheckMemory(plan.phases, AvailableMemoryBytes());
  if (!status.ok() || settings.use_existing_db) return status;
  const auto is_floor = [](const ProbeReply& engine) { return engine.description.Has(LF_FLOOR); };
  // Where a floor runs too, the engines without room are rows with that reason.
  if (std::ranges::any_of(plan.engines, is_floor)) return Status::Ok();
  return CheckFreeSpace(settings.db.empty() ? settings.results : settings.db,
                        NeededDiskBytes(settings));
}

StatusOr<Plan> MakePlan(Settings settings, const Words& words) {
  if (!settings.arguments.empty()) {
    return Status::Usage(fmt::format("{}: run takes flags only, like --engine=leveldb",
                                     Quote(settings.arguments.front())));
  }
  if (std::ranges::find(kDurabilityClasses, settings.durability) == kDurabilityClasses.end()) {
    return Status::Usage("--durability: none, process or synced is accepted");
  }
  if (settings.clock != "tsc" && settings.clock != "monotonic") {
    return Status::Usage("--clock: tsc or monotonic is accepted");
  }
  if (const Status status = ResolveKeys(settings); !status.ok()) return status;
  StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(settings);
  if (!phases.ok()) return phases.status();
  const std::vector<std::string> plugins = FindEngines(EngineDirectory());
  const StatusOr<std::vector<std::string>> engines = PlanEngines(settings, plugins);
  if (!engines.ok()) return engines.status();
  if (const Status status = CheckEngineOptionNames(settings, *engines); !status.ok()) return status;
  std::vector<ExistingStore> stores;
  if (settings.use_existing_db) {
    StatusOr<std::vector<ExistingStore>> found = FindExistingStores(*engines, plugins, settings);
    if (!found.ok()) return found.status();
    stores = std::move(*found);
    phases = PlanPhases(settings);  // With what the stores say of their keys.
    if (!phases.ok()) return phases.status();
  } else if (const Status status = CheckStorePaths(settings, *engines, plugins); !status.ok()) {
    return status;
  }
  Plan plan{.settings = settings,
            .command = "levelfield",
            .phases = std::move(*phases),
            .engines = Probe(*engines, &settings),
            .stores = std::move(stores)};
  for (const std::string& word : words) plan.command += " " + word;
  // An engine that cannot do what was asked is a row with a reason, as long as another one can.
  const auto runs = [](const ProbeReply& engine) {
    return engine.status.ok() && !engine.description.Has(LF_FLOOR);
  };
  const bool all_ran = std::ranges::any_of(plan.engines, runs);
  const bool only_floors = std::ranges::all_of(plan.engines, [](const ProbeReply& engine) {
    return engine.status.ok() && engine.description.Has(LF_FLOOR);
  });
  if (!all_ran && !only_floors) {
    for (const ProbeReply& engine : plan.engines) {
      if (!engine.status.ok()) return engine.status;
    }
  }
  // An option of one engine's own that it refuses is a mistake, whoever else runs.
  for (const ProbeReply& engine : plan.engines) {
    const bool has_own = settings.engine_options.contains(
        engine.engine.substr(0, engine.engine.find_first_of("@:")));
    if (has_own && engine.status.kind() == ErrorKind::kUsage) return engine.status;
  }
  if (const Status status = CheckRoom(plan); !status.ok()) return status;
  std::ranges::stable_sort(plan.engines, {}, [](const ProbeReply& engine) {
    return engine.is_loaded && engine.description.Has(LF_FLOOR);
  });
  return plan;
}

std::string DescribePlan(const Plan& plan) {
  std::string text;
  for (const ProbeReply& engine : plan.engines) {
    if (!engine.status.ok()) {
      text += fmt::format("{}: will not run: {}\n", engine.engine, engine.status.message());
      continue;
    }
    text += fmt::format("{} {}:", engine.engine, engine.description.Fact("version"));
    for (const auto& [name, value] : engine.options.settings) {
      text += fmt::format(" {}={}", name, value);
    }
    text += "\n";
    for (const std::string& note : engine.options.notes) text += fmt::format("    {}\n", note);
  }
  text += plan.stores.empty() ? "each in a fresh process on a fresh store:\n"
                              : "each in a fresh process on the store that is there:\n";
  for (const PlannedPhase& phase : plan.phases) {
    text += fmt::format("  {:24} durability {}{}\n", phase.workload.name, phase.durability,
                        phase.implicit ? "; loads the store, is not shown" : "");
    for (const Role& role : phase.workload.roles) {
      text += fmt::format(
          "    [{}] {} thread{}, {}\n", role.name, role.threads, role.threads == 1 ? "" : "s",
          !role.until_role.empty()
              ? "until [" + role.until_role + "] ends"
              : fmt::format("{} operations{}", role.operations, role.repeat ? " each" : " in all"));
    }
  }
  return text;
}

int ExitCodeOf(const Result& result) {
  int code = 0;
  for (const RunResult& run : result.runs) {
    if (run.outcome == Outcome::kFailed || run.outcome == Outcome::kWrong) return 1;
    if (run.outcome == Outcome::kInvalid) code = 3;
  }
  return code;
}

Answer RunVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  Words command = {"run"};
  command.insert(command.end(), words.begin(), words.end());
  const StatusOr<Plan> plan = MakePlan(*settings, command);
  if (!plan.ok()) return Failure(plan.status());
  InstallInterruptHandlers();
  const DriverReport report = RunPlan(*plan);
  if (report.directory.empty()) return Failure(report.status);
  const StatusOr<Result> result = ReadResultDirectory(report.directory);
  if (!result.ok()) return Failure(report.status.ok() ? result.status() : report.status);
  Answer answer{
      .text = RenderTables(*result, OutputColumns()) + "results: " + report.directory + "\n",
      .status = report.status};
  if (report.interrupted) {
    answer.status = Status::Interrupted("interrupted; what had finished is in " + report.directory);
  }
  answer.exit_code = ExitCodeOf(*result);
  return answer;
}

Answer PlanVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  const StatusOr<Plan> plan = MakePlan(*settings, words);
  if (!plan.ok()) return Failure(plan.status());
  return {.text = DescribePlan(*plan)};
}

Answer ReportVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  if (settings->arguments.empty()) {
    return Failure(
        Status::Usage("report needs a result directory: levelfield report results/<...>"));
  }
  Answer answer;
  for (const std::string& path : settings->arguments) {
    const StatusOr<Result> result = ReadResultDirectory(path);
    if (!result.ok()) return Failure(result.status());
    answer.text += RenderTables(*result, OutputColumns());
    answer.exit_code = std::max(answer.exit_code, ExitCodeOf(*result));
  }
  return answer;
}

Answer EnginesVerb(const Words&) {
  const std::vector<std::string> found = FindEngines(EngineDirectory());
  if (found.empty()) {
    return Failure(
        Status::Failed(fmt::format("no engine is in {}; `make build` puts them there, "
                                   "LEVELFIELD_ENGINES names another directory",
                                   EngineDirectory().string())));
  }
  return {.text = EnginesText(Probe(found, nullptr))};
}

Answer WorkloadsVerb(const Words&) { return {.text = WorkloadsText()}; }

Answer DocsVerb(const Words& words) {
  const std::map<std::string, std::function<std::string()>> pages = {
      {"flags", FlagsMarkdown},
      {"workloads", WorkloadsMarkdown},
      {"engines", [] { return EnginesMarkdown(Probe(FindEngines(EngineDirectory()), nullptr)); }}};
  const auto it = words.empty() ? pages.end() : pages.find(words.front());
  if (it == pages.end()) return Failure(Status::Usage("docs: flags, workloads or engines?"));
  return {.text = it->second()};
}

struct Verb {
  std::string_view name;
  std::string_view summary;
  Answer (*run)(const Words&);
};

constexpr Verb kVerbs[] = {
    {"run", "run workloads on engines, and print the tables", RunVerb},
    {"plan", "print what `run` would do, without doing it", PlanVerb},
    {"report", "print the tables of result directories again", ReportVerb},
    {"engines", "list the engines that are here, and what they are", EnginesVerb},
    {"workloads", "list the workloads", WorkloadsVerb},
    {"docs", "print a generated page of the documentation: flags, workloads, engines", DocsVerb},
};

std::string Help() {
  std::string help = fmt::format(
      "Levelfield {}: embedded key-value stores, measured on a level field.\n\n"
      "  levelfield run                                   every engine, every workload\n"
      "  levelfield run --engine=leveldb,lmdb --num=100k  two of them, smaller\n"
      "  levelfield run --benchmarks=fillseq,readrandom   on one open store, in this order\n\n",
      kVersion);
  for (const Verb& verb : kVerbs) help += fmt::format("  {:10} {}\n", verb.name, verb.summary);
  return help + FlagsHelp();
}

Answer Dispatch(Words words) {
  const auto asks_for = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return std::ranges::find(names, word) != names.end();
    });
  };
  if (words.empty() || asks_for({"--help", "-h", "help"})) return {.text = Help()};
  if (words.front() == "--version") return {.text = fmt::format("levelfield {}\n", kVersion)};
  const std::string name = words.front();
  words.erase(words.begin());
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == name) return verb.run(words);
    names.emplace_back(verb.name);
  }
  const std::string nearest = NearestName(name, names);
  return Failure(Status::Usage(
      fmt::format("{} is no verb{} `levelfield --help` lists them.", Quote(name),
                  nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest))));
}

// A descriptor that is closed would be given to the next file that is opened, and messages meant
// for people would go into it.
void OpenStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
  }
}

int Main(const Words& words) {
  OpenStandardDescriptors();
  signal(SIGPIPE, SIG_IGN);  // A closed pipe is an error of the write that meets it.
  signal(SIGXFSZ, SIG_IGN);
  if (words.size() == 1 && words[0] == "--worker") return RunWorker();
  if (words.size() == 1 && words[0] == "--answer-probe") return AnswerProbe();
  const Answer answer = Dispatch(words);
  const auto complain = [](const std::string& message) {
    std::fputs(fmt::format("levelfield: {}\n", Printable(message)).c_str(), stderr);
  };
  const bool written =
      std::fwrite(answer.text.data(), 1, answer.text.size(), stdout) == answer.text.size() &&
      std::fflush(stdout) == 0;
  const int write_error = errno;
  if (!answer.status.ok()) {
    complain(answer.status.message());
    return static_cast<int>(answer.status.kind());
  }
  if (written) return answer.exit_code;
  // Whoever closed the pipe (`| head -1`) has read enough and wants no message.
  if (write_error != EPIPE) {
    complain(fmt::format("cannot write to standard output: {}", std::strerror(write_error)));
  }
  return 1;
}

}  // namespace
}  // namespace levelfield

int main(int argc, char** argv) {
  return levelfield::Main(std::vector<std::string>(argv + 1, argv + argc));
}
