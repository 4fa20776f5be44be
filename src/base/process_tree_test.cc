#include "base/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace levelfield::process_tree_test {

// A child in a session of its own, with a child of its own that ignores what asks it to end.
struct Family {
  ProcessId child;
  ProcessId grandchild;
};

Family StartFamily() {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    const pid_t grandchild = fork();
    if (grandchild == 0) setsid();
    if (grandchild > 0) (void)!write(ends[1], &grandchild, sizeof(grandchild));
    while (true) pause();
  }
  pid_t grandchild = -1;
  (void)!read(ends[0], &grandchild, sizeof(grandchild));
  close(ends[0]);
  close(ends[1]);
  return {FindProcess(child).value_or(ProcessId()), FindProcess(grandchild).value_or(ProcessId())};
}

bool Has(const std::vector<ProcessId>& all, const ProcessId& one) {
  return std::ranges::find(all, one) != all.end();
}

TEST(ProcessTree, HasWhatItsRootsHaveStarted) {
  const Family family = StartFamily();
  ASSERT_GT(family.grandchild.pid, 0);
  const std::vector<ProcessId> tree = TreesOf({{family.child}});
  EXPECT_EQ(tree.size(), 2u);
  EXPECT_TRUE(Has(tree, family.child) && Has(tree, family.grandchild));
  EXPECT_TRUE(Has(TreesOf({{*FindProcess(getpid())}}), family.grandchild));
  EXPECT_TRUE(TreesOf({}).empty());
  // Another process that has the number by now.
  EXPECT_TRUE(TreesOf({{{family.child.pid, family.child.start_ticks + 1}}}).empty());

  EndTrees({{family.child}});
  // The child waits to be reaped by this one, and so is none any more.
  EXPECT_EQ(FindProcess(family.child.pid), std::nullopt);
  EXPECT_EQ(FindProcess(family.grandchild.pid), std::nullopt);
  waitpid(family.child.pid, nullptr, 0);
  EndTrees({{family.child}});
}

TEST(ProcessTree, OfNoProcessIsEmpty) {
  EXPECT_EQ(FindProcess(-1), std::nullopt);
  EXPECT_EQ(FindProcess(1 << 30), std::nullopt);
}

}  // namespace levelfield::process_tree_test
