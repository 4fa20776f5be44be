// The second of two engines that are measured at the same moment: its worker is looked after by a
// thread of its own while the driver looks after the first one's, and what it tells is kept and
// told to the driver afterwards. Each workload of both begins when both are ready for it. The
// driver makes one for each round, and calls everything here from its own thread.
#ifndef LEVELFIELD_DRIVER_DUET_H_
#define LEVELFIELD_DRIVER_DUET_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "driver/progress_view.h"
#include "driver/supervisor.h"
#include "plan/plan.h"

namespace levelfield {

// Where two meet before each phase. A phase that one of them leaves out is no reason to wait.
class Meeting {
 public:
  // Until the other one is at that phase as well, or beyond it, or has left, or the person at the
  // keyboard has had enough.
  void Await(size_t who, size_t phase);
  void Leave(size_t who);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t at_[2] = {0, 0};  // The phase that each is ready for, counted from 1.
};

class SecondOfDuet {
 public:
  // Begins at once.
  SecondOfDuet(WorkerSpec spec, StoreKeeper& store);
  ~SecondOfDuet();
  SecondOfDuet(const SecondOfDuet&) = delete;
  SecondOfDuet& operator=(const SecondOfDuet&) = delete;

  Meeting& meeting() { return meeting_; }
  // Waits for its end, and tells the observer all that there was to tell.
  RunEnd Finish(RunObserver& observer);

 private:
  class Recorder;

  WorkerSpec spec_;
  Meeting meeting_;
  ProgressView view_;
  std::vector<std::function<void(RunObserver&)>> told_;
  RunEnd end_;
  std::thread thread_;
};

// The half of the processors that the first (0) or the second (1) of two gets in that round: in
// turns, so that neither has the better ones. Of --cpus, or of all that may be used.
std::string HalfOfProcessors(const std::string& cpus, size_t which, uint64_t round);

// Whether these settings, and these places of the two stores, can be measured at the same moment; a
// mistake (kUsage) that says what is shared, if not.
Status CheckDuet(const Settings& settings, const std::vector<std::string>& stores_on_files);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_DUET_H_
