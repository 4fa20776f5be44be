#include "durability/crash_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <numeric>
#include <thread>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "driver/supervisor.h"
#include "engine/loader.h"
#include "process/process.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

uint64_t In(double seconds) { return MonotonicNs() + static_cast<uint64_t>(seconds * 1e9); }

void Nap() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

// Appends what arrives in that time; false at the end.
bool ReadFor(int milliseconds, int fd, std::string& text) {
  pollfd wanted{fd, POLLIN, 0};
  if (poll(&wanted, 1, milliseconds) <= 0) return true;
  return ReadSome(fd, text);
}

// The rest of what an ended child wrote there.
std::string RestOf(int fd) {
  std::string text;
  while (text.size() < 4096) {
    const size_t before = text.size();
    if (!ReadFor(0, fd, text) || text.size() == before) break;
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// Engines' messages name their files; this one-time path helps nobody.
std::string WithoutPath(std::string text, const std::string& directory) {
  for (size_t at = 0; (at = text.find(directory, at)) != std::string::npos;) {
    text.replace(at, directory.size(), "<store>");
  }
  return text;
}

std::string TextOf(const CrashTask& task) {
  const Json json = {{"engine", task.engine},
                     {"settings", task.settings},
                     {"directory", task.directory},
                     {"seed", task.shape.seed},
                     {"value_bytes", task.shape.value_bytes},
                     {"erases", task.shape.erases},
                     {"acked", task.acked},
                     {"issued", task.issued},
                     {"acknowledgements", task.acknowledgements}};
  return JsonText(json) + "\n";
}

}  // namespace

std::optional<CrashTask> ReadCrashTask() {
  std::string line;
  std::getline(std::cin, line);
  try {
    const Json json = ParseJsonText(line);
    return CrashTask{.engine = json.at("engine"),
                     .settings = json.at("settings"),
                     .directory = json.at("directory"),
                     .shape = {.seed = json.at("seed"),
                               .value_bytes = json.at("value_bytes"),
                               .erases = json.at("erases")},
                     .acked = json.at("acked"),
                     .issued = json.at("issued"),
                     .acknowledgements = json.at("acknowledgements")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

StatusOr<Engine> LoadEngineOf(const CrashTask& task) {
  ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(task.engine));
  return LoadEngine(spec, EnginePlaces());
}

StatusOr<CrashWriter> CrashWriter::Start(CrashTask task, double patience_seconds) {
  const auto threads = static_cast<uint32_t>(task.acked.size());
  ASSIGN_OR_RETURN(Acknowledgements acknowledgements, Acknowledgements::Make(threads));
  for (uint32_t i = 0; i < threads; ++i) {
    acknowledgements.slot(i).issued = task.acked[i];
    acknowledgements.slot(i).acked = task.acked[i];
  }
  task.acknowledgements = acknowledgements.path();
  ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::Start({kCrashWriterWord}));
  RETURN_IF_ERROR(child.Write(TextOf(task)));
  CrashWriter writer(std::move(child), std::move(acknowledgements), patience_seconds);
  const uint64_t deadline_ns = In(patience_seconds);
  while (writer.acknowledgements_->ready() < threads) {
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    if (writer.child_.HasEnded()) return writer.WhyEnded();
    if (MonotonicNs() > deadline_ns) {
      return Status::Failed(
          fmt::format("{}: the writer did not begin in {} s", task.engine, patience_seconds));
    }
    Nap();
  }
  return writer;
}

Status CrashWriter::WriteUntilSomeInstant(Random& random) {
  constexpr uint64_t kMillisecondNs = 1'000'000;
  const std::vector<uint64_t> issued = Issued();
  const uint64_t before = AckedInAll();
  const uint64_t burst = uint64_t{64} << random.Below(7);
  acknowledgements_->goal() = *std::ranges::max_element(issued) + burst;
  // Before any thread finishes its burst: a waiting thread has nothing under way to be hit.
  const uint64_t target = before + 1 + random.Below(burst);
  const uint64_t most_ms = random.Below(2) == 0 ? 1000 : 1 + random.Below(300);
  const uint64_t instant_ns = MonotonicNs() + most_ms * kMillisecondNs;
  const uint64_t deadline_ns = In(patience_seconds_);
  // At least one acknowledgement, or there would be nothing to lose.
  while (true) {
    const uint64_t acked = AckedInAll();
    const uint64_t now_ns = MonotonicNs();
    if (acked >= target) return Status::Ok();
    if (acked > before && now_ns >= instant_ns) return Status::Ok();
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    if (child_.HasEnded()) return WhyEnded();
    if (now_ns > deadline_ns) {
      return Status::Failed(
          fmt::format("the writer got no acknowledgement in {} s", patience_seconds_));
    }
    Nap();
  }
}

AckedBefore CrashWriter::Acked() const {
  return {.commits = acknowledgements_->Acked(), .at_ns = MonotonicNs()};
}

double CrashWriter::SecondsSince(const std::vector<uint64_t>& commits, uint64_t at_ns) const {
  uint64_t first_ns = at_ns;
  for (uint32_t i = 0; i < commits.size(); ++i) {
    const uint64_t ns = commits[i] == 0 ? 0 : acknowledgements_->AckedNs(i, commits[i]);
    if (ns != 0) first_ns = std::min(first_ns, ns);
  }
  return static_cast<double>(at_ns - first_ns) * 1e-9;
}

void CrashWriter::Kill() {
  child_.Signal(SIGKILL);
  (void)child_.Wait();
}

Status CrashWriter::WhyEnded() {
  const std::string said = RestOf(child_.output().get());
  const std::string complained = RestOf(child_.error().get());
  const std::string end = child_.Wait();
  return Status::Failed(
      fmt::format("the writer ended by {}{}{}", end, said.empty() ? "" : ": " + Printable(said),
                  complained.empty() ? "" : "; it said: " + Quote(complained, 500)));
}

uint64_t CrashWriter::AckedInAll() const {
  const std::vector<uint64_t> acked = acknowledgements_->Acked();
  return std::reduce(acked.begin(), acked.end());
}

StatusOr<CheckedStore> CheckStore(const CrashTask& task, double patience_seconds) {
  StatusOr<ChildProcess> child = ChildProcess::Start({kCrashCheckerWord});
  if (!child.ok()) return child.status();
  (void)child->Write(TextOf(task));  // If the child is gone, that shows below.
  std::string text;
  std::string complained;
  uint64_t deadline_ns = In(patience_seconds);
  const auto has_opened = [&] { return text.starts_with("opened\n"); };
  bool was_open = false;
  bool is_late = false;
  while (!is_late && ReadFor(10, child->output().get(), text)) {
    (void)ReadFor(0, child->error().get(), complained);
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    if (has_opened() && !was_open) deadline_ns = In(patience_seconds);
    was_open = has_opened();
    is_late = MonotonicNs() > deadline_ns;
  }
  if (is_late) child->Signal(SIGKILL);
  const std::string end = child->Wait();
  CheckedStore checked;
  checked.finding.opened = has_opened();
  if (is_late) {
    checked.finding.message =
        fmt::format("{} took more than {} s",
                    has_opened() ? "reading and closing it" : "opening it", patience_seconds);
    return checked;
  }
  if (!end.empty()) {
    checked.finding.message = fmt::format(
        "the process that {} it ended by {}{}", has_opened() ? "read" : "opened", end,
        complained.empty() ? ""
                           : "; it said: " + Quote(WithoutPath(complained, task.directory), 500));
    return checked;
  }
  if (has_opened()) text.erase(0, text.find('\n') + 1);
  try {  // An engine may write to any descriptor.
    const StatusOr<Json> read = ParseBoundedJson(text);
    const Json json = read.ok() ? *read : Json();
    ASSIGN_OR_RETURN(const CrashFinding finding, CrashFindingOf(json.at("finding")));
    checked.finding = finding;
    checked.finding.message = WithoutPath(finding.message, task.directory);
    checked.first_lost = json.at("first_lost").get<std::vector<uint64_t>>();
    checked.kept = json.at("kept_by_thread").get<std::vector<uint64_t>>();
  } catch (const Json::exception&) {
    return Status::Failed("the checker's answer does not read: " + Quote(text, 200));
  }
  return checked;
}

}  // namespace levelfield
