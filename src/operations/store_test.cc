#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "operations/thread_fixture_for_test.h"

namespace levelfield::store_test {

// tests/end_to_end covers an allocator that profiles, since it must be preloaded.
TEST(HeapProfile, WithoutAnAllocatorThatProfilesSaysHowToGetOne) {
  const TemporaryDirectory directory;
  Store store = OpenStore("null", 100);
  const StatusOr<std::string> path =
      FindOperation("heapprofile")->text(store, Role(), directory.path());
  ASSERT_FALSE(path.ok());
  EXPECT_EQ(path.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(path.status().message(), HasSubstr("LD_PRELOAD=libtcmalloc.so.4"));
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace levelfield::store_test
