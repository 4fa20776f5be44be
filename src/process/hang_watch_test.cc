#include "process/hang_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/child_for_test.h"
#include "base/matchers_for_test.h"

namespace levelfield::hang_watch_test {

constexpr int kHung = 77;

template <class Work>
int Watched(Work work) {
  return InChild([&] {
    StartHangWatch(2, "", kHung);
    work();
    return 0;
  });
}

void Sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(250)); }

TEST(HangWatch, WhatWaitsForNothingHangs) {
  EXPECT_EQ(Watched([] {
              for (int i = 0; i < 80; ++i) Sleep();
            }),
            kHung);
}

TEST(HangWatch, WhatComputesWithoutAStepHangs) {
  EXPECT_EQ(Watched([] {
              const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
              while (std::chrono::steady_clock::now() < end) {
              }
            }),
            kHung);
}

TEST(HangWatch, WhatCountsStepsDoesNot) {
  EXPECT_EQ(Watched([] {
              for (int i = 0; i < 16; ++i) {
                CountStep();
                Sleep();
              }
            }),
            0);
}

TEST(HangWatch, WhatReadsOrWritesDoesNot) {
  if (access("/proc/self/io", R_OK) != 0) GTEST_SKIP() << "the kernel keeps no such accounts";
  EXPECT_EQ(Watched([] {
              const int null = open("/dev/zero", O_RDWR | O_CLOEXEC);
              char byte = 0;
              for (int i = 0; i < 16; ++i) {
                (void)!(i % 2 == 0 ? read(null, &byte, 1) : write(null, &byte, 1));
                Sleep();
              }
            }),
            0);
}

TEST(HangWatch, WhatAProcessThatItHasStartedReadsOrWritesCounts) {
  if (access("/proc/self/io", R_OK) != 0) GTEST_SKIP() << "the kernel keeps no such accounts";
  EXPECT_EQ(Watched([] {
              const pid_t server = fork();
              for (int i = 0; i < 16; ++i) {
                Sleep();
                if (server != 0) continue;
                const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
                (void)!write(null, "b", 1);
                close(null);
              }
              if (server == 0) _exit(0);
            }),
            0);
}

}  // namespace levelfield::hang_watch_test
