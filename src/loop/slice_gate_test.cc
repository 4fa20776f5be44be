#include "loop/slice_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace levelfield {
namespace {

using std::chrono::milliseconds;

TEST(SliceGate, TimeAtTheGateIsNotActive) {
  SliceGate gate(1);
  SliceShare share;
  uint64_t end_ns = 0;
  const uint64_t begin_ns = MonotonicNs();
  std::jthread worker([&] {
    gate.Wait(share);
    std::this_thread::sleep_for(milliseconds(5));  // Its work in its slice.
    gate.Wait(share);
    gate.Leave(share);
    end_ns = MonotonicNs();
  });
  gate.AwaitAll();
  gate.Open();
  gate.AwaitAll();
  const uint64_t active_ns = gate.Work().active_ns;
  EXPECT_GE(active_ns, 5'000'000);
  EXPECT_EQ(gate.SpanNs(), active_ns);
  EXPECT_LE(gate.Work().queued_ns, active_ns);
  std::this_thread::sleep_for(milliseconds(50));  // Another process's slice.
  EXPECT_EQ(gate.Work().active_ns, active_ns);
  gate.Open();
  gate.AwaitAll();
  EXPECT_TRUE(gate.HaveAllLeft());
  worker.join();
  EXPECT_GE(share.waited_ns, 50'000'000);
  EXPECT_LE(active_ns + share.waited_ns, end_ns - begin_ns);
}

TEST(SliceGate, OneThatLeavesIsNotWaitedFor) {
  SliceGate gate(2);
  SliceShare shares[2];
  std::jthread leaves([&] { gate.Leave(shares[0]); });
  std::jthread waits([&] {
    gate.Wait(shares[1]);
    gate.Leave(shares[1]);
  });
  gate.AwaitAll();
  EXPECT_FALSE(gate.HaveAllLeft());
  gate.Open();
  gate.AwaitEnds(std::chrono::hours(1));
  EXPECT_TRUE(gate.HaveAllLeft());
}

TEST(SliceGate, WorkIsOfTheThreadsThatAreCounted) {
  SliceGate gate(1);
  SliceShare share{.is_counted = false};
  std::jthread worker([&] {
    gate.Wait(share);
    gate.Leave(share);
  });
  gate.AwaitAll();
  gate.Open();
  gate.AwaitAll();
  EXPECT_EQ(gate.Work().active_ns, 0);
}

}  // namespace
}  // namespace levelfield
