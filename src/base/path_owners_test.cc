#include "base/path_owners.h"

#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/child_for_test.h"
#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::path_owners_test {

namespace fs = std::filesystem;

constexpr uid_t kStranger = 65534;

class PathOwners : public ::testing::Test {
 protected:
  PathOwners() { fs::create_directories(directory_ / "a/b"); }

  std::string At(const std::string& name) const { return directory_ / name; }
  void Give(const std::string& name, uid_t user) const {
    ASSERT_EQ(lchown(At(name).c_str(), user, user), 0);
  }
  static std::string WhyNot(const std::string& path) {
    const Status status = CheckNobodyElseCanRedirect(path);
    if (!status.ok()) {
      EXPECT_EQ(status.kind(), ErrorKind::kUsage);
      EXPECT_THAT(status.message(), AllOf(HasSubstr("cannot use "), HasSubstr("; ")));
    }
    return status.ok() ? "" : status.message();
  }
  // The result in a process of that user; the test is skipped if it may not change users.
  std::string WhyNotAs(uid_t user, const std::string& path) const {
    const std::string answer = At("a/answer");
    Write(answer, "");
    fs::permissions(answer, fs::perms::all);
    fs::permissions(At("."), fs::perms(0755));
    const auto as_that_user = [&] {
      if (setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) return 1;
      Write(answer, WhyNot(path));
      return 0;
    };
    EXPECT_EQ(InChild(as_that_user), 0);
    return Read(answer);
  }
  TemporaryDirectory directory_;
};

TEST_F(PathOwners, OfOurOwnAndRootsDirectoriesAreNobodyElse) {
  EXPECT_EQ(WhyNot(At("a/b")), "");
  EXPECT_EQ(WhyNot(At("a/b/not/there/yet")), "");
  EXPECT_EQ(WhyNot("/usr/share"), "");
  EXPECT_EQ(WhyNot("/tmp/levelfield_not_there"), "") << "its sticky bit keeps entries from others";
}

TEST_F(PathOwners, WhoOwnsADirectoryAboveIsTold) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory to somebody else";
  Give("a", kStranger);
  EXPECT_THAT(WhyNot(At("a/b")), AllOf(HasSubstr(At("a") + " belongs to "), HasSubstr("uid 65534"),
                                       HasSubstr("could put something else in its place"),
                                       HasSubstr("run as that user")));
  EXPECT_NE(WhyNot(At("a/not_there_yet")), "");
  EXPECT_NE(WhyNot(At("a/../a/b")), "");
  EXPECT_EQ(WhyNot(At("x")), "");
  // The directory itself counts as a parent of what is in it.
  Give("a", 0);
  Give("a/b", kStranger);
  EXPECT_NE(WhyNot(At("a/b")), "");
}

TEST_F(PathOwners, ToRootEverybodyIsSomebodyElseWhoMayWriteToADirectory) {
  if (geteuid() != 0) GTEST_SKIP() << "an ordinary user takes his own directories as they are";
  fs::permissions(At("a"), fs::perms(0777));
  EXPECT_THAT(WhyNot(At("a/b")), AllOf(HasSubstr("everybody may write to " + At("a")),
                                       HasSubstr("chmod o-w " + At("a"))));
  fs::permissions(At("a"), fs::perms(01777));
  EXPECT_EQ(WhyNot(At("a/b")), "");
  fs::permissions(At("a"), fs::perms(0775));
  EXPECT_EQ(WhyNot(At("a/b")), "") << "root's group is root";
  ASSERT_EQ(chown(At("a").c_str(), 0, kStranger), 0);
  EXPECT_THAT(WhyNot(At("a/b")), AllOf(HasSubstr("gid 65534"), HasSubstr("chmod g-w")));
}

// Then the mode bits do not show the stranger: the group is root's.
TEST_F(PathOwners, AnAccessControlListIsSeenBehindTheBits) {
  if (geteuid() != 0) GTEST_SKIP() << "an ordinary user takes his own directories as they are";
  struct Entry {
    uint16_t tag, permissions;
    uint32_t id;
  };
  constexpr uint32_t kNobody = ~uint32_t{0};
  const auto list = [&](uint16_t permissions) {
    const struct {
      uint32_t version = 2;
      Entry entries[5];
    } value = {.entries = {{0x01, 7, kNobody},
                           {0x02, permissions, kStranger},
                           {0x04, 5, kNobody},
                           {0x10, permissions, kNobody},
                           {0x20, 5, kNobody}}};
    return setxattr(At("a").c_str(), "system.posix_acl_access", &value, sizeof value, 0);
  };
  if (list(7) != 0) GTEST_SKIP() << "no access control lists here: " << std::strerror(errno);
  EXPECT_THAT(WhyNot(At("a/b")), AllOf(HasSubstr(At("a") + " has an access control list"),
                                       HasSubstr("setfacl -b " + At("a"))));
  ASSERT_EQ(list(5), 0);
  EXPECT_EQ(WhyNot(At("a/b")), "") << "it lets the stranger read";
}

TEST_F(PathOwners, AnOrdinaryUserIsNotHeldUpInHisOwnOrRootsDirectories) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be several users";
  Give("a/b", kStranger);
  for (const int mode : {0755, 0775, 0777, 01777}) {
    fs::permissions(At("a"), fs::perms(mode));
    fs::permissions(At("a/b"), fs::perms(mode));
    EXPECT_EQ(WhyNotAs(kStranger, At("a/b/new")), "") << mode;
  }
  Give("a", 12345);
  EXPECT_THAT(WhyNotAs(kStranger, At("a/b/new")), HasSubstr("uid 12345"));
}

TEST_F(PathOwners, ASymlinkCountsByWhoMadeItAndWhereItLeads) {
  fs::create_symlink("a", At("link"));
  EXPECT_EQ(WhyNot(At("link/b")), "");
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a link to somebody else";
  Give("link", kStranger);
  EXPECT_THAT(WhyNot(At("link/b")), HasSubstr("is a symlink of "));
  fs::create_directory(At("theirs"));
  Give("theirs", kStranger);
  fs::create_symlink(At("theirs"), At("absolute"));
  fs::create_symlink("../theirs", At("a/relative"));
  EXPECT_THAT(WhyNot(At("absolute/x")), HasSubstr(At("theirs") + " belongs to"));
  EXPECT_THAT(WhyNot(At("a/relative/x")), HasSubstr("belongs to"));
  fs::create_symlink("loop", At("loop"));
  EXPECT_EQ(WhyNot(At("loop/x")), "") << "it leads nowhere, which others say";
}

TEST(NewDirectory, IsNeverOneThatWasThere) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path() + "/above/results";
  const StatusOr<std::string> first = MakeNewDirectory(path);
  const StatusOr<std::string> second = MakeNewDirectory(path);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, path);
  EXPECT_EQ(*second, path + "-2");
}

TEST(NewDirectory, IsNotMadeWhereAHundredAreTaken) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path() + "/results";
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(MakeNewDirectory(path).ok()) << i;
  EXPECT_THAT(ErrorOf(MakeNewDirectory(path)), HasSubstr("are taken"));
}

TEST(NewDirectory, IsNotMadeInAFile) {
  const TemporaryDirectory temporary;
  Write(temporary / "file", "text");
  EXPECT_THAT(ErrorOf(MakeNewDirectory(temporary.path() + "/file/results")),
              HasSubstr("cannot make the directory"));
}

}  // namespace levelfield::path_owners_test
