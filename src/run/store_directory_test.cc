#include "run/store_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <vector>

#include "base/files_for_test.h"
#include "base/kill_at_syscall_for_test.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Everything about a tree that somebody could miss: names, types, modes, owners, times, contents.
std::string TreeOf(const fs::path& root) {
  std::set<std::string> lines;
  const auto add = [&lines](const fs::path& path) {
    struct stat s;
    if (lstat(path.c_str(), &s) != 0) return;
    std::stringstream line;
    line << path.string() << ' ' << s.st_mode << ' ' << s.st_uid << ' ' << s.st_nlink << ' '
         << s.st_ino << ' ' << s.st_mtim.tv_sec << '.' << s.st_mtim.tv_nsec << ' ';
    if (S_ISLNK(s.st_mode)) line << fs::read_symlink(path).string();
    if (S_ISREG(s.st_mode)) line << Read(path);
    lines.insert(line.str());
  };
  add(root);
  for (const auto& entry : fs::recursive_directory_iterator(root)) add(entry.path());
  std::string tree;
  for (const std::string& line : lines) tree += line + "\n";
  return tree;
}

// A directory of its own, which holds $HOME and the working directory for the time of a test.
class StoreDirectoryTest : public testing::Test {
 protected:
  StoreDirectoryTest() {
    std::string name = "/tmp/lf_store_XXXXXX";
    play_ = mkdtemp(name.data());
    fs::create_directories(play_ + "/homes/me/keep");
    fs::create_directories(play_ + "/a/desk/here/keep");
    Write(play_ + "/homes/me/keep/letter", "dear");
    const char* home = getenv("HOME");
    home_before_ = home != nullptr ? home : "";
    working_before_ = fs::current_path();
    setenv("HOME", (play_ + "/homes/me").c_str(), 1);
    fs::current_path(play_ + "/a/desk/here");
  }
  ~StoreDirectoryTest() override {
    fs::current_path(working_before_);
    if (home_before_.empty()) {
      unsetenv("HOME");
    } else {
      setenv("HOME", home_before_.c_str(), 1);
    }
    fs::remove_all(play_);
  }

  std::string At(const std::string& name) const { return play_ + "/" + name; }

  std::string play_;
  std::string home_before_;
  fs::path working_before_;
};

StoreDirectory::Options WithSalt(uint64_t salt) {
  return {.salt = salt, .harness = "0.1.0-test", .fresh = false};
}
StoreDirectory::Options Fresh() { return {.salt = 7, .harness = "0.1.0-test", .fresh = true}; }

