#include "store/store_users.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files_for_test.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class StoreUsers : public ::testing::Test {
 protected:
  StoreUsers() {
    std::filesystem::create_directory(directory_ / "db");
    Write(directory_ / "db/file", "x");
    Write(directory_ / "db.wal", "x");
  }
  ~StoreUsers() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }

  // A process of its own that has the files open until the test ends.
  void HoldOpen(const std::vector<std::string>& names) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    child_ = fork();
    if (child_ == 0) {
      for (const std::string& name : names) (void)open(name.c_str(), O_RDONLY);
      (void)!write(ends[1], "x", 1);
      for (;;) pause();
    }
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }

  TemporaryDirectory directory_;
  pid_t child_ = 0;
};

TEST_F(StoreUsers, OfAStoreThatNobodyHasOpenAreNone) {
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok());
  EXPECT_TRUE(CheckNobodyUses(directory_ / "none").ok());
}

TEST_F(StoreUsers, AreToldByTheirProcessAndTheirFile) {
  HoldOpen({directory_ / "db/file"});
  const Status status = CheckNobodyUses(directory_ / "db");
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("process " + std::to_string(child_) + " ("),
                                      HasSubstr("/db/file open")));
}

TEST_F(StoreUsers, OfAFileAreThoseOfTheFilesThatAreNamedAfterItToo) {
  HoldOpen({directory_ / "db.wal"});
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok()) << "it is beside the directory";
  std::filesystem::remove_all(directory_ / "db");
  Write(directory_ / "db", "x");
  EXPECT_FALSE(CheckNobodyUses(directory_ / "db").ok());
}

TEST_F(StoreUsers, AreNotThisProcessItself) {
  const UniqueFd fd(open((directory_ / "db/file").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok());
}

}  // namespace
}  // namespace levelfield
