#include "probe/condition_probe.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/files_for_test.h"
#include "base/process_tree.h"
#include "probe/other_processes.h"

namespace levelfield::condition_probe_test {

TEST(ProcessorSeconds, AreOfTheFirstLine) {
  const auto seconds = ParseProcessorSeconds("cpu  100 10 50 800 20 5 5 10 7 3\ncpu0 1 2 3\n", 100);
  ASSERT_TRUE(seconds.has_value());
  EXPECT_DOUBLE_EQ(seconds->busy, 1.7);
  EXPECT_DOUBLE_EQ(seconds->stolen, 0.1);
  EXPECT_DOUBLE_EQ(seconds->all, 10);
  EXPECT_FALSE(ParseProcessorSeconds("cpu 1 2 3\n", 100));
  EXPECT_FALSE(ParseProcessorSeconds("cpu0 1 2 3 4 5 6 7 8\n", 100));
  EXPECT_FALSE(ParseProcessorSeconds("", 100));
}

TEST(Pressure, IsTheTotalOfSome) {
  EXPECT_EQ(ParsePressure("some avg10=0.00 avg60=1.00 avg300=0.00 total=12345\n"
                          "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"),
            12345u);
  EXPECT_FALSE(ParsePressure("full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"));
  EXPECT_FALSE(ParsePressure("some avg10=0.00\n"));
  EXPECT_FALSE(ParsePressure(""));
}

class ConditionProbeTest : public testing::Test {
 protected:
  void Tell(const std::string& path, const std::string& text) { Write(root_ / path, text); }
  const TemporaryDirectory root_;
};

TEST_F(ConditionProbeTest, WhatItsProcessesUsedIsNoneOfTheOthers) {
  Tell("proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  const ConditionProbe with_own({getpid()}, root_.path());
  const ConditionProbe of_nobody({}, root_.path());
  const double used_before = CpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
  while (CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) < used_before + 0.05) continue;
  Tell("proc/stat", "cpu 6 0 0 84 0 0 0 10 0 0\n");
  EXPECT_EQ(with_own.End().others_share, 0.0);
  const Conditions conditions = of_nobody.End();
  EXPECT_NEAR(conditions.others_share.value(), 0.05, 1e-9);
  EXPECT_NEAR(conditions.stolen_share.value(), 0.09, 1e-9);
  EXPECT_FALSE(conditions.cpu_wait_share);
  EXPECT_FALSE(conditions.begin_mhz);
}

TEST_F(ConditionProbeTest, OneTickAloneTellsNothing) {
  Tell("proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  const ConditionProbe probe({}, root_.path());
  Tell("proc/stat", "cpu 1 0 0 1 0 0 0 1 0 0\n");
  EXPECT_EQ(probe.End().others_share, 0.0);
  EXPECT_EQ(probe.End().stolen_share, 0.0);
}

TEST_F(ConditionProbeTest, AShortPhaseHasTheConditionsUpToItsEnd) {
  Tell("proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  ConditionProbe probe({}, root_.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  Tell("proc/stat", "cpu 20 0 0 20 0 0 0 0 0 0\n");
  probe.Begin();
  const Conditions conditions = probe.End();
  EXPECT_GE(conditions.seconds, 0.01);
  EXPECT_NEAR(conditions.others_share.value(), 19.0 / 40, 1e-9);
}

TEST_F(ConditionProbeTest, ALongPhaseHasItsOwnConditionsAlone) {
  Tell("proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  ConditionProbe probe({}, root_.path());
  Tell("proc/stat", "cpu 20 0 0 20 0 0 0 0 0 0\n");
  probe.Begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  Tell("proc/stat", "cpu 20 0 0 60 0 0 0 0 0 0\n");
  EXPECT_EQ(probe.End().others_share, 0.0);
}

// What it has used is taken off from what the kernel counts for all, in ticks of 10 ms.
TEST_F(ConditionProbeTest, AProcessThatWorksForTheStoreIsNoOther) {
  const pid_t child = fork();
  if (child == 0) {
    for (volatile uint64_t sum = 0;;) sum = sum + 1;
  }
  const std::vector<ProcessId> server = {FindProcess(child).value()};
  const auto used_seconds = [&] {
    Resources used;
    AddUseOf(server, used);
    return used.user_seconds + used.system_seconds;
  };
  Tell("proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  ConditionProbe probe({}, root_.path());
  probe.Include(server);
  const double before = used_seconds();
  probe.Begin();
  while (used_seconds() < before + 0.3) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  Tell("proc/stat", "cpu 100 0 0 100 0 0 0 0 0 0\n");
  const double own = used_seconds() - before;
  EXPECT_NEAR(probe.End().others_share.value(), (1 - own - 0.01) / 2, 0.03);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(ConditionProbeTest, EachSourceThatIsMissingCostsItsOwnNumbersOnly) {
  Tell("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n");
  Tell("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n");
  Tell("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n");
  ConditionProbe probe({}, root_.path());
  probe.Begin();
  const Conditions conditions = probe.End();
  EXPECT_FALSE(conditions.others_share);
  EXPECT_EQ(conditions.cpu_wait_share, 0.0);
  EXPECT_FALSE(conditions.io_wait_share);
  EXPECT_EQ(conditions.begin_mhz, 2500.0);
}

TEST(ConditionProbe, KnowsThisMachine) {
  ConditionProbe probe;
  probe.Begin();
  volatile uint64_t sum = 0;
  for (uint64_t i = 0; i < 30'000'000; ++i) sum = sum + i;
  const Conditions conditions = probe.End();
  EXPECT_GT(conditions.seconds, 0);
  ASSERT_TRUE(conditions.others_share.has_value());
  EXPECT_LE(*conditions.others_share, 1);
}

}  // namespace levelfield::condition_probe_test
