#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/status_for_test.h"

namespace levelfield::status_test {

TEST(Status, KeepsItsKindAndItsMessage) {
  EXPECT_TRUE(Status::Ok().ok());
  EXPECT_EQ(Status::Ok().message(), "");
  for (const auto& [status, kind] : {std::pair{Status::Failed("why"), ErrorKind::kFailed},
                                     {Status::Usage("why"), ErrorKind::kUsage},
                                     {Status::Interrupted("why"), ErrorKind::kInterrupted}}) {
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.kind(), kind);
    EXPECT_EQ(status.message(), "why");
  }
}

TEST(Status, KindsAreTheExitCodesOfTheProgram) {
  EXPECT_EQ(static_cast<int>(ErrorKind::kNone), 0);
  EXPECT_EQ(static_cast<int>(ErrorKind::kFailed), 1);
  EXPECT_EQ(static_cast<int>(ErrorKind::kUsage), 2);
  EXPECT_EQ(static_cast<int>(ErrorKind::kInterrupted), 130);
}

TEST(StatusOr, HoldsAValueOrTheReasonForItsAbsence) {
  StatusOr<std::unique_ptr<int>> value = std::make_unique<int>(7);
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value.status().ok());
  EXPECT_EQ(**value, 7);
  const std::unique_ptr<int> taken = std::move(*value);
  EXPECT_EQ(*taken, 7);

  EXPECT_EQ(UsageErrorOf(Status::Usage("no")), "no");
}

TEST(StatusOrDeathTest, AValueThatIsNotThereEndsTheProgramWithTheReason) {
  const StatusOr<int> none = Status::Failed("the disk is gone");
  EXPECT_DEATH((void)*none, "internal error.*the disk is gone");
  const StatusOr<std::string> no_text = Status::Usage("no such file");
  EXPECT_DEATH((void)no_text->size(), "internal error.*no such file");
}

}  // namespace levelfield::status_test
