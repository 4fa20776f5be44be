#include "driver/duet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "probe/processors.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;

TEST(Meeting, LetsNobodyBeginBeforeTheOtherIsReady) {
  Meeting meeting;
  std::atomic<size_t> begun{0};
  std::atomic<bool> is_alone{true};
  std::thread other([&] {
    for (size_t phase = 0; phase < 100; ++phase) {
      meeting.Await(1, phase);
      // The first one cannot have begun with the next before this is ready for it.
      if (begun.load() > phase + 1) is_alone = false;
    }
  });
  for (size_t phase = 0; phase < 100; ++phase) {
    meeting.Await(0, phase);
    begun = phase + 1;
  }
  other.join();
  EXPECT_TRUE(is_alone);
}

TEST(Meeting, WaitsNeitherForWhatTheOtherLeavesOutNorForOneThatHasLeft) {
  Meeting meeting;
  std::thread other([&] {
    meeting.Await(1, 3);  // Its phases before could not run.
    meeting.Leave(1);
  });
  for (const size_t phase : {0, 1, 2, 3, 4}) meeting.Await(0, phase);
  other.join();
}

TEST(HalfOfProcessors, AreExchangedInEachRound) {
  EXPECT_EQ(HalfOfProcessors("0-3", 0, 0), "0-1");
  EXPECT_EQ(HalfOfProcessors("0-3", 1, 0), "2-3");
  EXPECT_EQ(HalfOfProcessors("0-3", 0, 1), "2-3");
  EXPECT_EQ(HalfOfProcessors("0-3", 1, 1), "0-1");
  EXPECT_EQ(HalfOfProcessors("0,2,4", 1, 0), "2");  // Of an odd number one rests.
}

TEST(CheckDuet, RefusesTwoStoresOnOneDisk) {
  Settings settings;
  settings.cpus = "0-1";
  const Status refused = CheckDuet(settings, {"results/stores/a", "results/stores/b"});
  EXPECT_EQ(refused.kind(), ErrorKind::kUsage);
  EXPECT_THAT(refused.message(), HasSubstr("one disk (device "));
  EXPECT_TRUE(CheckDuet(settings, {"results/stores/a"}).ok()) << "the other one has no files";
  EXPECT_TRUE(CheckDuet(settings, {"/dev/shm/stores/a", "/dev/shm/stores/b"}).ok());
  EXPECT_TRUE(CheckDuet(settings, {"/dev/shm/stores/a", "results/stores/b"}).ok());
}

TEST(CheckDuet, RefusesWhatTwoAtOnceHaveNoUseOf) {
  Settings settings;
  settings.cpus = "0";
  EXPECT_THAT(CheckDuet(settings, {}).message(), HasSubstr("one processor"));
  settings.cpus = "0-1";
  settings.rate = "sweep";
  EXPECT_THAT(CheckDuet(settings, {}).message(), HasSubstr("--rate=sweep"));
  settings.rate = "";
  settings.given = {"use_existing_db"};
  EXPECT_THAT(CheckDuet(settings, {}).message(), HasSubstr("--use_existing_db"));
}

}  // namespace
}  // namespace levelfield
