#include "driver/conformance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json_text.h"
#include "base/quote.h"
#include "base/removal.h"
#include "driver/c_test_list.h"
#include "driver/supervisor.h"
#include "engine/loader.h"
#include "process/process.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The list takes one or two seconds, on a slow disk half a minute.
constexpr double kPatienceSeconds = 120;
constexpr size_t kMostHeardBytes = size_t{1} << 20;

// The child's exit code when a test failed and was printed. Not 1, because a library may exit with
// 1.
constexpr int kTestFailed = 100;

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
      return fmt::format("it did not end in {} s", kPatienceSeconds);
  }
}

// Empty if every test passed. "failed" if the lines name the failed test. Otherwise what else went
// wrong.
std::string VerifyOne(const ConformanceRequest& request, std::string& lines) {
  const OwnDirectory directory;
  if (directory.path().empty()) return directory.reason();
  StatusOr<ChildProcess> child = ChildProcess::Start({"--answer-conformance"});
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
  if (failure.empty() && heard.end == fmt::format("exit code {}", kTestFailed)) return "failed";
  if (failure.empty() && !heard.end.empty()) failure = "its process ended by " + heard.end;
  const bool is_complete = lines.ends_with("\nPASS\n") || lines.starts_with("unsupported: ");
  if (failure.empty() && !is_complete) failure = "its process ended before the list did";
  if (!failure.empty() && !heard.last_words.empty()) {
    failure += "; it said: " + Quote(heard.last_words, 500);
  }
  return failure;
}

}  // namespace

ConformanceReport VerifyConformance(const std::vector<ConformanceRequest>& requests) {
  ConformanceReport report;
  for (const ConformanceRequest& request : requests) {
    report.text += "# " + request.engine;
    if (!request.version.empty()) report.text += " " + request.version;
    report.text += "\n";
    std::string lines;
    const std::string failure = VerifyOne(request, lines);
    std::istringstream rest(lines);
    for (std::string line; std::getline(rest, line);) report.text += Printable(line) + "\n";
    if (failure.empty()) continue;
    report.passed = false;
    // The lines have the failure of a test, but not the end of the process.
    if (failure != "failed") report.text += fmt::format("{}: {}\n", request.engine, failure);
    if (IsInterrupted()) {
      report.interrupted = true;
      return report;
    }
    report.text += "FAIL\n";
  }
  return report;
}

int AnswerConformance() {
  std::string line;
  std::getline(std::cin, line);
  const auto run = [&](const Json& json) {
    ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(json.at("engine").get<std::string>()));
    ASSIGN_OR_RETURN(const Engine engine, LoadEngine(spec, EngineDirectory()));
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

}  // namespace levelfield
