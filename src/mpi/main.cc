// levelfield-mpi: one rank of a fleet. `mpirun -n 4 levelfield-mpi run --fleet=one ...` starts
// four, each starts `levelfield` with the same words, and they hold those at gates (fleet/gate.h),
// so that all begin and end together. MPI does nothing else: what is measured, checked and written
// is each run's own, and `levelfield merge` makes one result of theirs.
//
// Invariants:
// - The run is forked before MPI_Init: it has nothing of MPI's, and may use all processors, to one
//   of which mpirun binds its ranks.
// - While the run is between two gates, this process waits in read(2) for its next question. MPI's
//   own waits would spin beside what is measured.
// - Nothing is waited for without a deadline. Rank 0 decides (gate_keeper.h): the others take what
//   it says, or find that it does not answer.
#include <fmt/format.h>
#include <limits.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/print.h"
#include "fleet/gate.h"
#include "fleet/gate_keeper.h"
#include "mpi/mail.h"
#include "mpi/rank_process.h"

namespace levelfield {
namespace {

// From the last answer at a gate to the moment at which all begin.
constexpr uint64_t kLeadNs = 20'000'000;
constexpr uint64_t kLeadOfRankNs = 100'000;
// From the last gate to the end of a run, which has nothing left to do.
constexpr uint64_t kEndNs = 30'000'000'000;

RankProcess* run_to_end = nullptr;  // For the handler of signals.
void OnSignal(int signal) {
  if (run_to_end != nullptr) run_to_end->Signal(signal);
}

std::string Host() {
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

// A name that no other fleet has.
std::string NewId() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format(
      "{:04}{:02}{:02}-{:02}{:02}{:02}-{:08x}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
      utc.tm_hour, utc.tm_min, utc.tm_sec,
      static_cast<uint32_t>(MonotonicNs() ^ (static_cast<uint64_t>(getpid()) << 16)));
}

// Rank 0: holds all ranks, its own run among them, at their gates.
class Root {
 public:
  Root(RankProcess& run, int ranks)
      : run_(run), ranks_(ranks), id_(NewId()), keeper_(static_cast<size_t>(ranks)) {}

  // Until all have ended.
  void Serve() {
    Hear();
    while (!keeper_.HaveAllLeft()) {
      if (!has_ended_ && !waits_) Hear();
      TakeMail();
      const auto answers = Decide();
      if (answers.empty()) {
        LoseWhoDoesNotEnd();
        usleep(kLookUs);
        continue;
      }
      answered_ns_ = MonotonicNs();
      for (const auto& [rank, answer] : answers) Tell(static_cast<int>(rank), answer);
      mail_.Flush();
    }
  }

  bool HasLost() const { return keeper_.HasLost(); }
  // Where the ranks' results are; empty: not all have told.
  const std::vector<std::string>& results() const { return results_; }

 private:
  // A run that was stopped behind the last gate would be waited for for ever.
  void LoseWhoDoesNotEnd() {
    if (!keeper_.IsOver() || MonotonicNs() - answered_ns_ < kEndNs) return;
    for (int rank = 1; rank < ranks_; ++rank) {
      if (!keeper_.HasLeft(static_cast<size_t>(rank))) {
        keeper_.Lose(static_cast<size_t>(rank), "did not end");
      }
    }
  }

  void Hear() {
    const std::optional<std::string> question = run_.Ask();
    if (!question) {
      has_ended_ = true;
      return keeper_.Leave(0);
    }
    waits_ = true;
    Come(0, *question);
  }

  void Come(int rank, const std::string& text) {
    StatusOr<GateQuestion> question = GateQuestionFromText(text);
    if (!question.ok()) return keeper_.Lose(static_cast<size_t>(rank), "cannot be understood");
    keeper_.Come(static_cast<size_t>(rank), std::move(*question), MonotonicNs());
  }

  void TakeMail() {
    while (const auto got = mail_.Take()) {
      const auto rank = static_cast<size_t>(got->from);
      if (got->tag == kLeft) keeper_.Leave(rank);
      if (got->tag != kQuestion) continue;
      const size_t end = got->text.find('\n');
      keeper_.Call(rank, got->text.substr(0, end));
      Come(got->from, got->text.substr(end + 1));
    }
  }

  std::vector<std::pair<size_t, GateAnswer>> Decide() {
    std::vector<std::optional<ClockOffset>> offsets(static_cast<size_t>(ranks_), ClockOffset{});
    const bool compares = keeper_.ComparesClocks();
    for (int rank = 1; compares && rank < ranks_; ++rank) {
      const auto index = static_cast<size_t>(rank);
      offsets[index] = CompareClocks(mail_, rank);
      if (!offsets[index]) keeper_.Lose(index, "does not answer");
    }
    auto answers = keeper_.Decide(MonotonicNs());
    const uint64_t begin_ns =
        MonotonicNs() + kLeadNs + kLeadOfRankNs * static_cast<uint64_t>(ranks_);
    for (auto& [rank, answer] : answers) {
      answer.place = {.id = id_, .rank = rank, .of = static_cast<uint64_t>(ranks_)};
      if (!compares || !answer.failure.empty()) continue;
      answer.clock_offset_ns = offsets[rank]->ns;
      answer.clock_error_ns = offsets[rank]->error_ns;
      answer.begin_ns = begin_ns - static_cast<uint64_t>(answer.clock_offset_ns);
    }
    return answers;
  }

