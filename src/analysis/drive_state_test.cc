#include "analysis/drive_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "result/environment.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

TEST(DriveWarnings, AreOfAFileSystemThatIsMoreThanFourFifthsFull) {
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", 80.0}}), IsEmpty());
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", 80.1}}),
              ElementsAre(HasSubstr("was 80.1 % full before the run")));
}

TEST(DriveWarnings, AreNotOfWhatIsNotKnown) {
  EXPECT_THAT(DriveWarnings(Json::object()), IsEmpty());
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", "unknown: statvfs: denied"}}), IsEmpty());
}

TEST(DriveWarnings, UnderstandWhatIsCapturedHere) {
  const Json environment = CaptureEnvironment(".");
  ASSERT_TRUE(environment["filesystem_fill_percent"].is_number());
  const bool is_full = environment["filesystem_fill_percent"].get<double>() > 80;
  EXPECT_EQ(DriveWarnings(environment).size(), is_full ? 1u : 0u);
}

}  // namespace
}  // namespace levelfield