// Runs in a child, which a failed EXPECT cannot leave; 0 is success.
int InChild(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// ------------------------------------------------------------------ what may be a store, what not

// One place spelled in many ways.
std::vector<std::string> Spellings(const std::string& path) {
  const fs::path plain(path);
  const std::string base = plain.filename().string();
  std::vector<std::string> spellings = {path,         path + "/",  path + "//", path + "/.",
                                        path + "/./", "/." + path, "//" + path};
  if (!base.empty()) {
    spellings.push_back(plain.parent_path().string() + "/./" + base);
    // After a symlink, ".." is where the target lies: another place than its spelling says.
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

TEST_F(StoreDirectoryTest, RefusesEveryHostilePathAndChangesNothing) {
  std::vector<std::string> places = {"/",
                                     "/etc",
                                     "/usr",
                                     "/var",
                                     "/dev",
                                     "/proc",
                                     "/sys",
                                     "/boot",
                                     "/bin",
                                     "/sbin",
                                     "/lib",
                                     "/lib32",
                                     "/lib64",
                                     "/libx32",
                                     "/run",
                                     "/tmp",
                                     "/var/tmp",
                                     "/dev/shm",
                                     "/etc/levelfield_no",
                                     "/usr/local/levelfield_no",
                                     "/var/lib/levelfield_no",
                                     "/var/levelfield_no",
                                     "/dev/levelfield_no",
                                     "/proc/levelfield_no",
                                     "/proc/self/levelfield_no",
                                     "/sys/levelfield_no",
                                     "/boot/levelfield_no",
                                     "/run/levelfield_no",
                                     "/bin/levelfield_no",
                                     "/usr/bin/levelfield_no",
                                     "/lib32/levelfield_no",
                                     "/dev/null",
                                     "/dev/zero",
                                     "/proc/self/fd/0",
                                     "/etc/passwd"};
  for (const std::string& root : MountRoots()) places.push_back(root);
  for (const auto& block : fs::directory_iterator("/dev")) {
    if (block.is_block_file()) places.push_back(block.path());
  }

  for (const char* name : {"homes", "homes/me", "a", "a/desk", "a/desk/here"}) {
    places.push_back(At(name));
  }
  places.push_back(play_);

  fs::create_directories(At("foreign"));
  Write(At("foreign/photo"), "cat");
  fs::create_directories(At("hidden"));
  Write(At("hidden/.x"), "");
  fs::create_directories(At("only_dir/sub"));
  fs::create_directories(At("foreign_db"));
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

  // A name is not yet a marker.
  for (const char* name : {"m_symlink", "m_garbage", "m_directory", "m_pipe", "m_long",
                           "m_not_alone", "m_other_json"}) {
    fs::create_directories(At(name));
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
  // What is wrong with these is the spelling itself.
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
    // `fresh` asks to delete, and may still delete nothing that is not ours.
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
      EXPECT_NE(message.find("; "), std::string::npos) << "says not what to do: " << message;
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

TEST_F(StoreDirectoryTest, TellsWhatIsWrongWithAPath) {
  Write(At("file"), "");
  fs::create_directories(At("empty"));
  fs::create_symlink("empty", At("link"));
  fs::create_directories(At("foreign"));
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
    const auto store = StoreDirectory::Create(path, Fresh());
    ASSERT_FALSE(store.ok()) << path;
    EXPECT_NE(store.status().message().find(reason), std::string::npos) << store.status().message();
  }
}

// The control of the hostile list: a checker that refuses everything would pass it.
TEST_F(StoreDirectoryTest, AcceptsHarmlessPathsAndLeavesNoTraceAfterRemove) {
  fs::create_directories(At("empty"));
  fs::create_directories(At("real/dir"));
  fs::create_symlink("real/dir", At("my_link"));
  const std::vector<std::string> paths = {At("new"),
                                          At("new/"),
                                          At("./new//."),
                                          At("empty"),
                                          At("empty/../new"),
                                          At("my_link/new"),
                                          At("my_link/../x"),
                                          "new",
                                          "./new",
                                          "../new",
                                          "keep/new",
                                          At("homes/me/new"),
                                          At(".hidden"),
                                          At("with space"),
                                          At("a/desk/here/sub"),
                                          "/var/tmp/lf_store_test_" + std::to_string(getpid()),
                                          "/proc/self/cwd/new"};
  for (const std::string& path : paths) {
    const auto names = [this] {  // Times of the parent may change, names and contents may not.
      std::set<std::string> found;
      for (const auto& entry : fs::recursive_directory_iterator(play_)) found.insert(entry.path());
      return found;
    };
    const auto before = names();
    auto store = StoreDirectory::Create(path, WithSalt(1));
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_EQ(store->path()[0], '/');
    EXPECT_TRUE(fs::is_directory(store->path()));
    EXPECT_EQ(fs::canonical(store->path()), store->path());
    EXPECT_EQ(fs::canonical(path) / "db", store->path());
    Write(store->path() + "/data", "data");
    const Status removed = store->Remove();
    EXPECT_TRUE(removed.ok()) << removed.message();
    EXPECT_EQ(names(), before) << path;
  }
}

TEST_F(StoreDirectoryTest, MakesUpToFourParentsAndKeepsTheDirectoryPrivate) {
  auto store = StoreDirectory::Create(At("1/2/3/4/new"), WithSalt(1));
  ASSERT_TRUE(store.ok()) << store.status().message();
  struct stat status;
  ASSERT_EQ(stat(At("1/2/3/4/new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
}

TEST_F(StoreDirectoryTest, TakesAwayTheParentsItMadeWhenItFailsLater) {
  // Parents can be made, and then the file size limit forbids the marker.
  const int exit_code = InChild([this] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto store = StoreDirectory::Create(At("1/2/new"), WithSalt(1));
    return store.ok() || store.status().kind() != ErrorKind::kFailed ? 1 : 0;
  });
  EXPECT_EQ(exit_code, 0);
  EXPECT_FALSE(fs::exists(At("1")));
}

TEST_F(StoreDirectoryTest, AMountIsTakenOnlyWhenEmptyAndNeverDeletedThrough) {
  fs::create_directories(At("mount"));
  fs::create_directories(At("photos/2011"));
  Write(At("photos/2011/cat"), "cat");
  const int exit_code = InChild([this] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", At("mount").c_str(), "tmpfs", 0, nullptr) != 0) {
      return 77;
    }
    Write(At("mount/precious"), "p");
    auto refused = StoreDirectory::Create(At("mount"), Fresh());
    if (refused.ok()) return 1;
    if (refused.status().message().find("mounted file system") == std::string::npos) return 2;
    fs::remove(At("mount/precious"));
    auto store = StoreDirectory::Create(At("mount"), Fresh());
    if (!store.ok()) return 3;
    // A bind mount of the same file system, which st_dev alone would not tell.
    auto other = StoreDirectory::Create(At("other"), Fresh());
    if (!other.ok()) return 4;
    fs::create_directories(other->path() + "/bound");
    if (mount(At("photos").c_str(), (other->path() + "/bound").c_str(), nullptr, MS_BIND,
              nullptr) != 0) {
      return 5;
    }
    fs::create_directories(store->path() + "/bound");
    if (mount(At("photos").c_str(), (store->path() + "/bound").c_str(), nullptr, MS_BIND,
              nullptr) != 0) {
      return 6;
    }
    for (StoreDirectory* each : {&*store, &*other}) {
      const Status wiped = each->Wipe();
      if (wiped.ok() || wiped.message().find("mounted there") == std::string::npos) return 7;
      if (each->Remove().ok()) return 8;
    }
    if (Read(At("photos/2011/cat")) != "cat") return 9;
    umount((store->path() + "/bound").c_str());
    // The mount root was there before the store, and stays.
    return store->Remove().ok() && fs::is_empty(At("mount")) ? 0 : 10;
  });
  if (exit_code == 77) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(Read(At("photos/2011/cat")), "cat");
}

TEST_F(StoreDirectoryTest, ABindMountOfTheHomeDirectoryIsStillTheHomeDirectory) {
  fs::create_directories(At("elsewhere"));
  const int exit_code = InChild([this] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(At("homes/me").c_str(), At("elsewhere").c_str(), nullptr, MS_BIND, nullptr) != 0) {
      return 77;
    }
    const auto store = StoreDirectory::Create(At("elsewhere"), Fresh());
    return store.status().message().find("home directory") != std::string::npos ? 0 : 1;
  });
  if (exit_code == 77) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(exit_code, 0);
}

// ------------------------------------------------------------------------------------- the marker

TEST_F(StoreDirectoryTest, ReopensWithTheSaltAndTheStateItWasLeftIn) {
  const uint64_t salt = 0xfedcba9876543210;
  std::string id;
  {
    auto store = StoreDirectory::Create(At("s"), WithSalt(salt));
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_EQ(store->state(), StoreState::kClean);
    id = store->id();
    Write(store->path() + "/data", "data");
    ASSERT_TRUE(store->MarkDirty().ok());
  }
  {
    auto store = StoreDirectory::Reopen(At("s"));
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_EQ(store->salt(), salt);
    EXPECT_EQ(store->id(), id);
    EXPECT_EQ(store->state(), StoreState::kDirty);
    EXPECT_EQ(Read(store->path() + "/data"), "data");
    ASSERT_TRUE(store->MarkClean().ok());
  }
  const auto again = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.status().message().find("--use_existing_db"), std::string::npos);
  auto store = StoreDirectory::Create(At("s"), Fresh());
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ(store->salt(), 7u);
  EXPECT_NE(store->id(), id);
  EXPECT_TRUE(fs::is_empty(store->path()));
}

TEST_F(StoreDirectoryTest, ATaintedStoreIsKeptUntilItIsEmptied) {
  {
    auto store = StoreDirectory::Create(At("s"), WithSalt(1));
    ASSERT_TRUE(store.ok());
    Write(store->path() + "/evidence", "e");
    ASSERT_TRUE(store->MarkTainted().ok());
  }
  const auto refused = StoreDirectory::Reopen(At("s"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().kind(), ErrorKind::kUsage);
  EXPECT_NE(refused.status().message().find("tainted"), std::string::npos);
  EXPECT_EQ(Read(At("s/db/evidence")), "e");
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), Fresh()).ok()); }
  auto store = StoreDirectory::Reopen(At("s"));
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ(store->state(), StoreState::kClean);
}

