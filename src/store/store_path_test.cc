#include "store/store_path.h"

#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/child_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/text.h"
#include "file_system/mount_point.h"
#include "store/store_directory.h"
#include "store/stores_for_test.h"

namespace levelfield::store_path_test {

namespace fs = std::filesystem;
using StorePathTest = TestOfStores;

// The same place spelled in many ways.
std::vector<std::string> Spellings(const std::string& path) {
  const fs::path plain(path);
  const std::string base = plain.filename().string();
  std::vector<std::string> spellings = {path,         path + "/",  path + "//", path + "/.",
                                        path + "/./", "/." + path, "//" + path};
  if (!base.empty()) {
    spellings.push_back(plain.parent_path().string() + "/./" + base);
    // After a symlink, ".." is the target's parent, which is another place than the spelling says.
    std::error_code ignored;
    if (!fs::is_symlink(path, ignored)) spellings.push_back(path + "/../" + base);
    spellings.push_back("/tmp/../" + path);
    spellings.push_back("/proc/self/root" + path);
  }
  spellings.push_back(plain.lexically_relative(fs::current_path()).string());
  spellings.push_back("./" + plain.lexically_relative(fs::current_path()).string());
  spellings.push_back("../here/" + plain.lexically_relative(fs::current_path()).string());
  return spellings;
}

std::vector<std::string> MountRoots() {
  std::vector<std::string> roots;
  std::ifstream mounts("/proc/self/mounts");
  std::string source, target, rest;
  while (mounts >> source >> target && std::getline(mounts, rest)) {
    // A space is spelled \040 there; such a name would only be a missing file here.
    if (target.find('\\') == std::string::npos && fs::exists(target) &&
        (!fs::is_directory(target) || !fs::is_empty(target))) {
      roots.push_back(target);
    }
  }
  return roots;
}

TEST_F(StorePathTest, RefusesEveryHostilePathAndChangesNothing) {
  std::vector<std::string> places = Split(
      "/ /etc /usr /var /dev /proc /sys /boot /bin /sbin /lib /lib32 /lib64 /libx32 /run /tmp "
      "/var/tmp /dev/shm /etc/levelfield_no /usr/local/levelfield_no /var/lib/levelfield_no "
      "/var/levelfield_no /dev/levelfield_no /proc/levelfield_no /proc/self/levelfield_no "
      "/sys/levelfield_no /boot/levelfield_no /run/levelfield_no /bin/levelfield_no "
      "/usr/bin/levelfield_no /lib32/levelfield_no /dev/null /dev/zero /proc/self/fd/0 "
      "/etc/passwd",
      ' ');
  for (const std::string& root : MountRoots()) places.push_back(root);
  for (const auto& block : fs::directory_iterator("/dev")) {
    if (block.is_block_file()) places.push_back(block.path());
  }

  for (const char* name : {"homes", "homes/me", "a", "a/desk", "a/desk/here"}) {
    places.push_back(At(name));
  }
  places.push_back(play_);

  Write(At("foreign/photo"), "cat");
  Write(At("hidden/.x"), "");
  fs::create_directories(At("only_dir/sub"));
  Write(At("foreign_db/CURRENT"), "MANIFEST-000001\n");
  Write(At("file"), "file");
  Write(At("empty_file"), "");
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  const int unix_socket = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  At("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(unix_socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(unix_socket);
  for (const char* name : {"foreign", "hidden", "only_dir", "foreign_db", "file", "empty_file",
                           "pipe", "socket", "file/below", "pipe/below"}) {
    places.push_back(At(name));
  }

  fs::create_directories(At("empty"));
  fs::create_symlink("empty", At("link_to_empty"));
  fs::create_symlink(At("foreign"), At("link_to_foreign"));
  fs::create_symlink("nowhere", At("dangling"));
  fs::create_symlink(At("loop_b"), At("loop_a"));
  fs::create_symlink(At("loop_a"), At("loop_b"));
  fs::create_symlink("link_to_empty", At("link_to_link"));
  fs::create_symlink("/etc", At("link_to_etc"));
  fs::create_symlink("homes", At("link_to_homes"));
  for (const char* name :
       {"link_to_empty", "link_to_foreign", "dangling", "dangling/below", "loop_a", "loop_a/below",
        "link_to_link", "link_to_etc", "link_to_etc/levelfield_no", "link_to_homes/me"}) {
    places.push_back(At(name));
  }
  if (geteuid() == 0) {
    fs::create_symlink("empty", At("strangers_link"));
    ASSERT_EQ(lchown(At("strangers_link").c_str(), 65534, 65534), 0);
    places.push_back(At("strangers_link/new"));
    places.push_back(At("strangers_link"));
  }

  // The name alone does not make a marker.
  for (const char* name : {"m_symlink", "m_garbage", "m_directory", "m_pipe", "m_long",
                           "m_not_alone", "m_other_json"}) {
    Write(At(name) + "/precious", "p");
    places.push_back(At(name));
  }
  Write(At("a_marker"), std::string(512, ' '));
  fs::create_symlink("../a_marker", At("m_symlink/LEVELFIELD"));
  Write(At("m_garbage/LEVELFIELD"), "garbage");
  fs::create_directories(At("m_directory/LEVELFIELD"));
  ASSERT_EQ(mkfifo(At("m_pipe/LEVELFIELD").c_str(), 0600), 0);
  Write(At("m_long/LEVELFIELD"), std::string(100'000, '{'));
  Write(At("m_not_alone/LEVELFIELD"), "");
  Write(At("m_other_json/LEVELFIELD"), "{\"levelfield_store\":1}" + std::string(490, ' '));

  std::vector<std::string> paths;
  for (const std::string& place : places) {
    for (const std::string& spelling : Spellings(place)) paths.push_back(spelling);
  }
  // Here the spelling itself is wrong.
  const std::vector<std::string> oddities = {
      "",
      ".",
      "..",
      "./",
      "../..",
      "../../../../../../../..",
      std::string("\0", 1),
      At(std::string("new\0", 4)),
      At(std::string("new\0/../../etc", 13)),
      At(std::string(201, 'x')),
      At(std::string(256, 'x')),
      At(std::string(5000, 'x')),
      At("new/" + std::string(200, '/')),
      std::string(201 - 4, 'x') + "long",
      At("missing/../new"),
      At("missing/../../new"),
      At("1/2/3/4/5/new"),
      "/levelfield_no/1/2/3/4/new",
      "1/2/3/4/5/6/7/8/9/new",
      "/proc/self/cwd",
      "/proc/self/cwd/..",
      "/dev/fd/0",
  };
  paths.insert(paths.end(), oddities.begin(), oddities.end());
  ASSERT_GE(paths.size(), 200u);

  const std::string before = TreeOf(play_);
  const std::vector<std::string> roots_before = [] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator("/")) names.push_back(entry.path());
    return names;
  }();
  for (const std::string& path : paths) {
    // `fresh` asks for deletion, but must delete nothing that is not ours.
    for (const bool fresh : {false, true}) {
      auto store = StoreDirectory::Create(path, {.salt = 1, .harness = "t", .fresh = fresh});
      if (store.ok()) {
        ADD_FAILURE() << path << " was accepted, as " << store->path();
        EXPECT_TRUE(store->Remove().ok());
        continue;
      }
      EXPECT_EQ(store.status().kind(), ErrorKind::kUsage) << store.status().message();
      const std::string& message = store.status().message();
      EXPECT_EQ(message.rfind("cannot ", 0), 0u) << message;
      EXPECT_THAT(message, HasSubstr("; ")) << "says not what to do: " << message;
    }
    const auto store = StoreDirectory::Reopen(path);
    ASSERT_FALSE(store.ok()) << path;
    EXPECT_EQ(store.status().kind(), ErrorKind::kUsage) << store.status().message();
  }
  EXPECT_EQ(TreeOf(play_), before);
  for (const std::string& place : places) {
    if (place.rfind(play_, 0) == 0) continue;
    EXPECT_FALSE(fs::exists(place + "/LEVELFIELD")) << place;
    if (place.find("levelfield_no") != std::string::npos) {
      EXPECT_FALSE(fs::exists(place)) << place;
    }
  }
  std::vector<std::string> roots_after;
  for (const auto& entry : fs::directory_iterator("/")) roots_after.push_back(entry.path());
  EXPECT_EQ(roots_after, roots_before);
  RecordProperty("paths", static_cast<int>(paths.size()));
}

TEST_F(StorePathTest, TellsWhatIsWrongWithAPath) {
  Write(At("file"), "");
  fs::create_directories(At("empty"));
  fs::create_symlink("empty", At("link"));
  Write(At("foreign/photo"), "cat");
  const std::vector<std::pair<std::string, std::string>> reasons = {
      {"", "is empty"},
      {"/", "root of the file system"},
      {"/usr/local/x", "/usr belongs to the system"},
      {"/tmp", "shared by everybody"},
      {"/dev/null", "is a character device"},
      {At("homes"), "home directory"},
      {".", "working directory"},
      {At("file"), "is a file"},
      {At("link"), "is a symlink"},
      {At("foreign"), "photo"},
      {At("x/../y"), "\"..\" after a directory that does not exist"},
      {At("1/2/3/4/5/6"), "disk is mounted"},
      {At(std::string(200, 'x')), "200 bytes"},
  };
  for (const auto& [path, reason] : reasons) {
    EXPECT_THAT(ErrorOf(StoreDirectory::Create(path, Fresh())), HasSubstr(reason));
  }
}

// The control of the hostile list: a checker that refuses everything would pass it.
TEST_F(StorePathTest, AcceptsHarmlessPathsAndLeavesNoTraceAfterRemove) {
  fs::create_directories(At("empty"));
  fs::create_directories(At("real/dir"));
  fs::create_symlink("real/dir", At("my_link"));
  std::vector<std::string> paths =
      Split("new,./new,../new,keep/new,/proc/self/cwd/new,/var/tmp/lf_store_test_" +
                std::to_string(getpid()),
            ',');
  for (const std::string& path :
       Split("new,new/,./new//.,empty,empty/../new,my_link/new,my_link/../x,homes/me/new,.hidden,"
             "with space,a/desk/here/sub",
             ',')) {
    paths.push_back(At(path));
  }
  for (const std::string& path : paths) {
    const auto names = [this] {  // The parent's times may change, but not names and contents.
      std::set<std::string> found;
      for (const auto& entry : fs::recursive_directory_iterator(play_)) found.insert(entry.path());
      return found;
    };
    const auto before = names();
    auto store = Must(StoreDirectory::Create(path, WithSalt(1)));
    EXPECT_EQ(store.path()[0], '/');
    EXPECT_TRUE(fs::is_directory(store.path()));
    EXPECT_EQ(fs::canonical(store.path()), store.path());
    EXPECT_EQ(fs::canonical(path) / "db", store.path());
    Write(store.path() + "/data", "data");
    Must(store.Remove());
    EXPECT_EQ(names(), before) << path;
  }
}

TEST_F(StorePathTest, ABindMountOfTheHomeDirectoryIsStillTheHomeDirectory) {
  fs::create_directories(At("elsewhere"));
  const int exit_code = InChild([this] {
    if (!HaveMountsOfOurOwn().ok() ||
        mount(At("homes/me").c_str(), At("elsewhere").c_str(), nullptr, MS_BIND, nullptr) != 0) {
      return 77;
    }
    const auto store = StoreDirectory::Create(At("elsewhere"), Fresh());
    return store.status().message().find("home directory") != std::string::npos ? 0 : 1;
  });
  if (exit_code == 77) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(exit_code, 0);
}

using StorePlaceTest = TestOfStores;

TEST_F(StorePlaceTest, MakesUpToFourParentsAndKeepsTheDirectoryPrivate) {
  const StoreDirectory made = Must(StoreDirectory::Create(At("1/2/3/4/new"), WithSalt(1)));
  struct stat status;
  ASSERT_EQ(stat(At("1/2/3/4/new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
}

TEST_F(StorePlaceTest, TakesAwayTheParentsItMadeWhenItFailsLater) {
  // Parents can be made, and then the file size limit forbids the marker.
  const int exit_code = WithFileSizeLimit(100, [this] {
    const auto store = StoreDirectory::Create(At("1/2/new"), WithSalt(1));
    return store.ok() || store.status().kind() != ErrorKind::kFailed ? 1 : 0;
  });
  EXPECT_EQ(exit_code, 0);
  EXPECT_FALSE(fs::exists(At("1")));
}

TEST_F(StorePlaceTest, CheckSaysWhatCreateWouldAndChangesNothing) {
  Write(At("others/thesis.txt"), "ten years of work");
  Write(At("file"), "");
  for (const char* const place : {"others", "file", "file/below", "others/../../../etc/x"}) {
    EXPECT_EQ(UsageErrorOf(StoreDirectory::Check(At(place))),
              StoreDirectory::Create(At(place), Fresh()).status().message());
  }
  EXPECT_TRUE(StoreDirectory::Check(At("others/new")).ok());
  EXPECT_FALSE(fs::exists(At("others/new")));
  ASSERT_TRUE(StoreDirectory::Create(At("ours"), Fresh()).ok());
  EXPECT_TRUE(StoreDirectory::Check(At("ours")).ok());
}

}  // namespace levelfield::store_path_test
