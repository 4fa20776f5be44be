#include "rocksdb_in_force.h"

#include <gmock/gmock.h>

#include "rocksdb_meaning.h"

namespace levelfield {
namespace {

using ::testing::Optional;

TEST(RocksDbMeaning, IsTheSameInOtherWords) {
  constexpr std::pair<const char*, const char*> kSame[] = {
      {"64M", "67108864"},
      {"64MB", "67108864"},
      {"18446744073709551615", "18446744073709551615"},
      {"-1", "18446744073709551615"},
      {"-1", "4294967295"},
      {"0.5", "0.500000"},
      {"0.333333333", "0.333333"},
      {"7", "7.000000"},
      {"1", "true"},
      {"No", "false"},
      {"", "nullptr"},
      {"none", "nullptr"},
      {"1:2:3", "1:2:3"},
      {"skip_list", "SkipListFactory"},
      {"skip_list:16", "SkipListFactory:16"},
      {"vector:100", "{id=VectorRepFactory;count=100;}"},
      {"vector", "{id=VectorRepFactory;count=0;}"},
      {"{id=vector;count=50}", "{id=VectorRepFactory;count=50;}"},
      {"fixed:8", "rocksdb.FixedPrefix.8"},
      {"bloomfilter:10", "bloomfilter:10:false"},
      {"stringappend", "{id=StringAppendOperator;delimiter=,;}"},
      {"max", "MaxOperator"},
      {"{level=3;max_dict_bytes=1k}", "{level=3;max_dict_bytes=1024;enabled=false;}"},
      {"-14:6:0:100", "{window_bits=-14;level=6;strategy=0;max_dict_bytes=100;enabled=false;}"},
      {"1000000", "{allow_compaction=false;max_table_files_size=1000000;}"},
  };
  for (const auto& [asked, told] : kSame) {
    EXPECT_TRUE(RocksDbMeaning::IsSame(asked, told)) << asked << " " << told;
  }
}

TEST(RocksDbMeaning, IsAnotherWhereRocksDbHasReplacedIt) {
  constexpr std::pair<const char*, const char*> kOther[] = {
      {"nonsense", "nullptr"},
      {"nonsense", "SkipListFactory"},
      {"skip_list", "{id=VectorRepFactory;count=0;}"},
      {"skiplist:16", "SkipListFactory"},
      {"vector:100", "{id=VectorRepFactory;count=1;}"},
      {"vector:100", "SkipListFactory"},
      {"prefix_hash", "SkipListFactory"},
      {"fixed:8", "rocksdb.FixedPrefix.9"},
      {"fixed:x", "nullptr"},
      {"bloomfilter:1", "bloomfilter:10:false"},
      {"bloomfilter", "bloomfilter:10:false"},
      {"1,2,3", "1"},
      {"1:2", "1:2:3"},
      {"6.5M", "65536"},
      {"0.5", "0.000000"},
      {"18446744073709551615", "18446744073709551614"},
      {"0", "2"},
      {"-2", "4294967295"},
      {"true", "false"},
      {"1", "nullptr"},
      {"{level=3}", "{level=4;}"},
      {"{nothing=3}", "{level=3;}"},
      {"-14:6:0", "{window_bits=-14;level=7;strategy=0;}"},
      {"kZSTD", "kNoCompression"},
  };
  for (const auto& [asked, told] : kOther) {
    EXPECT_FALSE(RocksDbMeaning::IsSame(asked, told)) << asked << " " << told;
  }
}

RocksDbInForce InForceOf(const std::string& options, const std::string& log) {
  std::istringstream lines(log);
  return RocksDbInForce(options, lines);
}

TEST(RocksDbInForce, IsOfTheDefaultColumnFamilyAndItsTables) {
  const RocksDbInForce in_force = InForceOf(
      "# text=1\n[DBOptions]\n  max_background_jobs=3\n  daily=01\\:00-02\\:00\n"
      "[CFOptions \"default\"]\n  num_levels=7\n  universal={size_ratio=1;stop={a=2;b=3;};}\n"
      "[TableOptions/BlockBasedTable \"default\"]\n  block_size=4096\n"
      "[CFOptions \"other\"]\n  num_levels=1\n  its_own=1\n",
      "");
  EXPECT_THAT(in_force.ValueOf("max_background_jobs"), Optional(std::string("3")));
  EXPECT_THAT(in_force.ValueOf("daily"), Optional(std::string("01:00-02:00")));
  EXPECT_THAT(in_force.ValueOf("num_levels"), Optional(std::string("7")));
  EXPECT_THAT(in_force.ValueOf("universal.size_ratio"), Optional(std::string("1")));
  EXPECT_THAT(in_force.ValueOf("universal.stop"), Optional(std::string("{a=2;b=3;}")));
  EXPECT_THAT(in_force.Is("block_based_table_factory", "{block_size=4k}"), Optional(true));
  EXPECT_THAT(in_force.Is("block_based_table_factory", "{block_size=8k}"), Optional(false));
  EXPECT_EQ(in_force.ValueOf("its_own"), std::nullopt);
  EXPECT_EQ(in_force.ValueOf("gone"), std::nullopt);
  EXPECT_TRUE(in_force.TellsOf("gone"));
}

TEST(RocksDbInForce, OfACacheAndALimiterIsInTheLogAlone) {
  const RocksDbInForce in_force = InForceOf(
      "[DBOptions]\n  a=1\n",
      "2026/11/27-00:12:25.644234 14297  Options.rate_limiter: 0x55\n"
      "2026/11/27-00:12:25.644234 14297  Options.row_cache: None\n"
      "  block_cache: 0x56\n  block_cache_options:\n    capacity : 1048576\n"
      "    num_shard_bits : 2\n    high_pri_pool_ratio: 0.500\n  block_cache_compressed: (nil)\n");
  EXPECT_THAT(in_force.Is("block_cache", "1M"), Optional(true));
  EXPECT_THAT(in_force.Is("block_cache", "2M"), Optional(false));
  EXPECT_THAT(in_force.Is("block_cache", "{capacity=1M;num_shard_bits=-1}"), Optional(true));
  EXPECT_THAT(in_force.Is("block_cache", "{capacity=1M;num_shard_bits=3}"), Optional(false));
  EXPECT_THAT(in_force.Is("block_cache", "{high_pri_pool_ratio=0.5}"), Optional(true));
  EXPECT_THAT(in_force.Is("rate_limiter_bytes_per_sec", "1000"), Optional(true));
  EXPECT_THAT(in_force.Is("rate_limiter_bytes_per_sec", "0"), Optional(false));
  EXPECT_THAT(in_force.Is("row_cache", "1M"), Optional(false));
  EXPECT_EQ(in_force.Is("blob_cache", "1M"), std::nullopt);
  EXPECT_FALSE(in_force.TellsOf("blob_cache"));
  EXPECT_THAT(InForceOf("", "  block_cache: (nil)\n    capacity : 5\n").Is("block_cache", "5"),
              Optional(false));
}

}  // namespace
}  // namespace levelfield