TEST_F(StoreDirectoryTest, TheMarkerIsOneSectorOfJsonWhateverTheVersionIsCalled) {
  for (const std::string& harness : {std::string(), std::string(500, '"'), std::string(500, '\x01'),
                                     std::string("0.1.0 \xff\\")}) {
    auto store = StoreDirectory::Create(At("s"), {.salt = ~uint64_t{0}, .harness = harness});
    ASSERT_TRUE(store.ok());
    EXPECT_EQ(Read(At("s/LEVELFIELD")).size(), 512u);
    ASSERT_TRUE(store->MarkTainted().ok());
    EXPECT_EQ(Read(At("s/LEVELFIELD")).size(), 512u);
    EXPECT_NE(Read(At("s/LEVELFIELD")).find("\"tainted\""), std::string::npos);
    ASSERT_TRUE(store->Remove().ok());
  }
}

TEST_F(StoreDirectoryTest, TheMarkerSaysWhatTheStoreHolds) {
  const StoreContent content{.engine = "leveldb",
                             .keys = KeyShape(20, KeyKind::kHex, 4),
                             .smallest_value = 16,
                             .largest_value = 100'000,
                             .describes_itself = true,
                             .compression_ratio = 0.3};
  ASSERT_TRUE(
      StoreDirectory::Create(At("s"), {.salt = 1, .harness = "t", .content = content}).ok());
  for (uint32_t times = 0; times <= 2; ++times) {
    const std::optional<StoreContent> found = StoreDirectory::Peek(At("s"));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->engine, "leveldb");
    EXPECT_EQ(found->keys, content.keys);
    EXPECT_EQ(found->smallest_value, 16u);
    EXPECT_EQ(found->largest_value, 100'000u);
    EXPECT_TRUE(found->describes_itself);
    EXPECT_EQ(found->compression_ratio, 0.3);
    EXPECT_EQ(found->value_format, ValueFormat::kDistinct);
    EXPECT_EQ(found->opened, times);
    ASSERT_TRUE(StoreDirectory::Reopen(At("s")).ok());
  }
  // A marker of before, which says nothing of that, and no marker.
  ASSERT_TRUE(StoreDirectory::Create(At("t"), WithSalt(1)).ok());
  ASSERT_TRUE(StoreDirectory::Peek(At("t")).has_value());
  EXPECT_EQ(StoreDirectory::Peek(At("t"))->engine, "");
  EXPECT_FALSE(StoreDirectory::Peek(At("nowhere")).has_value());
  EXPECT_FALSE(fs::exists(At("nowhere")));
}

