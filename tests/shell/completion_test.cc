// What the shells complete at the keyboard, of the scripts that the program prints; what they offer
// behind a line is in tests/cases/help_and_completion.case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "terminal.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(BashCompletion, CompletesAtTheKeyboard) {
  Terminal bash({"bash", "--norc", "--noprofile", "-i"}, 24, 100);
  bash.Type("PS1='ready> '; bind 'set bell-style none'; PATH=" BUILD_DIRECTORY
            ":$PATH; source <(levelfield completion bash)\n");
  ASSERT_TRUE(bash.Shows("ready> ", 20)) << bash.seen();
  bash.Forget();
  bash.Type("levelfield run --durability=sy\t");
  EXPECT_TRUE(bash.Shows("--durability=synced", 20)) << bash.seen();
  bash.Forget();
  bash.Type(" --engine=leveldb@\t");
  EXPECT_TRUE(bash.Shows("system", 20)) << bash.seen();
}

TEST(ZshCompletion, CompletesAtTheKeyboard) {
  if (!IsInstalled("zsh")) GTEST_SKIP() << "zsh is not installed: apt-get install zsh";
  Terminal zsh({"zsh", "-f", "-i"}, 24, 100);
  zsh.Type("PS1='ready> '; path=(" BUILD_DIRECTORY
           " $path); autoload -U compinit; compinit -u -D; source =(levelfield completion zsh); "
           "echo so\"urc\"ed\n");
  ASSERT_TRUE(zsh.Shows("sourced", 30)) << zsh.seen();
  zsh.Forget();
  zsh.Type("levelfield compl\t");
  EXPECT_TRUE(zsh.Shows("completion", 20)) << zsh.seen();
  zsh.Type("zs\t");
  EXPECT_TRUE(zsh.Shows("zsh", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --durability=sy\t");
  EXPECT_TRUE(zsh.Shows("synced", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --engine=lmdb,leveldb@s\t");
  EXPECT_TRUE(zsh.Shows("system", 20)) << zsh.seen();
  zsh.Type("\x15levelfield run --zipf\t");
  EXPECT_TRUE(zsh.Shows("exponent=", 20)) << zsh.seen();
  EXPECT_THAT(zsh.seen(), Not(HasSubstr("command not found")));
}

}  // namespace
}  // namespace levelfield
