// What `cmake --install` leaves: a program that finds its engines, what shells complete, a man
// page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "command.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class Installed : public ::testing::Test {
 protected:
  Installed() {
    const CommandResult installed =
        RunCommand("cmake --install '" BUILD_DIRECTORY "' --prefix '" + root_ + "'");
    EXPECT_EQ(installed.exit_code, 0) << installed.out;
  }
  ~Installed() override { fs::remove_all(root_); }

  const std::string root_ =
      (fs::temp_directory_path() / ("levelfield_install_test_" + std::to_string(getpid())))
          .string();
};

TEST_F(Installed, RunsFromWhereItWasPut) {
  const CommandResult run =
      RunCommand("cd '" + root_ +
                 "' && bin/levelfield run --engine=leveldb,lmdb,memory --num=1k "
                 "--benchmarks=fillrandom,readrandom --price=0");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr(root_ + "/lib/levelfield/levelfield_leveldb.so"));
  EXPECT_EQ(RunCommand("'" + root_ + "/bin/levelfield' engines | grep -c sha256").out,
            RunCommand("'" LEVELFIELD "' engines | grep -c sha256").out);
}

TEST_F(Installed, HasWhatShellsAndManLookFor) {
  const std::string share = root_ + "/share/";
  EXPECT_TRUE(RunCommand("cat '" + share + "bash-completion/completions/levelfield'").out ==
              RunCommand("'" LEVELFIELD "' completion bash").out);
  EXPECT_TRUE(fs::file_size(share + "zsh/site-functions/_levelfield") > 1000);
  EXPECT_TRUE(fs::file_size(share + "fish/vendor_completions.d/levelfield.fish") > 1000);
  EXPECT_TRUE(fs::exists(share + "levelfield/workloads/fillseq.workload"));
  if (!IsInstalled("man")) GTEST_SKIP() << "man is not installed: apt-get install man-db";
  const CommandResult page =
      RunCommand("MANPATH='" + share + "man' MANPAGER=cat man levelfield | col -b");
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, HasSubstr("--durability="));
}

}  // namespace
}  // namespace levelfield