// `values` is all that markers said before there was another format than slices.
TEST_F(StoreDirectoryTest, TheMarkerSaysHowTheValuesAreMade) {
  const StoreContent content{.engine = "leveldb",
                             .keys = KeyShape(16, KeyKind::kDecimal, 0),
                             .smallest_value = 16,
                             .largest_value = 99,
                             .describes_itself = true,
                             .compression_ratio = 0.5};
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), {.salt = 1, .content = content}).ok()); }
  const std::string now = Read(At("s/LEVELFIELD"));
  const auto with = [&](const std::string& values) {
    const std::string made = "\"values_as\":[2,16,99,0.5]";
    const size_t at = now.find(made);
    if (at == now.npos) return std::optional<StoreContent>();
    std::string marker = now;
    marker.replace(at, made.size(), values);
    marker.resize(511, ' ');
    Write(At("s/LEVELFIELD"), marker + "\n");
    return StoreDirectory::Peek(At("s"));
  };
  const auto before = with("\"values\":[16,99,0.5]");
  ASSERT_TRUE(before.has_value());
  EXPECT_TRUE(before->describes_itself);
  EXPECT_EQ(before->value_format, ValueFormat::kSlices);
  EXPECT_EQ(before->largest_value, 99u);
  EXPECT_EQ(before->compression_ratio, 0.5);
  // It keeps its format when it is used again.
  { ASSERT_TRUE(StoreDirectory::Reopen(At("s")).ok()); }
  EXPECT_NE(Read(At("s/LEVELFIELD")).find("\"values\":[16,99,0.5]"), std::string::npos);
  const auto later = with("\"values_as\":[3,16,99,0.5]");
  ASSERT_TRUE(later.has_value());
  EXPECT_EQ(later->engine, "leveldb");
  EXPECT_FALSE(later->describes_itself);
}

// What somebody else wrote there: a number that would have to be cut is not taken for a count.
TEST_F(StoreDirectoryTest, OfAMarkerWithOtherNumbersThanCountsNothingIsKnown) {
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), {.salt = 1}).ok()); }
  const std::string now = Read(At("s/LEVELFIELD"));
  const auto with = [&](const std::string& content) {
    std::string marker = now.substr(0, now.rfind('}')) + ",\"engine\":\"leveldb\"," + content + "}";
    marker.resize(511, ' ');
    Write(At("s/LEVELFIELD"), marker + "\n");
    return StoreDirectory::Peek(At("s"));
  };
  const std::string keys = R"("keys":["decimal",16,0],"opened":0)";
  const auto known = with(keys + R"(,"entries":7,"values_as":[2,16,99,0.5])");
  ASSERT_TRUE(known.has_value());
  EXPECT_EQ(known->entries, 7u);
  EXPECT_TRUE(known->describes_itself);
  for (const std::string& other :
       {std::string(R"("keys":["decimal",1e300,0],"opened":0)"),
        std::string(R"("keys":["decimal",16,-1],"opened":0)"),
        std::string(R"("keys":["decimal",16,0],"opened":-5)"), keys + R"(,"entries":1e300)",
        keys + R"(,"values_as":[2,16,1e300,0.5])", keys + R"(,"values_as":[-1e300,16,99,0.5])",
        keys + R"(,"values":[-1,99,0.5])"}) {
    const auto content = with(other);
    ASSERT_TRUE(content.has_value()) << other;
    EXPECT_EQ(content->engine, "") << other;
    EXPECT_FALSE(content->describes_itself) << other;
  }
  const auto of_no_format = with(keys + R"(,"values_as":[0,16,99,0.5])");
  ASSERT_TRUE(of_no_format.has_value());
  EXPECT_FALSE(of_no_format->describes_itself);
}

