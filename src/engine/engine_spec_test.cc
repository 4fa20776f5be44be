#include "engine/engine_spec.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

TEST(EngineSpec, ReadsNameVersionAndPath) {
  const auto plain = ParseEngineSpec("rocksdb");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->name, "rocksdb");
  EXPECT_EQ(plain->which, "");
  EXPECT_FALSE(plain->is_path);

  const auto version = ParseEngineSpec("rocksdb@7.8.3");
  ASSERT_TRUE(version.ok());
  EXPECT_EQ(version->name, "rocksdb");
  EXPECT_EQ(version->which, "7.8.3");
  EXPECT_FALSE(version->is_path);
  EXPECT_EQ(version->text, "rocksdb@7.8.3");

  const auto path = ParseEngineSpec("rocksdb:/opt/a@b:c/librocksdb.so");
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->name, "rocksdb");
  EXPECT_EQ(path->which, "/opt/a@b:c/librocksdb.so");
  EXPECT_TRUE(path->is_path);
  EXPECT_EQ(ParseEngineSpec("a:/x\n\xff\x1b.so")->which, "/x\n\xff\x1b.so");
}

TEST(EngineSpec, RefusesWhatIsNoEngineAndSaysWhatIs) {
  for (const std::string& text : std::vector<std::string>{
           "", "@1", ":/x", "RocksDB", "rocks-db", "../x", "a b", "rocksdb@",
           "rocksdb:", "rocksdb@../../etc/x", "rocksdb@.hidden", "rocksdb@a/b", "rocksdb@1@2",
           std::string("a\0b", 3), std::string("a@1\0", 4), std::string("a:/x\0y", 6),
           std::string(65, 'a'), "a@" + std::string(65, '1'), "a:" + std::string(4096, '/')}) {
    const auto spec = ParseEngineSpec(text);
    ASSERT_FALSE(spec.ok()) << text;
    EXPECT_EQ(spec.status().kind(), ErrorKind::kUsage);
    EXPECT_NE(spec.status().message().find("name@version"), std::string::npos);
    EXPECT_LT(spec.status().message().size(), 300u);
  }
}

}  // namespace
}  // namespace levelfield
