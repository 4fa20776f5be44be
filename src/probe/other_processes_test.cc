#include "probe/other_processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace levelfield::other_processes_test {

TEST(OtherProcesses, AreCountedWithThoseThatTheyHaveWaitedFor) {
  Resources sum;
  AddStat("17 (a name) with) R) S 1 2 3 4 5 6 100 10 7 3 250 50 40 10 20 0", 100, sum);
  EXPECT_EQ(sum.minor_faults, 110u);
  EXPECT_EQ(sum.major_faults, 10u);
  EXPECT_DOUBLE_EQ(sum.user_seconds, 2.9);
  EXPECT_DOUBLE_EQ(sum.system_seconds, 0.6);
  AddStat("", 100, sum);
  AddStat("17 (cut off) S 1 2", 100, sum);
  EXPECT_EQ(sum.minor_faults, 110u);
  AddThreadStatus("Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t2\n", sum);
  EXPECT_EQ(sum.voluntary_switches, 5u);
  EXPECT_EQ(sum.involuntary_switches, 2u);
}

// By two ways: what a child says that it did, and what the kernel's accounts say.
TEST(OtherProcesses, HaveWhatAChildDid) {
  constexpr size_t kBytes = size_t{32} << 20;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string memory(kBytes, 'm');
    std::ofstream("/dev/null").write(memory.data(), kBytes);
    (void)!write(ends[1], memory.data(), 1);
    while (true) pause();
  }
  char done = 0;
  ASSERT_EQ(read(ends[0], &done, 1), 1);
  const std::vector<ProcessId> others = {*FindProcess(child)};
  Resources used;
  used.io = Resources::Io();
  used.memory = Resources::Memory();
  AddUseOf(others, used);
  AddMemoryOf(others, used);
  EXPECT_GE(used.io->write_call_bytes, kBytes);
  EXPECT_GE(used.minor_faults, 1u);
  EXPECT_GE(used.memory->anonymous_bytes, kBytes);
  EXPECT_GE(used.peak_resident_bytes, kBytes);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  Resources none;
  AddUseOf(others, none);
  EXPECT_EQ(none, Resources());
}

}  // namespace levelfield::other_processes_test
