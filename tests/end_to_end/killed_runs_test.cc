// A run whose driver or worker is killed at any moment leaves a marker that says no more than is
// there: clean only where the store opens and holds all that the marker says.
//
// An engine that announces what it does (engines/announcing.cc) tells when each step begins. The
// moment of the kill is drawn within the time that the step took in a run before that nobody
// disturbed. LEVELFIELD_KILLS says how many kills there are of each step; the nightly list has 200.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include "base/unique_fd.h"
#include "end_to_end.h"
#include "store/store_marker.h"

namespace levelfield {
namespace {

using Clock = std::chrono::steady_clock;

// Which announcement a step begins with and which one ends it, counted from 1 over the two fills of
// a run; the last step ends with the run.
struct Step {
  const char* name;
  const char* begin;
  int begin_number;
  const char* end;
  int end_number;
};
void PrintTo(const Step& step, std::ostream* out) { *out << step.name; }

constexpr Step kSteps[] = {
    {"wipe", "closed", 2, "opening", 3},     {"fill", "putting", 2, "settling", 2},
    {"settle", "settling", 2, "closing", 3}, {"verify", "closing", 3, "closing", 4},
    {"close", "closing", 4, "the end", 1},
};

// Engines that say when they settle, in classes from which a kill takes something and in others.
struct Kind {
  const char* engine;
  const char* durability;
};
constexpr Kind kKinds[] = {
    {"rocksdb", "none"},       {"leveldb", "process"}, {"berkeleydb", "none"},
    {"sqlite3", "process"},    {"treedb", "none"},     {"lmdb", "process"},
    {"berkeleydb", "process"}, {"rocksdb", "process"}, {"treedb", "process"},
};

constexpr int kEntries = 3000;

class KilledRuns : public EndToEnd,
                   public testing::WithParamInterface<std::tuple<Step, std::string>> {
 protected:
  KilledRuns() {
    pipe_ = path() + "/announcements";
    EXPECT_EQ(mkfifo(pipe_.c_str(), 0600), 0);
    options_.environment["LEVELFIELD_ANNOUNCEMENTS"] = pipe_;
    options_.environment["LEVELFIELD_ANNOUNCED"] = LEVELFIELD_ENGINE_DIRECTORY;
    for (const Kind& kind : kKinds) {
      const std::string name = "/engines/levelfield_" + std::string(kind.engine) + ".so";
      fs::remove(path() + name);
      fs::copy_file(LEVELFIELD_WRAPPING_ENGINE_DIRECTORY + std::string("/levelfield_announcing.so"),
                    path() + name);
    }
    // Open for writing too, so that its end never comes.
    lines_ = UniqueFd(open(pipe_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  }

  std::unique_ptr<LevelfieldProcess> StartRun(const Kind& kind) {
    fs::remove_all(path() + "/results");
    fs::remove_all(path() + "/S");
    text_.clear();
    counts_.clear();
    worker_ = 0;
    char ignored[4096];
    while (read(lines_.get(), ignored, sizeof(ignored)) > 0) {
    }
    return Start({"run", "--engine=" + std::string(kind.engine),
                  "--durability=" + std::string(kind.durability), "--benchmarks=fillseq,fillseq",
                  "--num=" + std::to_string(kEntries), "--db=S", "--single_db", "--price=0",
                  "--audit=0", "--histogram=0"});
  }

  // Whether it is announced before the process has ended.
  bool WaitFor(const std::string& word, int number, pid_t process) {
    while (counts_[word] < number) {
      pollfd ready = {lines_.get(), POLLIN, 0};
      if (poll(&ready, 1, 20) == 1) {
        TakeLines();
      } else if (IsOver(process)) {
        return false;
      }
    }
    return true;
  }

  static bool IsOver(pid_t process) {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  }

  // The length of the step in a run that ends well; nothing where this engine does not say it.
  std::optional<double> SecondsOf(const Step& step, const Kind& kind) {
    const auto process = StartRun(kind);
    if (!WaitFor(step.begin, step.begin_number, process->pid())) return std::nullopt;
    const auto begin = Clock::now();
    const bool ends = WaitFor(step.end, step.end_number, process->pid());
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    const Ending ending = process->Finish();
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    if (!ends && std::string(step.end) != "the end") return std::nullopt;
    return seconds.count();
  }

  pid_t worker() const { return worker_; }

  // What is found of the store; a failure where the marker says more than there is.
  std::string CheckWhatIsLeft(const Kind& kind) {
    const std::string text = ReadFile("S/LEVELFIELD");
    const std::optional<StoreMarker> marker = ParseMarker(text);
    EXPECT_TRUE(marker.has_value()) << text;
    if (!marker) return "unreadable";
    EXPECT_EQ(marker->content.durability, kind.durability);
    if (marker->state == StoreState::kTainted) return "tainted";
    const bool is_clean = marker->state == StoreState::kClean;
    // What claims to survive a kill has to open; of the rest only what is clean.
    if (!is_clean && std::string(kind.durability) == "none") return "dirty";
    Ending found = Run({"verify", "store", "S"});
    // A worker that has just been killed may still have the lock for a moment.
    for (int i = 0; i < 50 && found.err.find("is using it") != found.err.npos; ++i) {
      usleep(100'000);
      found = Run({"verify", "store", "S"});
    }
    EXPECT_EQ(found.exit_code, 0) << text << found.out << found.err;
    EXPECT_THAT(InOneLine(found.out), HasSubstr(is_clean ? "closed in good order" : "cut off"));
    EXPECT_THAT(InOneLine(found.out), HasSubstr("durability " + std::string(kind.durability)));
    if (!is_clean) return "dirty";
    if (marker->content.entries != 0) {
      EXPECT_EQ(marker->content.entries, uint64_t{kEntries});
      EXPECT_THAT(InOneLine(found.out), HasSubstr("entries 3,000 ("));
    }
    return "clean";
  }

 private:
  void TakeLines() {
    char buffer[4096];
    const ssize_t count = read(lines_.get(), buffer, sizeof(buffer));
    if (count > 0) text_.append(buffer, static_cast<size_t>(count));
    for (size_t end; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
      std::istringstream line(text_.substr(0, end));
      std::string word;
      line >> word >> worker_;
      ++counts_[word];
    }
  }

  std::string pipe_;
  UniqueFd lines_;
  std::string text_;
  std::map<std::string, int> counts_;
  pid_t worker_ = 0;
};

TEST_P(KilledRuns, leave_no_marker_that_is_better_than_its_store) {
  const std::string victim = std::get<1>(GetParam());
  Step step = std::get<0>(GetParam());
  // The worker's part of the last step is shorter.
  if (victim == "worker" && std::string(step.end) == "the end") {
    step.end = "closed";
    step.end_number = 4;
  }
  const char* const asked = std::getenv("LEVELFIELD_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 2;
  constexpr unsigned kSeed = 15;
  std::mt19937 random(kSeed);
  std::vector<std::pair<Kind, double>> kinds;
  for (const Kind& kind : kKinds) {
    if (static_cast<int>(kinds.size()) == kills) break;
    if (const auto seconds = SecondsOf(step, kind)) kinds.emplace_back(kind, *seconds);
  }
  ASSERT_GE(static_cast<int>(kinds.size()), std::min(kills, 5)) << "too few say when they do";
  std::map<std::string, int> found;
  int in_time = 0;
  int kill_number = 0;
  // Those that come when the run is over count for nothing, and are checked all the same.
  for (; in_time < kills && kill_number < 3 * kills; ++kill_number) {
    const auto& [kind, seconds] = kinds[static_cast<size_t>(kill_number) % kinds.size()];
    const double share = std::uniform_real_distribution<double>(0, 1)(random);
    SCOPED_TRACE(testing::Message()
                 << "seed " << kSeed << ", kill " << kill_number << " of the " << victim << ": "
                 << kind.engine << " " << kind.durability << ", " << share * seconds
                 << " s after it said " << step.begin);
    const auto process = StartRun(kind);
    ASSERT_TRUE(WaitFor(step.begin, step.begin_number, process->pid()));
    usleep(static_cast<useconds_t>(share * seconds * 1e6));
    if (victim == "driver") {
      process->Signal(SIGKILL);
    } else {
      (void)kill(worker(), SIGKILL);
    }
    const Ending ending = process->Finish();
    in_time += ending.exit_code == 0 ? 0 : 1;
    ASSERT_TRUE(NobodyIsLeft(5));
    ++found[CheckWhatIsLeft(kind)];
    if (HasFailure()) return;
  }
  for (const auto& [state, count] : found) std::printf("%d %s, ", count, state.c_str());
  std::printf("of %d kills of the %s in %s; %d came before the run was over\n", kill_number,
              victim.c_str(), step.name, in_time);
  EXPECT_GT(in_time, 0) << "none came in time";
}

INSTANTIATE_TEST_SUITE_P(AtRandom, KilledRuns,
                         testing::Combine(testing::ValuesIn(kSteps),
                                          testing::Values(std::string("driver"),
                                                          std::string("worker"))),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param).name) + "_" +
                                  std::get<1>(of.param);
                         });

}  // namespace
}  // namespace levelfield
