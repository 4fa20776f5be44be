#include "base/gzip.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "base/atomic_file.h"
#include "base/files_for_test.h"

namespace levelfield::gzip_test {

std::string Member(const std::string& text) {
  std::istringstream bytes(text);
  return Gzipped(bytes);
}

TEST(GzipLines, AreThoseOfAllMembers) {
  const TemporaryDirectory directory;
  const std::string long_line(100'000, 'x');  // More than any buffer has.
  Write(directory / "f", Member("a\n" + long_line + "\n") + Member("\nb\ncut off"));
  StatusOr<GzipLines> lines = GzipLines::Open(directory / "f");
  ASSERT_TRUE(lines.ok()) << lines.status().message();
  std::string line;
  for (const std::string& expected :
       {std::string("a"), long_line, std::string(), std::string("b")}) {
    EXPECT_TRUE(*lines->Next(line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(*lines->Next(line));
}

TEST(GzipLines, GoOnWhereTheFileHasGrown) {
  const TemporaryDirectory directory;
  Write(directory / "f", Member("a\n"));
  StatusOr<GzipLines> lines = GzipLines::Open(directory / "f");
  ASSERT_TRUE(lines.ok());
  std::string line;
  EXPECT_TRUE(*lines->Next(line));
  EXPECT_FALSE(*lines->Next(line));
  Write(directory / "f", Member("a\n") + Member("b\n"));
  EXPECT_TRUE(*lines->Next(line));
  EXPECT_EQ(line, "b");
}

TEST(GzipLines, ThatArePackedToSwampTheReaderAreRefused) {
  const TemporaryDirectory directory;
  for (const char letter : {'x', '\0'}) {
    Write(directory / "f", Member(std::string(2 * kMaxFileBytes, letter) + "\n"));
    StatusOr<GzipLines> lines = GzipLines::Open(directory / "f");
    ASSERT_TRUE(lines.ok());
    std::string line;
    EXPECT_FALSE(lines->Next(line).ok());
    EXPECT_LT(line.size(), 2 * kMaxFileBytes);
  }
}

TEST(GzipLines, OfWhatIsNoFileAreRefused) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(GzipLines::Open(directory / "none").ok());
  EXPECT_FALSE(GzipLines::Open(directory.path()).ok());
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(GzipLines::Open(directory / "pipe").ok());
}

}  // namespace levelfield::gzip_test
