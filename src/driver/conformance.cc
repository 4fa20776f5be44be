#include "driver/conformance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "base/json_text.h"
#include "base/program_path.h"
#include "base/quote.h"
#include "base/removal.h"
#include "base/text.h"
#include "driver/c_test_list.h"
#include "driver/supervisor.h"
#include "engine/description.h"
#include "engine/loader.h"
#include "process/hang_watch.h"
#include "process/process.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The processes end themselves when they make no progress for a minute (process/hang_watch.h). This
// is for one that lives on without.
constexpr double kPatienceSeconds = 4 * 3600;
constexpr unsigned kMostIdleLooks = 60;
constexpr size_t kMostHeardBytes = size_t{1} << 20;

// The child's exit code when a test failed and was printed. Not 1, because a library may exit with
// 1.
constexpr int kTestFailed = 100;

constexpr std::string_view kTestsFailed = "failed";
constexpr const char* kHangs = "nothing was read, written or answered for a minute: it hangs\n";

// The number in "<before>61<behind>...", or nothing.
std::optional<uint64_t> CountIn(std::string_view line, std::string_view before,
                                std::string_view behind) {
  if (!line.starts_with(before)) return std::nullopt;
  line.remove_prefix(before.size());
  return Digits(line.substr(0, line.find(behind)));
}

// Made by this process, and removed with all its contents.
class OwnDirectory {
 public:
  OwnDirectory() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "levelfield_verify_XXXXXX").string();
    if (!error && mkdtemp(path.data()) != nullptr) path_ = path;
    reason_ = fmt::format("cannot make {}: {}", path,
                          error ? error.message() : std::string(std::strerror(errno)));
  }
  ~OwnDirectory() {
    if (!path_.empty()) (void)RemoveAll(path_);
  }
  OwnDirectory(const OwnDirectory&) = delete;
  OwnDirectory& operator=(const OwnDirectory&) = delete;

  const std::string& path() const { return path_; }  // Empty: it was not made; reason() says why.
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

// Why the child was killed before it had ended. "" if it was not.
std::string WhyKilled(Heard::Cut cut) {
  switch (cut) {
    case Heard::Cut::kNone:
      return "";
    case Heard::Cut::kInterrupted:
      return "interrupted";
    case Heard::Cut::kTooMuch:
      return "it says too much";
    default:
      return fmt::format("it did not end in {:.0f} hours", kPatienceSeconds / 3600);
  }
}

// Asks a process of its own, in the role, about the engine. Empty if nothing failed; what it wrote
// is in `lines`. `failed` is its answer if something failed that the lines name.
std::string Ask(const char* role, const ConformanceRequest& request, std::string_view failed,
                std::string& lines) {
  const OwnDirectory directory;
  if (directory.path().empty()) return directory.reason();
  StatusOr<ChildProcess> child = ChildProcess::Start({role});
  if (!child.ok()) return child.status().message();
  const Json json = {{"engine", request.engine},
                     {"common", request.options.common},
                     {"own", request.options.own},
                     {"directory", directory.path()}};
  (void)child->Write(JsonText(json) + "\n");  // A child that is gone shows below.
  Heard heard = Hear(*child, {.seconds = kPatienceSeconds, .most_bytes = kMostHeardBytes});
  std::string failure = WhyKilled(heard.cut);
  lines = std::move(heard.output);
  if (!lines.empty() && !lines.ends_with('\n')) lines += '\n';
  if (failure.empty() && heard.end == failed) return std::string(kTestsFailed);
  if (failure.empty() && !heard.end.empty()) failure = "its process ended by " + heard.end;
  if (!failure.empty() && !heard.last_words.empty()) {
    failure += "; it said: " + Quote(heard.last_words, 500);
  }
  return failure;
}

// Empty if every test passed. kTestsFailed if the lines name the failed test. Otherwise what else
// went wrong.
std::string VerifyList(const ConformanceRequest& request, std::string& lines) {
  std::string failure =
      Ask("--answer-conformance", request, fmt::format("exit code {}", kTestFailed), lines);
  const bool is_complete = lines.ends_with("\nPASS\n") || lines.starts_with("unsupported: ");
  if (failure.empty() && !is_complete) failure = "its process ended before the list did";
  return failure;
}

// What gtest prints of claims that hold or do not apply, which nobody has to read.
bool IsProgress(std::string_view line) {
  for (const std::string_view start : {"[ RUN ", "[       OK ]", "[  SKIPPED ]", "[----------]",
                                       "[==========]", "[ recorded ", "Note: ", "RC_PARAMS="}) {
    if (line.starts_with(start)) return true;
  }
  return line.empty();
}