  void Tell(int rank, const GateAnswer& answer) {
    if (answer.told.size() == static_cast<size_t>(ranks_)) results_ = answer.told;
    if (rank != 0) return mail_.Send(rank, kAnswer, ToText(answer));
    waits_ = false;
    run_.Answer(ToText(answer));
  }

  RankProcess& run_;
  const int ranks_;
  const std::string id_;
  GateKeeper keeper_;
  Mail mail_;
  uint64_t answered_ns_ = 0;
  bool waits_ = false;                // Its own run does, at a gate.
  bool has_ended_ = false;            // Its own run has.
  std::vector<std::string> results_;  // What was told at the last gate that opened.
};

// Any other rank: passes its run's questions to rank 0, and the answers back.
void ServeFor(RankProcess& run) {
  Mail mail;
  const std::string host = Host();
  bool is_root_lost = false;
  while (const std::optional<std::string> line = run.Ask()) {
    const StatusOr<GateQuestion> question = GateQuestionFromText(*line);
    const auto patience_ns =
        static_cast<uint64_t>((question.ok() ? question->patience_seconds : 60) * 1e9);
    mail.Send(0, kQuestion, host + "\n" + *line);
    const uint64_t begin_ns = MonotonicNs();
    std::string answer;
    uint64_t pinged_ns = 0;
    while (answer.empty()) {
      // Rank 0 may have begun to wait later, and it has to tell who else is missing.
      if (is_root_lost || MonotonicNs() - begin_ns > 2 * patience_ns + 2 * kMessageNs) {
        is_root_lost = true;
        answer = ToText(GateAnswer{
            .failure = fmt::format("rank 0 does not answer (it was waited for {:.0f} s)",
                                   static_cast<double>(MonotonicNs() - begin_ns) * 1e-9)});
        break;
      }
      const auto got = mail.Take(0);
      if (!got) {
        // Right behind a ping the next one is near.
        if (MonotonicNs() - pinged_ns > 2'000'000) usleep(kLookUs);
      } else if (got->tag == kPing) {
        mail.Send(0, kPong, std::to_string(MonotonicNs()));
        pinged_ns = MonotonicNs();
      } else if (got->tag == kAnswer) {
        answer = got->text;
      }
    }
    mail.Flush();
    run.Answer(answer);
  }
  mail.Send(0, kLeft, std::string());
  mail.Flush();
}

// Shows what all did, if all their results can be read here.
int Merge(const std::vector<std::string>& results) {
  const std::string where = "--results=" + (results.empty() ? "" : DirectoryOf(results.front()));
  std::string command = "levelfield merge";
  bool are_here = !results.empty();
  for (const std::string& path : results) {
    command += " " + path;
    are_here = are_here && !path.empty() && access((path + "/manifest.json").c_str(), R_OK) == 0;
  }
  if (!are_here) {
    Print(stdout, "each rank has its results on its own machine; bring them together and say:\n" +
                      command + "\n");
    return 0;
  }
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("NO_COLOR", "1", 1);  // mpirun gives its ranks a terminal, whatever its own output is.
    const std::string program = ProgramBeside();
    std::vector<char*> argv = {const_cast<char*>(program.c_str()), const_cast<char*>("merge"),
                               const_cast<char*>(where.c_str())};
    for (const std::string& path : results) argv.push_back(const_cast<char*>(path.c_str()));
    argv.push_back(nullptr);
    execvp(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int Main(const std::vector<std::string>& words) {
  const bool is_run = !words.empty() && words.front() == "run";
  const bool is_fleet = std::ranges::find(words, "--fleet=one") != words.end();
  if (!is_run || !is_fleet) {
    Complain(
        "starts `levelfield run` in each rank, behind one gate: mpirun -n 4 levelfield-mpi run "
        "--fleet=one --engine=redis --redis.endpoint=host:6379 ...");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  RankProcess run(words);
  run_to_end = &run;
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, OnSignal);
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  run.Go();
  int code = 0;
  if (rank != 0) {
    ServeFor(run);
    code = run.Wait();
  } else {
    Root root(run, ranks);
    root.Serve();
    code = run.Wait();
    if (code == 0 || code == 1 || code == 3) code = std::max(code, Merge(root.results()));
    // MPI_Finalize would wait for a lost rank for ever.
    if (root.HasLost()) MPI_Abort(MPI_COMM_WORLD, code == 0 ? 1 : code);
  }
  MPI_Finalize();
  return code;
}

}  // namespace
}  // namespace levelfield

int main(int argc, char** argv) {
  return levelfield::Main(std::vector<std::string>(argv + 1, argv + argc));
}
