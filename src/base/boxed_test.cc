#include "base/boxed.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace levelfield::boxed_test {

TEST(Boxed, IsAnOptionalWhoseCopiesHaveValuesOfTheirOwn) {
  Boxed<std::string> box;
  EXPECT_FALSE(box.has_value());
  box = std::string("one");
  Boxed<std::string> copy = box;
  *copy = "two";
  EXPECT_EQ(*box, "one");
  EXPECT_FALSE(box == copy);
  copy = box;
  EXPECT_TRUE(box == copy);
  const std::optional<std::string> optional = copy;
  EXPECT_EQ(optional, "one");
  box = std::optional<std::string>();
  EXPECT_FALSE(box);
  EXPECT_FALSE(box == copy);
  EXPECT_EQ(copy->size(), 3u);
  copy.reset();
  EXPECT_TRUE(box == copy);
}

}  // namespace levelfield::boxed_test