TEST_F(StoreDirectoryTest, TheLargestContentFitsTheMarker) {
  const uint64_t most = uint64_t{1} << 30;
  const StoreContent content{.engine = std::string(100, 'x'),
                             .keys = KeyShape(2032, KeyKind::kInteger, 1008),
                             .smallest_value = most,
                             .largest_value = most,
                             .describes_itself = true,
                             .compression_ratio = 1.0 / 3,
                             .opened = std::numeric_limits<uint32_t>::max() - 1};
  auto store = StoreDirectory::Create(
      At("s"), {.salt = ~uint64_t{0}, .harness = std::string(100, 'v'), .content = content});
  ASSERT_TRUE(store.ok()) << store.status().message();
  ASSERT_TRUE(store->MarkTainted().ok());
  const std::optional<StoreContent> found = StoreDirectory::Peek(At("s"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->engine, std::string(24, 'x'));
  EXPECT_EQ(found->opened, content.opened);
}

TEST_F(StoreDirectoryTest, CheckSaysWhatCreateWouldAndChangesNothing) {
  fs::create_directories(At("others"));
  Write(At("others/thesis.txt"), "ten years of work");
  Write(At("file"), "");
  for (const char* const place : {"others", "file", "file/below", "others/../../../etc/x"}) {
    const Status checked = StoreDirectory::Check(At(place));
    EXPECT_EQ(checked.kind(), ErrorKind::kUsage) << place;
    EXPECT_EQ(checked.message(), StoreDirectory::Create(At(place), Fresh()).status().message());
  }
  EXPECT_TRUE(StoreDirectory::Check(At("others/new")).ok());
  EXPECT_FALSE(fs::exists(At("others/new")));
  ASSERT_TRUE(StoreDirectory::Create(At("ours"), Fresh()).ok());
  EXPECT_TRUE(StoreDirectory::Check(At("ours")).ok());
}

TEST_F(StoreDirectoryTest, TheLargestContentFitsTheSectorToo) {
  constexpr uint64_t kMost = ~uint64_t{0};
  const StoreContent content{.engine = std::string(24, 'e'),
                             .keys = KeyShape(1000, KeyKind::kDecimal, 999),
                             .smallest_value = uint64_t{1} << 30,
                             .largest_value = uint64_t{1} << 40,
                             .describes_itself = true,
                             .compression_ratio = 0.123456789,
                             .opened = ~uint32_t{0},
                             .entries = kMost};
  const std::string harness(40, 'v');
  {
    auto store =
        StoreDirectory::Create(At("s"), {.salt = kMost, .harness = harness, .content = content});
    ASSERT_TRUE(store.ok()) << store.status().message();
    ASSERT_TRUE(store->MarkTainted().ok());
  }
  const std::optional<StoreContent> read = StoreDirectory::Peek(At("s"));
  ASSERT_TRUE(read) << Read(At("s/LEVELFIELD"));
  EXPECT_EQ(read->entries, kMost);
  EXPECT_EQ(read->largest_value, content.largest_value);
}

TEST_F(StoreDirectoryTest, EveryDamageToTheMarkerIsNoticed) {
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), WithSalt(1)).ok()); }
  const std::string whole = Read(At("s/LEVELFIELD"));
  int refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    // Cut short there, or one letter less: neither may be taken for something else and crash.
    Write(At("s/LEVELFIELD"), whole.substr(0, at));
    EXPECT_FALSE(StoreDirectory::Reopen(At("s")).ok()) << at;
    std::string changed = whole;
    changed[at] = '\0';
    Write(At("s/LEVELFIELD"), changed);
    refused += !StoreDirectory::Reopen(At("s")).ok();
  }
  EXPECT_EQ(refused, 512);
}

// ------------------------------------------------------------------------------------- deleting

TEST_F(StoreDirectoryTest, WipeFollowsNoSymlinkOutOfTheStore) {
  fs::create_directories(At("photos/2011"));
  Write(At("photos/2011/cat"), "cat");
  const std::string photos = TreeOf(At("photos"));
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  fs::create_directories(store->path() + "/log/deep");
  Write(store->path() + "/log/deep/000001.log", "x");
  fs::create_symlink(At("photos"), store->path() + "/to_directory");
  fs::create_symlink(At("photos/2011/cat"), store->path() + "/log/to_file");
  fs::create_symlink("../../photos", store->path() + "/log/deep/relative");
  fs::create_symlink("/", store->path() + "/root");
  fs::create_symlink("nowhere", store->path() + "/dangling");
  ASSERT_EQ(mkfifo((store->path() + "/pipe").c_str(), 0600), 0);
  fs::create_directories(store->path() + "/locked");
  const Status wiped = store->Wipe();
  ASSERT_TRUE(wiped.ok()) << wiped.message();
  EXPECT_TRUE(fs::is_directory(store->path()));
  EXPECT_TRUE(fs::is_empty(store->path()));
  EXPECT_EQ(store->state(), StoreState::kClean);
  EXPECT_EQ(TreeOf(At("photos")), photos);
  ASSERT_TRUE(store->Remove().ok());
  EXPECT_FALSE(fs::exists(At("s")));
  EXPECT_EQ(TreeOf(At("photos")), photos);
}

