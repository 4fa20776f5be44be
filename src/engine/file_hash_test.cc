#include "engine/file_hash.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files_for_test.h"

namespace levelfield {
namespace {

class HashFileTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& content) {
    const auto path = directory_ / "file";
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }

  const TemporaryDirectory temporary_;
  const std::filesystem::path directory_ = temporary_.path();
};

// The answers are those of FIPS 180-2, appendix B, and of the empty message.
TEST_F(HashFileTest, GivesTheStandardsOwnAnswers) {
  auto hash = HashFile(Write("abc"));
  ASSERT_TRUE(hash.ok()) << hash.status().message();
  EXPECT_EQ(hash->bytes, 3u);
  EXPECT_EQ(hash->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

  hash = HashFile(Write(std::string(1000000, 'a')));
  ASSERT_TRUE(hash.ok());
  EXPECT_EQ(hash->bytes, 1000000u);
  EXPECT_EQ(hash->sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");

  hash = HashFile(Write(""));
  ASSERT_TRUE(hash.ok());
  EXPECT_EQ(hash->bytes, 0u);
  EXPECT_EQ(hash->sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(HashFileTest, RefusesWhatIsNoFileWithoutWaiting) {
  EXPECT_FALSE(HashFile((directory_ / "absent").string()).ok());
  EXPECT_FALSE(HashFile(directory_.string()).ok());
  const std::string pipe = (directory_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(HashFile(pipe).ok());
}

}  // namespace
}  // namespace levelfield
