#include "loop/slice_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace levelfield::slice_gate_test {

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

TEST(SliceGate, WhatIsChargedIsNotWaited) {
  SliceGate gate(1);
  SliceShare share;
  std::jthread worker([&] {
    gate.Wait(share);
    gate.Wait(share);
    gate.Leave(share);
  });
  gate.AwaitAll();
  gate.Open();
  gate.AwaitAll();
  std::this_thread::sleep_for(milliseconds(50));
  const uint64_t before_ns = share.waited_ns;
  gate.Open(30'000'000);
  worker.join();
  EXPECT_GE(share.waited_ns - before_ns, 20'000'000);
  EXPECT_LT(share.waited_ns - before_ns, 50'000'000);
}

// A thread that waited at the gate for a processor had none of its slice kept from it.
TEST(SliceGate, NoMoreIsQueuedThanIsActive) {
  constexpr size_t kThreads = 4;
  SliceGate gate(kThreads);
  SliceShare shares[kThreads];
  std::vector<std::jthread> threads;
  for (SliceShare& share : shares) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) gate.Wait(share);
      gate.Leave(share);
    });
  }
  for (int i = 0; i < 50; ++i) {
    gate.AwaitAll();
    EXPECT_LE(gate.Work().queued_ns, gate.Work().active_ns) << i;
    gate.Open();
  }
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

}  // namespace levelfield::slice_gate_test