TEST_F(StoreDirectoryTest, WipeRefusesADatabaseThatBecameASymlink) {
  fs::create_directories(At("photos"));
  Write(At("photos/cat"), "cat");
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  fs::remove(store->path());
  fs::create_symlink(At("photos"), store->path());
  EXPECT_FALSE(store->Wipe().ok());
  EXPECT_FALSE(store->Remove().ok());
  EXPECT_EQ(Read(At("photos/cat")), "cat");
}

TEST_F(StoreDirectoryTest, DeletesNothingOnceTheMarkerIsNotItsOwn) {
  using Tamper = std::function<void(const std::string& marker)>;
  const std::vector<std::pair<const char*, Tamper>> tampers = {
      {"removed", [](const std::string& m) { fs::remove(m); }},
      {"a symlink to the same bytes",
       [this](const std::string& m) {
         fs::rename(m, At("moved"));
         fs::create_symlink(At("moved"), m);
       }},
      {"another file with the same bytes",
       [this](const std::string& m) {
         fs::copy_file(m, At("copy"));
         fs::rename(At("copy"), m);
       }},
      {"another id",
       [](const std::string& m) {
         std::string text = Read(m);
         char& digit = text[text.find("\"id\":\"") + 6];
         digit = digit == '0' ? '1' : '0';
         Write(m, text);
       }},
      {"empty", [](const std::string& m) { Write(m, ""); }},
      {"a directory",
       [](const std::string& m) {
         fs::remove(m);
         fs::create_directory(m);
       }},
      {"a pipe",
       [](const std::string& m) {
         fs::remove(m);
         ASSERT_EQ(mkfifo(m.c_str(), 0600), 0);
       }},
  };
  int n = 0;
  for (const auto& [what, tamper] : tampers) {
    const std::string path = At("s" + std::to_string(n++));
    auto store = StoreDirectory::Create(path, WithSalt(1));
    ASSERT_TRUE(store.ok());
    Write(store->path() + "/data", "data");
    tamper(path + "/LEVELFIELD");
    const std::string before = TreeOf(path);
    const Status wiped = store->Wipe();
    EXPECT_FALSE(wiped.ok()) << what;
    EXPECT_NE(wiped.message().find("removes nothing"), std::string::npos) << wiped.message();
    EXPECT_FALSE(store->Remove().ok()) << what;
    EXPECT_EQ(TreeOf(path), before) << what;
  }
}

TEST_F(StoreDirectoryTest, AStoreOfAnotherUserIsNeitherOpenedNorEmptied) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), WithSalt(1)).ok()); }
  ASSERT_EQ(chown(At("s/LEVELFIELD").c_str(), 65534, 65534), 0);
  const std::string before = TreeOf(At("s"));
  for (const auto& store :
       {StoreDirectory::Create(At("s"), Fresh()), StoreDirectory::Reopen(At("s"))}) {
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.status().message().find("uid 65534"), std::string::npos);
  }
  EXPECT_EQ(TreeOf(At("s")), before);
}

TEST_F(StoreDirectoryTest, RemoveKeepsWhatSomebodyElsePutBesideTheDatabase) {
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  Write(store->path() + "/data", "data");
  Write(At("s/notes.txt"), "mine");
  const Status removed = store->Remove();
  EXPECT_FALSE(removed.ok());
  EXPECT_NE(removed.message().find("notes.txt"), std::string::npos) << removed.message();
  EXPECT_EQ(Read(At("s/notes.txt")), "mine");
  EXPECT_FALSE(fs::exists(At("s/db")));
}

TEST_F(StoreDirectoryTest, RemoveKeepsADirectoryThatItDidNotMake) {
  fs::create_directory(At("given"));
  auto store = StoreDirectory::Create(At("given"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(store->Remove().ok());
  EXPECT_TRUE(fs::is_directory(At("given")));
  EXPECT_TRUE(fs::is_empty(At("given")));
}

// ------------------------------------------------------------------------------------- the lock

struct Refusal {
  std::string message;
  double seconds;
};

Refusal TryToUse(const std::string& path) {
  const auto begin = std::chrono::steady_clock::now();
  const auto store = StoreDirectory::Create(path, Fresh());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {store.ok() ? "" : store.status().message(), took.count()};
}

// A child that holds the store until it is killed; `then` runs in it after it has the lock.
pid_t Holder(const std::string& path, const std::function<void(StoreDirectory&)>& then) {
  int ready[2];
  EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto store = StoreDirectory::Create(path, WithSalt(1));
    if (!store.ok()) _exit(1);
    then(*store);
    if (write(ready[1], "r", 1) != 1) _exit(2);
    for (;;) pause();
  }
  close(ready[1]);
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1) << "the holder failed";
  close(ready[0]);
  return child;
}