// The same for the claims.
std::string VerifyClaims(const ConformanceRequest& request, std::string& lines) {
  std::string all;
  std::string failure = Ask("--answer-claims", request, "exit code 1", all);
  std::istringstream rest(all);
  std::set<std::string> refusals;
  std::string last_claim;
  bool is_complete = false;
  bool is_reason = false;  // Why a claim is skipped stands in the next line.
  for (std::string line; std::getline(rest, line);) {
    if (line.starts_with("[ RUN ")) last_claim = line;
    if (const auto count = CountIn(line, "[  PASSED  ] ", " test"); count) {
      lines += fmt::format("{} claims hold\n", *count);
      is_complete = true;
    } else if (line.starts_with("[ unsupported ] ")) {
      if (refusals.insert(line).second) lines += line + "\n";
    } else if (!failure.empty() && !is_reason && !IsProgress(line) &&
               !line.ends_with(": Skipped")) {
      lines += line + "\n";
    }
    is_reason = line.ends_with(": Skipped");
  }
  if (failure.empty() && !is_complete) failure = "its process ended before the claims did";
  if (!failure.empty() && !is_complete) lines += last_claim + "\n";
  return failure;
}

// The program that has the claims: beside this one in a build tree, else in the installation. Empty
// if it is in neither.
fs::path ClaimsProgram() {
  const fs::path here = fs::path(ProgramPath()).parent_path();
  for (const fs::path& path :
       {here / "conformance", here.parent_path() / "lib/levelfield/conformance"}) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

void Report(const ConformanceRequest& request, const std::string& lines, const std::string& failure,
            ConformanceReport& report) {
  std::istringstream rest(lines);
  for (std::string line; std::getline(rest, line);) report.text += Printable(line) + "\n";
  if (failure.empty()) return;
  report.passed = false;
  // The lines have the failure of a test, but not the end of the process.
  if (failure != kTestsFailed) report.text += fmt::format("{}: {}\n", request.engine, failure);
}

}  // namespace

ConformanceReport VerifyConformance(const std::vector<ConformanceRequest>& requests,
                                    ConformanceOf what) {
  ConformanceReport report;
  const bool with_claims = what == ConformanceOf::kListAndClaims;
  const bool has_claims = !ClaimsProgram().empty();
  if (with_claims && !has_claims) {
    report.not_checked =
        "the claims that random sequences and threads test were not checked, because the program "
        "`conformance` is not here; `make build` builds it, and packages have it";
  }
  for (const ConformanceRequest& request : requests) {
    report.text += "# " + request.engine;
    if (!request.version.empty()) report.text += " " + request.version;
    report.text += "\n";
    std::string lines;
    std::string failure = VerifyList(request, lines);
    Report(request, lines, failure, report);
    if (failure.empty() && with_claims && has_claims) {
      lines.clear();
      failure = VerifyClaims(request, lines);
      Report(request, lines, failure, report);
    }
    if (failure.empty()) continue;
    if (IsInterrupted()) {
      report.interrupted = true;
      return report;
    }
    report.text += "FAIL\n";
  }
  return report;
}

int AnswerConformance() {
  StartHangWatch(kMostIdleLooks, kHangs, 1);
  std::string line;
  std::getline(std::cin, line);
  const auto run = [&](const Json& json) {
    ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(json.at("engine").get<std::string>()));
    ASSIGN_OR_RETURN(const Engine engine, LoadEngine(spec, EnginePlaces()));
    const GivenOptions options = {.common = json.at("common"), .own = json.at("own")};
    return RunCTest(engine, options, json.at("directory").get<std::string>(), TellParent);
  };
  try {
    const Status status = run(ParseJsonText(line));
    if (!status.ok()) TellParent(status.message() + "\n");
    return status.ok() ? 0 : kTestFailed;
  } catch (const Json::exception&) {
    return 2;
  }
}

int AnswerClaims() {
  std::string line;
  std::getline(std::cin, line);
  const auto words_of = [&](const Json& json) -> StatusOr<std::vector<std::string>> {
    const std::string text = json.at("engine");
    ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(text));
    ASSIGN_OR_RETURN(const Engine engine, LoadEngine(spec, EnginePlaces()));
    ASSIGN_OR_RETURN(const EngineDescription description, Describe(engine));
    ASSIGN_OR_RETURN(
        const ResolvedOptions options,
        ResolveEngineSettings(description, {.common = json.at("common"), .own = json.at("own")}));
    std::vector<std::string> words = {ClaimsProgram().string(), "--engine=" + text,
                                      "--gtest_color=no"};
    for (const auto& [name, value] : options.settings) {
      words.push_back(fmt::format("--setting={}={}", name, value));
    }
    setenv("TMPDIR", json.at("directory").get<std::string>().c_str(), 1);
    return words;
  };
  try {
    StatusOr<std::vector<std::string>> words = words_of(ParseJsonText(line));
    if (!words.ok()) {
      TellParent(words.status().message() + "\n");
      return 1;
    }
    std::vector<char*> pointers;
    for (std::string& word : *words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    // A counterexample goes to standard error.
    dup2(kEventFd, STDOUT_FILENO);
    dup2(kEventFd, STDERR_FILENO);
    execv(pointers[0], pointers.data());
    TellParent(fmt::format("cannot run {}: {}\n", words->front(), std::strerror(errno)));
  } catch (const Json::exception&) {
    return 2;
  }
  return 1;
}

}  // namespace levelfield
