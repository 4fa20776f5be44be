#include "result/shared_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace levelfield::shared_list_test {

TEST(SharedList, SharesElementsWithItsCopiesUntilOneIsChanged) {
  SharedList<std::string> list = {"a", "b"};
  const SharedList<std::string> copy = list;
  EXPECT_EQ(&std::as_const(list)[0], &copy[0]);
  list[0] = "changed";
  EXPECT_EQ(copy[0], "a");
  EXPECT_EQ(list[0], "changed");
  EXPECT_EQ(&std::as_const(list)[1], &copy[1]) << "only what was changed was copied";
}

TEST(SharedList, ChangesInALoopAreItsOwn) {
  SharedList<std::string> list = {"a", "b"};
  const SharedList<std::string> copy = list;
  for (std::string& element : list) element += "!";
  EXPECT_EQ(copy[0] + copy[1], "ab");
  EXPECT_EQ(list.front() + list.back(), "a!b!");
}

TEST(SharedList, IsSearchedAsAnyRange) {
  const SharedList<std::string> list = {"a", "b", "c"};
  EXPECT_EQ(*std::ranges::find(list, "b"), "b");
  EXPECT_EQ(std::ranges::find(list, "x"), list.end());
  EXPECT_EQ(std::ranges::count_if(list, [](const std::string& s) { return s > "a"; }), 2);
}

TEST(SharedList, GrowsAndShrinks) {
  SharedList<std::string> list;
  EXPECT_TRUE(list.empty());
  list.resize(2);
  list.push_back("c");
  list.emplace_back() = "d";
  EXPECT_EQ(list.size(), 4u);
  EXPECT_EQ(list[2] + list[3], "cd");
  list.pop_back();
  list.resize(1);
  EXPECT_EQ(list.size(), 1u);
  list.clear();
  EXPECT_TRUE(list.empty());
}

}  // namespace levelfield::shared_list_test