void Kill(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(StoreDirectoryTest, ASecondRunIsToldThePidOfTheHolderWithinASecond) {
  const pid_t holder = Holder(At("s"), [](StoreDirectory&) {});
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Refusal refusal = TryToUse(At("s"));
    EXPECT_NE(refusal.message.find("process " + std::to_string(holder) + " is using it"),
              std::string::npos)
        << refusal.message;
    EXPECT_LT(refusal.seconds, 1.0);
  }
  const auto reopened = StoreDirectory::Reopen(At("s"));
  EXPECT_NE(reopened.status().message().find(std::to_string(holder)), std::string::npos);
  Kill(holder);
  EXPECT_EQ(TryToUse(At("s")).message, "") << "the holder is dead";
}

TEST_F(StoreDirectoryTest, TheSameProcessCannotTakeItTwiceEither) {
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  EXPECT_NE(TryToUse(At("s")).message.find(std::to_string(getpid())), std::string::npos);
}

TEST_F(StoreDirectoryTest, TheLockLivesOnInAChildOfADeadHolder) {
  int pids[2];
  ASSERT_EQ(pipe2(pids, O_CLOEXEC), 0);
  const pid_t holder = Holder(At("s"), [&pids](StoreDirectory&) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      for (;;) pause();
    }
    if (write(pids[1], &grandchild, sizeof grandchild) != sizeof grandchild) _exit(3);
  });
  pid_t grandchild = 0;
  ASSERT_EQ(read(pids[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  close(pids[0]);
  close(pids[1]);
  Kill(holder);
  const Refusal refusal = TryToUse(At("s"));
  EXPECT_NE(refusal.message.find("a child of process " + std::to_string(holder)), std::string::npos)
      << refusal.message;
  EXPECT_LT(refusal.seconds, 1.0);
  kill(grandchild, SIGKILL);
  // It is not our child, so there is nothing to wait for but the lock itself.
  std::string message = "not tried";
  for (int i = 0; i < 100 && !message.empty(); ++i) message = TryToUse(At("s")).message;
  EXPECT_EQ(message, "");
}

TEST_F(StoreDirectoryTest, AnExecutedChildInheritsTheLockOnlyWhenItIsLetTo) {
  for (const bool inherit : {false, true}) {
    const std::string path = At(inherit ? "inherited" : "kept");
    pid_t child = 0;
    {
      auto store = StoreDirectory::Create(path, WithSalt(1));
      ASSERT_TRUE(store.ok());
      if (inherit) {
        ASSERT_TRUE(store->LetChildrenInheritLock().ok());
      }
      int executed[2];  // Closed by exec: that is how we know that it happened.
      ASSERT_EQ(pipe2(executed, O_CLOEXEC), 0);
      child = fork();
      if (child == 0) {
        execlp("sleep", "sleep", "60", nullptr);
        _exit(1);
      }
      close(executed[1]);
      char byte;
      EXPECT_EQ(read(executed[0], &byte, 1), 0);
      close(executed[0]);
    }
    const std::string message = TryToUse(path).message;
    EXPECT_EQ(message.empty(), !inherit) << message;
    Kill(child);
    EXPECT_EQ(TryToUse(path).message, "");
  }
}

TEST_F(StoreDirectoryTest, OfManyWhoCreateAtOnceExactlyOneWins) {
  for (int round = 0; round < 20; ++round) {
    const std::string path = At("race" + std::to_string(round));
    int results[2];
    ASSERT_EQ(pipe(results), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        auto store = StoreDirectory::Create(path, Fresh());
        const bool clear = store.ok() ||
                           store.status().message().find("another process") != std::string::npos ||
                           store.status().message().find(" is using it") != std::string::npos;
        const char letter = store.ok() ? 'w' : clear ? 'r' : '?';
        if (write(results[1], &letter, 1) != 1) _exit(1);
        for (;;) pause();
      }
      children.push_back(child);
    }
    std::string letters;
    for (int i = 0; i < 4; ++i) {
      char letter = 0;
      ASSERT_EQ(read(results[0], &letter, 1), 1);
      letters += letter;
    }
    std::sort(letters.begin(), letters.end());
    EXPECT_EQ(letters, "rrrw");
    for (const pid_t child : children) Kill(child);
    close(results[0]);
    close(results[1]);
  }
}

// ------------------------------------------------------------------------------------- kill -9

TEST_F(StoreDirectoryTest, AKillAnywhereInCreateLeavesSomethingTheNextCreateHandles) {
  Write(At("neighbour"), "n");
  int accepted = 0;
  int refused = 0;
  for (int stop = 1;; ++stop) {
    const KillResult result = KillAtSyscallStop(stop, [this] {
      auto store = StoreDirectory::Create(At("p/s"), WithSalt(1));
      _exit(store.ok() ? 0 : 1);
    });
    if (result == KillResult::kNoPtrace) GTEST_SKIP() << "this machine allows no ptrace";
    ASSERT_NE(result, KillResult::kCrashed);
    {
      const auto next = StoreDirectory::Create(At("p/s"), WithSalt(2));
      ++(next.ok() ? accepted : refused);
      if (!next.ok()) {
        EXPECT_EQ(next.status().kind(), ErrorKind::kUsage);
        EXPECT_NE(next.status().message().find("there is a store in it already"), std::string::npos)
            << next.status().message();
      }
    }
    auto fresh = StoreDirectory::Create(At("p/s"), Fresh());
    ASSERT_TRUE(fresh.ok()) << "stop " << stop << ": " << fresh.status().message();
    ASSERT_TRUE(fresh->Remove().ok());
    ASSERT_EQ(Read(At("neighbour")), "n");
    fs::remove_all(At("p"));
    if (result == KillResult::kRanToItsEnd) break;
  }
  EXPECT_GT(accepted, 20);
  EXPECT_GT(refused, 5);
}

TEST_F(StoreDirectoryTest, AKillAnywhereInWipeNeverLeavesAHalfWipedStoreThatOpens) {
  constexpr int kFiles = 3;
  int whole = 0;
  int tainted = 0;
  int empty = 0;
  for (int stop = 1;; ++stop) {
    {
      auto store = StoreDirectory::Create(At("s"), Fresh());
      ASSERT_TRUE(store.ok()) << store.status().message();
      for (int i = 0; i < kFiles; ++i) Write(store->path() + "/" + std::to_string(i), "x");
    }
    const KillResult result = KillAtSyscallStop(stop, [this] {
      auto store = StoreDirectory::Reopen(At("s"));
      _exit(store.ok() && store->Wipe().ok() ? 0 : 1);
    });
    if (result == KillResult::kNoPtrace) GTEST_SKIP() << "this machine allows no ptrace";
    ASSERT_NE(result, KillResult::kCrashed);
    const auto store = StoreDirectory::Reopen(At("s"));
    if (store.ok()) {
      const auto left = std::distance(fs::directory_iterator(store->path()), {});
      ASSERT_TRUE(left == 0 || left == kFiles) << left << " files at stop " << stop;
      ++(left == 0 ? empty : whole);
    } else {
      ASSERT_NE(store.status().message().find("tainted"), std::string::npos)
          << store.status().message();
      ++tainted;
    }
    if (result == KillResult::kRanToItsEnd) break;
  }
  EXPECT_GT(whole, 5);
  EXPECT_GT(tainted, 10);
  EXPECT_GT(empty, 0);
}

// ------------------------------------------------------------------------------------- sizes

TEST_F(StoreDirectoryTest, CountsAllocatedBlocksOnceAndFollowsNothing) {
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  const auto bytes = [&store] {
    const auto count = store->AllocatedBytes();
    EXPECT_TRUE(count.ok());
    return count.ok() ? *count : 0;
  };
  EXPECT_EQ(bytes(), 0u);
  const auto blocks_of = [](const std::string& path) {
    struct stat status;
    EXPECT_EQ(lstat(path.c_str(), &status), 0);
    return static_cast<uint64_t>(status.st_blocks) * 512;
  };
  // Blocks are allocated when the page cache is written back.
  const auto write_back = [](const std::string& path) {
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(fsync(fd.get()), 0);
  };
  const std::string dense = store->path() + "/dense";
  Write(dense, std::string(1 << 20, 'x'));
  write_back(dense);
  EXPECT_GE(blocks_of(dense), uint64_t{1} << 20);
  EXPECT_EQ(bytes(), blocks_of(dense));
  const int fd = open((store->path() + "/sparse").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(ftruncate(fd, off_t{1} << 40), 0);
  close(fd);
  EXPECT_EQ(bytes(), blocks_of(dense)) << "a map of 1 TiB that is all hole takes no space";
  fs::create_hard_link(dense, store->path() + "/again");
  Write(At("outside"), std::string(1 << 20, 'x'));
  fs::create_symlink(At("outside"), store->path() + "/link");
  EXPECT_EQ(bytes(), blocks_of(dense) + blocks_of(store->path() + "/link"));
  fs::create_directory(store->path() + "/sub");
  Write(store->path() + "/sub/f", std::string(9000, 'x'));
  write_back(store->path() + "/sub/f");
  EXPECT_EQ(bytes(), blocks_of(dense) + blocks_of(store->path() + "/link") +
                         blocks_of(store->path() + "/sub") + blocks_of(store->path() + "/sub/f"));
}

}  // namespace
}  // namespace levelfield
