// The loop of several operations in flight, against a server in virtual time.
#include "loop/in_flight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace levelfield::in_flight_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;

// Answers one after the other, each `work` ticks after it was begun or after the one before. A look
// at the clock takes a tick.
struct Server {
  uint64_t work = 10;
  uint64_t now = 1000;
  uint64_t free_at = 0;
  std::deque<uint64_t> done_at = {};
  size_t most_in_flight = 0;
  uint64_t answered = 0;
  uint64_t fails_at = UINT64_MAX;
  std::vector<uint64_t> submitted = {};  // Indexes of keys.
  std::vector<uint64_t> answers = {};
};

class Calls {
 public:
  explicit Calls(Server& server) : server_(server) {}
  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  lf_code Submit(const NumberedKey& key, Asked&) {
    server_.free_at = std::max(server_.free_at, server_.now) + server_.work;
    server_.done_at.push_back(server_.free_at);
    server_.submitted.push_back(key.index);
    server_.most_in_flight = std::max(server_.most_in_flight, server_.done_at.size());
    return LF_OK;
  }
  lf_code Answer(const Asked& asked, uint64_t most_ns) {
    const uint64_t done_at = server_.done_at.front();
    if (done_at > server_.now && most_ns == 0) return LF_PENDING;
    server_.now = std::max(server_.now, done_at);
    server_.done_at.pop_front();
    if (server_.answered++ == server_.fails_at) return LF_FAILED;
    server_.answers.push_back(asked.index);
    return LF_OK;
  }

 private:
  Server& server_;
};

struct Recorded {
  std::vector<uint64_t> latencies = {};  // From the submit on,
  std::vector<uint64_t> responses = {};  // from when it was due on,
  std::vector<uint64_t> lateness = {};   // and how late it was begun.
  size_t in_flight_when_attending = 99;
};

struct Recorder {
  Server* server;
  Recorded* recorded;

  uint64_t Now() const { return ++server->now; }
  void Record(const Asked& asked, uint64_t end) {
    recorded->latencies.push_back(end - asked.start);
    recorded->responses.push_back(end - asked.due);
    recorded->lateness.push_back(asked.start - std::min(asked.could_begin, asked.start));
  }
  void Attend(ThreadControl& control) {
    recorded->in_flight_when_attending = server->done_at.size();
    control.signals.fetch_and(~ThreadControl::kAttend);
  }
};

struct DueEvery {
  uint64_t gap;
  uint64_t next = 2000;

  uint64_t NextDue() { return next += gap; }
  uint64_t WaitNs(uint64_t) const { return 0; }
  void Woke(uint64_t, uint64_t) {}
};

KeyBlock Keys(uint64_t range) {
  return KeyBlock({.order = KeyOrder::kSequential, .range = range, .end_position = range},
                  KeyFormat(KeyShape(16), range));
}

class InFlight : public ::testing::Test {
 protected:
  template <class Schedule>
  lf_code Run(size_t depth, uint64_t limit, Schedule schedule) {
    Calls calls(server_);
    KeyBlock keys = Keys(1000);
    InFlightLoop loop(calls, Recorder{&server_, &recorded_}, schedule, depth, control_);
    return loop.Run(keys, limit);
  }

  Server server_;
  Recorded recorded_;
  ThreadControl control_;
};

TEST_F(InFlight, AreAsManyAsTheDepthAndAnsweredInTheirOrderToTheLast) {
  EXPECT_EQ(Run(4, 500, AtOnce()), LF_OK);
  EXPECT_EQ(server_.most_in_flight, 4u);
  EXPECT_EQ(server_.answers, server_.submitted);
  EXPECT_EQ(server_.answers.size(), 500u);
  EXPECT_EQ(control_.operations.load(), 500u);
  EXPECT_TRUE(server_.done_at.empty());
}

// In two ways: Little's law. What is in flight is the rate times the latency.
TEST_F(InFlight, WaitTogetherAsLongAsTheServerTakesForAllOfThem) {
  const uint64_t begin = server_.now;
  server_.work = 100;
  EXPECT_EQ(Run(8, 400, AtOnce()), LF_OK);
  const auto ticks = static_cast<double>(server_.now - begin);
  double sum = 0;
  for (const uint64_t latency : recorded_.latencies) sum += static_cast<double>(latency);
  EXPECT_NEAR(sum / ticks, 8, 0.3);
  EXPECT_NEAR(ticks / 400, 100, 3);
}

TEST_F(InFlight, AreDrainedBeforeTheThreadAttendsToAnythingElse) {
  control_.signals = ThreadControl::kAttend;
  EXPECT_EQ(Run(4, 50, AtOnce()), LF_OK);
  EXPECT_EQ(recorded_.in_flight_when_attending, 0u);
  EXPECT_EQ(control_.operations.load(), 50u);
}

TEST_F(InFlight, AreAnsweredBeforeAStoppedThreadEnds) {
  struct StopAt : AtOnce {
    ThreadControl* control;
    uint64_t left = 20;
    uint64_t NextDue() {
      if (--left == 0) control->Stop();
      return 0;
    }
  };
  StopAt schedule;
  schedule.control = &control_;
  EXPECT_EQ(Run(8, 1000, schedule), LF_OK);
  EXPECT_EQ(control_.operations.load(), server_.submitted.size());
  EXPECT_EQ(server_.submitted.size(), 19u);
}

TEST_F(InFlight, CountOnlyWhatWasAnsweredBeforeAFailure) {
  server_.fails_at = 30;
  EXPECT_EQ(Run(8, 1000, AtOnce()), LF_FAILED);
  EXPECT_EQ(control_.operations.load(), 30u);
  EXPECT_EQ(recorded_.latencies.size(), 30u);
}

TEST_F(InFlight, OfAnOpenLoopBeginWhenTheyAreDueAndDoNotWaitForEachOther) {
  server_.work = 30;  // One at a time it would do no more than 33 of 50.
  EXPECT_EQ(Run(4, 50, DueEvery{100}), LF_OK);
  EXPECT_EQ(server_.most_in_flight, 1u);
  EXPECT_THAT(recorded_.lateness, Each(::testing::Le(2u)));
  EXPECT_THAT(recorded_.responses, Each(::testing::Le(34u)));
}

TEST_F(InFlight, OfAnOpenLoopThatIsTooFastCountTheWaitForRoomAsTheServers) {
  server_.work = 30;
  EXPECT_EQ(Run(4, 50, DueEvery{10}), LF_OK);
  EXPECT_EQ(server_.most_in_flight, 4u);
  EXPECT_THAT(recorded_.lateness, Each(::testing::Le(3u)));
  EXPECT_GT(recorded_.responses.back(), 50 * 20 - 200u);
  EXPECT_THAT(recorded_.latencies, Each(Ge(30u)));
}

}  // namespace
}  // namespace levelfield::in_flight_test
